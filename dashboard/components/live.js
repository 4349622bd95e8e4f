// Drag ε: headline numbers, curve and projections follow in the browser, from frames that the server sent once.
// Without Plotly (another server than `dpgep`) the numbers still move, and the rest of the page follows on release.
const ROUTE = "/lab/plotly.min.js"
let loading = null
function plotly() {
  if (window.Plotly) return Promise.resolve(window.Plotly)
  loading ??= new Promise((done) => {
    const script = document.createElement("script")
    script.src = ROUTE
    script.onload = () => done(window.Plotly)
    script.onerror = () => done(null)
    document.head.appendChild(script)
  })
  return loading
}

const nearest = (frames, index) => {
  const have = Object.keys(frames).map(Number)
  if (!have.length) return null
  return frames[have.reduce((a, b) => (Math.abs(b - index) < Math.abs(a - index) ? b : a))]
}
const axis = (s, more) => ({ gridcolor: s.faint, linecolor: s.quiet, zerolinecolor: s.faint, fixedrange: false, ...more })
const layout = (s, more) => ({
  paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: { family: "Source Sans, sans-serif", size: 13, color: s.ink },
  showlegend: false, uirevision: "keep", margin: { l: 52, r: 10, t: 10, b: 40 }, height: 310, ...more,
})

const split = (points) => [points.filter((_, i) => i % 2 === 0), points.filter((_, i) => i % 2 === 1)]

// One trace for all classes: while dragging, only its coordinates change, which Plotly does fastest.
function scatter(data, points) {
  const [x, y] = split(points), codes = data.labels ? data.labels.slice(0, x.length) : x.map(() => 0)
  const of = (list) => codes.map((code) => list[code % list.length])
  return [{ x, y, type: "scatter", mode: "markers", hoverinfo: "text", text: codes.map((code) => data.classes[code] ?? "row"),
    marker: { size: 5, opacity: 0.8, color: of(data.colours), symbol: of(data.symbols), line: { width: 0 } } }]
}

function curve(data, index) {
  const s = data.style, at = data.metric
  const traces = data.tracks.map((t) => {
    const have = Object.keys(t.frames).map(Number).sort((a, b) => a - b)
    return { x: have.map((i) => data.grid[i]), y: have.map((i) => t.frames[i][at]), name: t.title, mode: "lines",
      line: { color: t.colour, width: 2.5, dash: t.dash }, hovertemplate: "%{y:.3f} at ε = %{x:g}<extra>%{fullData.name}</extra>" }
  })
  const marks = data.tracks.map((t) => {
    const f = nearest(t.frames, index)
    return { x: [data.grid[index]], y: [f ? f[at] : null], mode: "markers", hoverinfo: "skip",
      marker: { size: 13, color: t.colour, line: { color: s.ink, width: 1.5 } } }
  })
  const line = (y) => ({ type: "line", xref: "paper", x0: 0, x1: 1, y0: y, y1: y, line: { color: s.quiet, width: 1, dash: "dot" } })
  const notes = data.levels.map((l) => ({ xref: "paper", x: 0.01, xanchor: "left", y: l.value, yanchor: "bottom", text: l.label, showarrow: false, font: { size: 11, color: s.quiet } }))
  return [[...traces, ...marks], layout(s, {
    shapes: data.levels.map((l) => line(l.value)), annotations: notes,
    xaxis: axis(s, { type: "log", range: [data.grid[0], data.grid.at(-1)].map(Math.log10), tickvals: [0.001, 0.01, 0.1, 1, 10], ticktext: [".001", ".01", ".1", "1", "10"], title: { text: "ε" } }),
    yaxis: axis(s, { range: data.limits ?? undefined }),
  })]
}

function numbers(root, data, index) {
  const body = root.querySelector("tbody")
  const show = (v, digits, unit = "") => (v === null || v === undefined ? "–" : v.toFixed(digits) + unit)
  const rows = data.tracks.map((t) => {
    const f = nearest(t.frames, index) ?? [null, null, null, "…", "…", []]
    const row = document.createElement("tr")
    for (const text of [t.title, ...(data.labels ? [show(f[0], 3)] : []), show(f[1], 1, "°"), show(f[2], 3), f[3], f[4]]) {
      const cell = document.createElement("td")
      cell.textContent = text
      row.appendChild(cell)
    }
    row.firstChild.style.borderLeft = `.35rem solid ${t.colour}`
    return row
  })
  body.replaceChildren(...rows)
  const head = ["", ...(data.labels ? ["Accuracy (LDA)"] : []), "Principal angle", "Mean |cosine|", "Accounted ε", "Best guess"]
  root.querySelector("thead tr").replaceChildren(...head.map((text) => Object.assign(document.createElement("th"), { textContent: text })))
}

export default function (component) {
  const { data, parentElement, setStateValue } = component
  const root = parentElement.querySelector(".dpgep-live"), slider = root.querySelector("input"), out = root.querySelector("output")
  const config = { responsive: true, displaylogo: false, displayModeBar: "hover" }
  slider.max = data.grid.length - 1
  if (root.dataset.epsilon !== String(data.epsilon) && !root.dataset.held) slider.value = data.index
  root.dataset.epsilon = String(data.epsilon)
  const plots = root.querySelector(".plots")
  const say = (index) => {
    out.textContent = data.grid[index].toPrecision(3).replace(/\.?0+$/, "")
    slider.setAttribute("aria-valuetext", `ε = ${out.textContent}`)
    numbers(root, data, index)
    root.dataset.frame = index
  }
  const heading = (place, text) => { plots.children[place].firstChild.textContent = text }
  const plot = (place) => plots.children[place].lastChild
  const drawAll = async () => {
    const index = Number(slider.value), P = await plotly()
    say(index)
    if (!P) return
    const wanted = data.tracks.length + 2
    while (plots.children.length < wanted) {
      const figure = plots.appendChild(document.createElement("figure"))
      figure.append(document.createElement("figcaption"), document.createElement("div"))
    }
    while (plots.children.length > wanted) plots.lastChild.remove()
    const limits = [-data.steps, data.steps], bare = { range: limits, showticklabels: false, constrain: "domain" }
    const square = layout(data.style, { margin: { l: 6, r: 6, t: 6, b: 6 }, xaxis: axis(data.style, bare), yaxis: axis(data.style, { ...bare, scaleanchor: "x" }) })
    heading(0, data.axis)
    heading(1, "Exact, no privacy")
    P.react(plot(0), ...curve(data, index), config)
    P.react(plot(1), scatter(data, data.exact), square, config)
    data.tracks.forEach((t, i) => {
      heading(2 + i, t.title)
      P.react(plot(2 + i), scatter(data, nearest(t.frames, index)?.[5] ?? []), structuredClone(square), config)
    })
    root.dataset.drawn = Number(root.dataset.drawn ?? 0) + 1
  }
  const move = async () => {
    const index = Number(slider.value), P = window.Plotly
    say(index)
    if (!P || plots.children.length !== data.tracks.length + 2) return
    const here = data.grid[index], T = data.tracks.length
    const now = data.tracks.map((t) => nearest(t.frames, index))
    const marks = { x: now.map(() => [here]), y: now.map((f) => [f ? f[data.metric] : null]) }
    await P.restyle(plot(0), marks, now.map((_, i) => T + i))
    for (const [i, f] of now.entries()) {
      const [x, y] = split(f ? f[5] : [])
      await P.restyle(plot(2 + i), { x: [x], y: [y] }, [0])
    }
    root.dataset.drawn = Number(root.dataset.drawn ?? 0) + 1
  }
  let busy = false, again = false
  slider.oninput = async () => {
    root.dataset.held = "1"
    again = true
    if (busy) return
    busy = true
    while (again) { // the newest position only: what was passed meanwhile is not drawn late
      again = false
      await new Promise(requestAnimationFrame)
      await move()
    }
    busy = false
  }
  slider.onchange = () => { delete root.dataset.held; setStateValue("epsilon", data.grid[Number(slider.value)]) }
  if (root.dataset.held) say(Number(slider.value)) // frames that arrive in the middle of a drag wait for its end
  else drawAll()
}

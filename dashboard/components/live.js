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
  showlegend: false, uirevision: "keep", margin: { l: 52, r: 10, t: 28, b: 40 }, height: 330, ...more,
})

function scatter(data, points, name) {
  const by = {}
  for (let i = 0; i < points.length / 2; i++) {
    const code = data.labels ? data.labels[i] : 0
    by[code] ??= { x: [], y: [] }
    by[code].x.push(points[2 * i]); by[code].y.push(points[2 * i + 1])
  }
  return Object.entries(by).map(([code, p]) => ({
    ...p, type: "scatter", mode: "markers", name: data.classes[code] ?? name, hoverinfo: "name",
    marker: { size: 5, opacity: 0.8, color: data.colours[code % data.colours.length], symbol: data.symbols[code % data.symbols.length] },
  }))
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
  const here = { type: "line", yref: "paper", y0: 0, y1: 1, x0: data.grid[index], x1: data.grid[index], line: { color: s.ink, width: 1, dash: "dot" } }
  const notes = data.levels.map((l) => ({ xref: "paper", x: 0.01, xanchor: "left", y: l.value, yanchor: "bottom", text: l.label, showarrow: false, font: { size: 11, color: s.quiet } }))
  return [[...traces, ...marks], layout(s, {
    title: { text: data.axis, font: { size: 13 }, x: 0, xref: "paper" }, shapes: [...data.levels.map((l) => line(l.value)), here], annotations: notes,
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
  const draw = async () => {
    const index = Number(slider.value), P = await plotly()
    out.textContent = data.grid[index].toPrecision(3).replace(/\.?0+$/, "")
    slider.setAttribute("aria-valuetext", `ε = ${out.textContent}`)
    numbers(root, data, index)
    root.dataset.frame = index
    if (!P) return
    const limits = [-data.steps, data.steps]
    const square = (title) => layout(data.style, {
      title: { text: title, font: { size: 13 }, x: 0, xref: "paper" }, margin: { l: 6, r: 6, t: 28, b: 6 },
      xaxis: axis(data.style, { range: limits, showticklabels: false, constrain: "domain" }),
      yaxis: axis(data.style, { range: limits, showticklabels: false, constrain: "domain", scaleanchor: "x" }),
    })
    const plots = root.querySelector(".plots"), wanted = data.tracks.length + 2
    while (plots.children.length < wanted) plots.appendChild(document.createElement("div"))
    while (plots.children.length > wanted) plots.lastChild.remove()
    P.react(plots.children[0], ...curve(data, index), config)
    P.react(plots.children[1], scatter(data, data.exact, "exact"), square("Exact, no privacy"), config)
    data.tracks.forEach((t, i) => {
      const f = nearest(t.frames, index)
      P.react(plots.children[2 + i], scatter(data, f ? f[5] : [], t.title), square(`${t.title}, ε = ${out.textContent}`), config)
    })
    root.dataset.drawn = Number(root.dataset.drawn ?? 0) + 1
  }
  let waiting = false
  slider.oninput = () => {
    root.dataset.held = "1"
    if (waiting) return
    waiting = true
    requestAnimationFrame(() => { waiting = false; draw() })
  }
  slider.onchange = () => { delete root.dataset.held; setStateValue("epsilon", data.grid[Number(slider.value)]) }
  draw()
}

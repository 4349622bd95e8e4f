// Drag ε, ξ or s: numbers, curve and projections follow in the browser, from frames that the server sent once.
// Plotly draws when the slider rests, so that zoom and hover are its own; in between, points move on a canvas over it,
// which costs a hundredth. Without Plotly (another server than `dpgep`) the numbers still move, and the rest of the
// page follows on release.
const ROUTE = "/lab/plotly.min.js"
const REST = 1200 // milliseconds without a move after which Plotly draws
const QUIET = "/lab/quiet" // asks a server on this machine to leave the processor to the browser for a moment
const ASK_EVERY = 500
// The page answers one step after another, and may be several behind: what was sent last, and what it may still answer
// before that. An answer that is neither comes from a new session, which knows nothing of what was sent.
const steps = { last: null, index: null, older: new Set() }
const [POINTS, EXACT, CELLS] = [3, 4, 5] // after the three metrics of a frame
const STAMP = 6 // pixels from the middle of a point's picture to its edge
const WAITING = ["…", "being computed"]
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

// A number is shown only at the place it was computed for. Between two places that are there, a picture goes from one to
// the other and says so; beyond them the nearest one stays, greyed, with its place.
export const exactly = (track, index) => (track.constant ? Object.values(track.frames)[0] : track.frames[index]) ?? null
export function nearest(track, index) {
  const have = Object.keys(track.frames).map(Number)
  if (!have.length) return null
  return have.reduce((a, b) => (Math.abs(b - index) < Math.abs(a - index) ? b : a))
}
const unpacked = new Map() // text of a frame → its coordinates: a drag passes the same frames many times
function unpack(text) {
  if (!text) return [[], []]
  if (!unpacked.has(text)) {
    if (unpacked.size > 600) unpacked.clear()
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0)), view = new DataView(bytes.buffer)
    const all = Array.from({ length: bytes.length / 2 }, (_, i) => view.getInt16(2 * i, true))
    unpacked.set(text, [all.filter((_, i) => i % 2 === 0), all.filter((_, i) => i % 2 === 1)])
  }
  return unpacked.get(text)
}
const frameOf = (data, track, index) => exactly(data.tracks[track], index)
function around(track, index) {
  const have = Object.keys(track.frames).map(Number)
  const [low, high] = [Math.max(...have.filter((i) => i <= index)), Math.min(...have.filter((i) => i >= index))]
  return Number.isFinite(low) && Number.isFinite(high) ? [low, high] : null
}
const mixed = (a, b, share) => a.map((v, i) => v + share * (b[i] - v))
const shareOf = (data, index, [a, b]) => Math.log(data.grid[index] / data.grid[a]) / Math.log(data.grid[b] / data.grid[a])
// Points of one kind (POINTS, EXACT) at a place, and the places they come from: none, one, or the two beside it.
function pictured(data, track, index, kind) {
  const { constant, frames } = data.tracks[track], sides = constant ? null : around(data.tracks[track], index)
  const text = (place) => frames[place]?.[kind]
  if (!sides || sides[0] === sides[1]) {
    const place = sides?.[0] ?? nearest(data.tracks[track], index)
    return { points: unpack(text(place)), from: place === null ? [] : [constant ? index : place] }
  }
  const share = shareOf(data, index, sides), [a, b] = sides.map((place) => unpack(text(place)))
  return { points: [mixed(a[0], b[0], share), mixed(a[1], b[1], share)], from: sides }
}
// The mark on a curve: hollow on the line between two places that are there.
function marked(data, track, index) {
  const t = data.tracks[track], frame = exactly(t, index), sides = t.constant ? null : around(t, index)
  if (frame || !sides) return { y: frame?.[data.metric] ?? null, hollow: false }
  const [a, b] = sides.map((place) => t.frames[place][data.metric])
  return { y: a === null || b === null ? null : a + shareOf(data, index, sides) * (b - a), hollow: true }
}
// The exact picture depends on the place along ξ and s: methods that move along them say which one it is.
function exactAt(data, index) {
  const moving = data.tracks.map((t, i) => [t, i]).filter(([t]) => !t.constant)
  const [, track] = moving.find(([t]) => exactly(t, index)) ?? moving[0] ?? [null, null]
  const found = track === null ? null : pictured(data, track, index, EXACT)
  return found?.points[0].length ? found : { points: unpack(data.exact), from: [index] }
}
const short = (value) => { // as the page writes numbers: no needless zeros, and no exponent where none is needed
  if (Math.abs(value) >= 1000 && Math.abs(value) < 1e9) return Math.round(value).toLocaleString("en-US")
  return value.toPrecision(3).replace(/(\.\d*?)0+(?=$|e)/, "$1").replace(/\.(?=$|e)/, "").replace("e+", "e")
}

const axis = (s, more) => ({ gridcolor: s.faint, linecolor: s.quiet, zerolinecolor: s.faint, fixedrange: false, ...more })
const layout = (s, more) => ({
  paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: { family: "Source Sans, sans-serif", size: 13, color: s.ink },
  showlegend: false, uirevision: "keep", margin: { l: 52, r: 10, t: 10, b: 40 }, ...more,
})

function scatter(data, [x, y]) {
  const codes = data.labels ? data.labels.slice(0, x.length) : x.map(() => 0)
  const of = (list) => codes.map((code) => list[code % list.length])
  return [{ x, y, type: "scatter", mode: "markers", hoverinfo: "text", text: codes.map((code) => data.classes[code] ?? "row"),
    marker: { size: 5, opacity: 0.8, color: of(data.colours), symbol: of(data.symbols), line: { width: 0 } } }]
}

function curve(data, index, height) {
  const s = data.style, at = data.metric
  const traces = data.tracks.map((t) => {
    const have = Object.keys(t.frames).map(Number).sort((a, b) => a - b), alone = t.constant
    const x = alone && have.length ? [data.grid[0], data.grid.at(-1)] : have.map((i) => data.grid[i])
    return { x, customdata: x.map(short),
      y: (alone && have.length ? [have[0], have[0]] : have).map((i) => t.frames[i][at]), name: t.title, mode: "lines",
      line: { color: t.colour, width: 2.5, dash: t.dash }, hovertemplate: `%{y:.3f} at ${data.axis.label} = %{customdata}<extra>%{fullData.name}</extra>` }
  })
  const marks = data.tracks.map((t, i) => {
    const { y, hollow } = marked(data, i, index)
    return { x: [data.grid[index]], y: [y], mode: "markers", hoverinfo: "skip",
      marker: { size: 13, color: hollow ? "rgba(0,0,0,0)" : t.colour, line: { color: hollow ? t.colour : s.ink, width: 1.5 } } }
  })
  const line = (y) => ({ type: "line", xref: "paper", x0: 0, x1: 1, y0: y, y1: y, line: { color: s.quiet, width: 1, dash: "dot" } })
  const notes = data.levels.map((l) => ({ xref: "paper", x: 0.01, xanchor: "left", y: l.value, yanchor: "bottom", text: l.label, showarrow: false, font: { size: 11, color: s.quiet } }))
  return [[...traces, ...marks], layout(s, {
    height,
    shapes: data.levels.map((l) => line(l.value)), annotations: notes,
    xaxis: axis(s, { type: "log", range: [data.grid[0], data.grid.at(-1)].map(Math.log10), tickvals: data.axis.ticks, ticktext: data.axis.tick_texts, title: { text: data.axis.label } }),
    yaxis: axis(s, { range: data.limits ?? undefined }),
  })]
}

// The headline numbers stand elsewhere on the page: their texts are changed in place, and the page says the same when
// the slider is let go.
// A browser's translator replaces text nodes: the whole content is set, so that no text of another place can stay.
const write = (place, text) => { if (place && place.textContent !== text) place.textContent = text }
function numbers(data, index) {
  const rows = document.querySelectorAll(".dpgep-numbers")
  data.tracks.forEach((_, i) => {
    const places = rows[i]?.querySelectorAll("dl > div") ?? [], cells = frameOf(data, i, index)?.[CELLS]
    rows[i]?.classList.toggle("waiting", !cells)
    if (cells && places.length !== cells.length) return
    places.forEach((place, at) => {
      const [value, note] = cells ? cells[at] : WAITING
      write(place.querySelector(".value"), value)
      write(place.querySelector(".note"), note)
    })
  })
}

// Points in the coordinates of a plot as it stands, zoomed or not, in the shapes that Plotly gave them.
function sketch(plot, canvas, x, y, paint) {
  const full = plot._fullLayout, { xaxis: X, yaxis: Y } = full, dpr = window.devicePixelRatio || 1
  const wide = Math.round(full.width * dpr), high = Math.round(full.height * dpr)
  if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high })
  const pen = canvas.getContext("2d"), place = (v, A) => { const [a, b] = A.range; return ((A.type === "log" ? Math.log10(v) : v) - a) / (b - a) }
  pen.setTransform(dpr, 0, 0, dpr, 0, 0)
  pen.clearRect(0, 0, full.width, full.height)
  pen.save()
  pen.beginPath()
  pen.rect(X._offset, Y._offset, X._length, Y._length)
  pen.clip()
  x.forEach((v, i) => {
    if (y[i] === null || y[i] === undefined) return
    paint(pen, X._offset + place(v, X) * X._length, Y._offset + (1 - place(y[i], Y)) * Y._length, i)
  })
  pen.restore()
}

export default function (component) {
  const { data, parentElement, setStateValue } = component
  const root = parentElement.querySelector(".dpgep-live"), slider = root.querySelector("input"), out = root.querySelector("output")
  // Streamlit calls this after awaiting its module: the first calls may come in another order than their data were made.
  if (data.made < Number(root.dataset.made ?? 0)) return
  root.dataset.made = data.made
  const config = { responsive: true, displaylogo: false, displayModeBar: false }
  const plots = root.querySelector(".plots"), wanted = data.tracks.length + 2
  const plot = (place) => plots.children[place].querySelector(".plot"), canvas = (place) => plots.children[place].querySelector("canvas")
  slider.max = data.grid.length - 1
  slider.setAttribute("aria-label", `${data.axis.label}, live`)
  out.setAttribute("aria-label", `Type ${data.axis.label}`)
  root.querySelector("label span").textContent = data.axis.label
  root.querySelectorAll("label small").forEach((end, i) => { end.textContent = i ? `${data.axis.high} →` : `← ${data.axis.low}` })
  // Until the page has come to the last step, the slider stays. A page that has answered no step at all is behind only
  // while one is under way: else it is a new session.
  const behind = steps.older.has(data.answered) && (steps.last !== null || Boolean(data.answered))
  if (!behind) steps.last = null // what was answered before stays known: a poll may still say it later
  const elsewhere = root.dataset.here !== String(data.here), fresh = root.dataset.here === undefined
  if (behind && fresh) slider.value = steps.index
  // Right after a step the page may still say the one before; what it says then is followed when the hand rests.
  const busy = performance.now() - Number(root.dataset.pressed ?? -REST) < REST
  if (elsewhere && !root.dataset.held && !behind) {
    if (!busy) slider.value = data.index
    else setTimeout(() => {
      const stays = root.dataset.here === String(data.here) && !root.dataset.held && steps.last === null
      const apart = Number(slider.value) !== data.index // and no step waits for its answer
      if (stays && apart && performance.now() - Number(root.dataset.pressed) >= REST) { slider.value = data.index; drawAll() }
    }, 2 * REST)
  }
  root.dataset.here = String(data.here)
  root.dataset.missing = Math.max(...data.tracks.map((t) => (t.constant ? 1 : data.grid.length) - Object.keys(t.frames).length))
  // Places that show nothing of their own yet, neither computed nor between two that are.
  root.dataset.beyond = Math.max(...data.tracks.map((t) => (t.constant ? 0 : data.grid.filter((_, i) => !around(t, i)).length)))
  const say = (index) => {
    write(out, short(data.grid[index]))
    slider.setAttribute("aria-valuetext", `${data.axis.label} ${out.textContent}`)
    numbers(data, index)
    root.dataset.frame = index
    if (plots.children.length === wanted) titles(index)
  }
  const names = [data.metric_title, "Exact, no privacy", ...data.tracks.map((t) => t.title)]
  const titles = (index) => {
    const from = [[index], exactAt(data, index).from, ...data.tracks.map((_, i) => pictured(data, i, index, POINTS).from)]
    names.forEach((text, i) => {
      const there = from[i].map((place) => short(data.grid[place])), here = from[i].length === 1 && from[i][0] === index
      plots.children[i].classList.toggle("between", there.length === 2)
      plots.children[i].classList.toggle("waiting", !here && there.length < 2)
      const where = ["", `still at ${there[0]}, `, `between ${there[0]} and ${there[1]}, `][there.length]
      write(plots.children[i].firstChild, here ? text : `${text}: ${where}being computed`)
    })
  }
  const drawn = () => { root.dataset.drawn = Number(root.dataset.drawn ?? 0) + 1 }
  const rooms = () => {
    while (plots.children.length < wanted) {
      const figure = plots.appendChild(document.createElement("figure")), held = document.createElement("div")
      held.className = "held"
      held.append(Object.assign(document.createElement("div"), { className: "plot" }), document.createElement("canvas"))
      figure.append(document.createElement("figcaption"), held)
    }
    while (plots.children.length > wanted) plots.lastChild.remove()
    plots.classList.toggle("five", wanted === 5)
    names.forEach((text, i) => {
      plot(i).setAttribute("role", "group")
      plot(i).setAttribute("aria-label", i ? `Held-out rows on two components: ${text}` : `${text} against ${data.axis.label}`)
    })
  }
  const drawAll = async () => {
    say(Number(slider.value))
    const P = await plotly(), index = Number(slider.value)
    if (!P) return
    rooms()
    say(index)
    const height = Math.min(Math.max(plot(1).clientWidth, 200), 360) // pictures are square
    const limits = [-data.steps, data.steps], bare = { range: limits, showticklabels: false, constrain: "domain" }
    const square = () => layout(data.style, { height, margin: { l: 6, r: 6, t: 6, b: 6 }, xaxis: axis(data.style, bare), yaxis: axis(data.style, { ...bare, scaleanchor: "x" }) })
    P.react(plot(0), ...curve(data, index, height), config)
    P.react(plot(1), scatter(data, exactAt(data, index).points), square(), config)
    data.tracks.forEach((_, i) => P.react(plot(2 + i), scatter(data, pictured(data, i, index, POINTS).points), square(), config))
    root.classList.remove("moving")
    drawn()
  }
  const stamps = new Map() // one picture a class: stamping it costs a fraction of filling its outline anew
  const stampOf = (code) => {
    if (!stamps.has(code)) {
      const row = data.labels ? data.labels.indexOf(code) : 0, ratio = window.devicePixelRatio || 1
      const outline = plot(1).querySelectorAll(".point")[row]?.getAttribute("d") // as Plotly drew it
      const stamp = Object.assign(document.createElement("canvas"), { width: 2 * STAMP * ratio, height: 2 * STAMP * ratio })
      const pen = stamp.getContext("2d")
      pen.setTransform(ratio, 0, 0, ratio, STAMP * ratio, STAMP * ratio)
      Object.assign(pen, { globalAlpha: 0.8, fillStyle: data.colours[code % data.colours.length] })
      pen.fill(new Path2D(outline ?? "M2.5,0A2.5,2.5 0 1,1 0,-2.5A2.5,2.5 0 0,1 2.5,0Z"))
      stamps.set(code, stamp)
    }
    return stamps.get(code)
  }
  const dot = (pen, x, y, i) => pen.drawImage(stampOf(data.labels ? data.labels[i] : 0), x - STAMP, y - STAMP, 2 * STAMP, 2 * STAMP)
  const marker = (marks) => (pen, x, y, i) => {
    const { colour } = data.tracks[i], { hollow } = marks[i]
    pen.beginPath()
    pen.arc(x, y, 6.5, 0, 2 * Math.PI)
    Object.assign(pen, { fillStyle: colour, strokeStyle: hollow ? colour : data.style.ink, lineWidth: 1.5 })
    if (!hollow) pen.fill()
    pen.stroke()
  }
  const move = () => {
    const index = Number(slider.value)
    say(index)
    if (!window.Plotly || plots.children.length !== wanted || !plot(wanted - 1)?._fullLayout) return
    const marks = data.tracks.map((_, i) => marked(data, i, index))
    sketch(plot(0), canvas(0), marks.map(() => data.grid[index]), marks.map((m) => m.y), marker(marks))
    sketch(plot(1), canvas(1), ...exactAt(data, index).points, dot)
    marks.forEach((_, i) => sketch(plot(2 + i), canvas(2 + i), ...pictured(data, i, index, POINTS).points, dot))
    root.classList.add("moving")
    drawn()
  }
  let asked = 0
  slider.oninput = () => {
    root.dataset.held = "1"
    if (performance.now() - Number(root.dataset.quiet ?? -ASK_EVERY) >= ASK_EVERY) {
      root.dataset.quiet = performance.now()
      fetch(QUIET, { method: "POST" }).catch(() => null)
    }
    clearTimeout(Number(root.dataset.rest))
    root.dataset.rest = setTimeout(drawAll, REST)
    asked ||= requestAnimationFrame(() => { asked = 0; move() })
  }
  const tell = (value) => {
    const step = `${performance.timeOrigin + performance.now()}`
    steps.older.add(data.answered).add(steps.last)
    Object.assign(steps, { last: step, index: slider.value })
    setStateValue("value", [value, step])
  }
  slider.onchange = () => {
    delete root.dataset.held
    root.dataset.pressed = performance.now()
    tell(data.grid[Number(slider.value)])
  }
  // The number can be typed: what it means, and whether it is allowed, the page says as for any other control.
  const type = () => {
    const was = out.textContent, field = Object.assign(document.createElement("input"), { className: "typed", value: was })
    field.setAttribute("aria-label", `${data.axis.label}, typed`)
    const end = (send) => {
      field.onblur = null // removing it blurs it
      field.remove()
      out.hidden = false
      if (send && field.value.trim() && field.value.trim() !== was) tell(field.value.trim())
    }
    field.onblur = () => end(true)
    field.onclick = (event) => event.preventDefault() // of the label: it would move to the slider
    field.onkeydown = (event) => { if (["Enter", "Escape"].includes(event.key)) { end(event.key === "Enter"); out.focus() } }
    out.hidden = true
    out.after(field)
    field.focus()
    field.select()
  }
  out.onclick = (event) => { event.preventDefault(); type() }
  out.onkeydown = (event) => { if (["Enter", " "].includes(event.key)) { event.preventDefault(); type() } }
  if (root.dataset.held) move() // frames that arrive in the middle of a drag join it
  else drawAll()
}

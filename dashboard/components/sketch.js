// A curve that the visitor draws by hand on the axes of a question, before the true one is shown.
const COLUMNS = 64 // places along the axis that hold a value
const ENOUGH = 0.5 // of the axis, before the drawing can be compared

// The places of a drawing, from left to right, as [value along the axis, value of the measure].
const drawing = (sketch, data) => {
  const [low, high] = [data.grid[0], data.grid.at(-1)].map(Math.log)
  return sketch.flatMap((value, i) => (value === null ? [] : [[Math.exp(low + (i / (COLUMNS - 1)) * (high - low)), value]]))
}
const columnsOf = (points, data) => {
  const [low, high] = [data.grid[0], data.grid.at(-1)].map(Math.log), sketch = Array(COLUMNS).fill(null)
  for (const [at, value] of points) sketch[Math.round(((Math.log(at) - low) / (high - low)) * (COLUMNS - 1))] = value
  return sketch
}
// A stroke from one place to the next fills all places between.
function stroke(sketch, [from, start], [to, end]) {
  const count = Math.max(Math.abs(to - from), 1)
  for (let i = 0; i <= count; i++) sketch[Math.round(from + (i / count) * (to - from))] = start + (i / count) * (end - start)
}

// The height for an invitation: where it lies as far as can be from levels, their names and the marks.
function freeHeight(svg, data, y, [top, foot]) {
  const taken = [...data.levels.map(({ value }) => y(value)), ...data.marks.map(({ y: value }) => y(value))]
  for (const name of svg.querySelectorAll(".level")) taken.push(Number(name.getAttribute("y")) - 4 * letters())
  const distance = (height) => Math.min(foot - height, height - top, ...taken.map((one) => Math.abs(one - height)))
  const heights = Array.from({ length: 41 }, (_, i) => top + (i / 40) * (foot - top))
  return heights.reduce((best, height) => (distance(height) > distance(best) + 0.5 ? height : best))
}

export default function (component) {
  const { data, parentElement, setStateValue, setTriggerValue } = component
  const root = parentElement.querySelector(".dpgep-sketch"), plot = root.querySelector(".plot")
  const [compare, clear] = root.querySelectorAll("button"), hint = root.querySelector("small")
  if (root.question !== data.question) Object.assign(root, { question: data.question, sketch: columnsOf(data.sketch, data), last: null })
  plot.setAttribute("aria-label", `${data.metric_title} against ${data.axis.label}: draw the curve that you expect, or choose an answer`)
  const legend = root.querySelector(".legend"), named = Object.assign(document.createElement("strong"), { textContent: data.metric_title })
  legend.replaceChildren(named, ...data.tracks.map(({ title, colour }) => {
    const one = document.createElement("span"), line = one.appendChild(document.createElement("i"))
    line.style.color = colour
    one.append(title)
    return one
  }))
  compare.textContent = data.words.compare
  clear.textContent = data.words.clear
  let size = [0, 0]
  measureLetters() // this module has its own, and the page may have changed its size
  const draw = () => {
    const width = Math.max(root.clientWidth, 240), height = width < 600 ? 280 : Math.min(Math.max(window.innerHeight - 330, 280), 520)
    size = [width, height]
    const { x, y } = scales(data, ...size), points = drawing(root.sketch, data), index = data.index
    drawCurve(plot, data, index, data.marks, ...size)
    const svg = plot.firstChild, share = points.length / COLUMNS, path = points.map(([a, v]) => `${x(a).toFixed(1)},${y(v).toFixed(1)}`).join(" ")
    svg.setAttribute("aria-hidden", "true")
    svg.querySelectorAll(".sketch, .invite").forEach((one) => one.remove())
    add(svg, "polyline", { points: path, fill: "none", stroke: data.style.ink, "stroke-width": 3, "stroke-dasharray": "1 6", "stroke-linecap": "round", class: "sketch" })
    const free = () => freeHeight(svg, data, y, data.limits.map(y).reverse()) + 6 * letters() // the letters are about the height
    if (!points.length) add(svg, "text", { x: width / 2, y: free(), "text-anchor": "middle", "font-size": 17 * letters(), fill: data.style.ink, class: "invite" }, data.words.invite)
    hint.textContent = points.length && share < ENOUGH ? data.words.on : ""
    compare.disabled = share < ENOUGH
    clear.hidden = !points.length
  }
  const place = (event) => {
    const box = plot.getBoundingClientRect(), to = scales(data, ...size), [low, high] = [data.grid[0], data.grid.at(-1)].map(Math.log)
    const column = Math.round(((Math.log(to.place(event.clientX - box.left)) - low) / (high - low)) * (COLUMNS - 1))
    const value = to.value(event.clientY - box.top)
    return [Math.min(Math.max(column, 0), COLUMNS - 1), Math.min(Math.max(value, data.limits[0]), data.limits[1])]
  }
  const tell = () => setStateValue("sketch", drawing(root.sketch, data))
  plot.onpointerdown = (event) => {
    if (event.button !== 0) return
    event.preventDefault()
    plot.setPointerCapture(event.pointerId)
    root.last = place(event)
    stroke(root.sketch, root.last, root.last)
    draw()
  }
  plot.onpointermove = (event) => {
    if (!plot.hasPointerCapture(event.pointerId) || !root.last) return
    for (const one of event.getCoalescedEvents?.() ?? [event]) {
      const next = place(one)
      stroke(root.sketch, root.last, next)
      root.last = next
    }
    draw()
  }
  plot.onpointerup = plot.onpointercancel = () => {
    if (root.last) tell()
    root.last = null
  }
  clear.onclick = () => {
    root.sketch.fill(null)
    draw()
    tell()
  }
  compare.onclick = () => setTriggerValue("compare", true)
  root.redraw = draw
  if (!root.watched) {
    root.watched = new ResizeObserver(() => { if (root.clientWidth !== size[0]) root.redraw() })
    root.watched.observe(root)
  }
  draw()
}

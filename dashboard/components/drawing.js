// Draws what the live panel shows: points and small images on canvases, the curve as SVG. A place of the slider then
// costs a few milliseconds, and the first picture waits for no library.
const corners = (list) => (pen) => {
  list.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)))
  pen.closePath()
}
const around = (n, radius, turn = 0) => Array.from({ length: n }, (_, i) => {
  const angle = turn + (2 * Math.PI * i) / n, r = typeof radius === "function" ? radius(i) : radius
  return [r * Math.sin(angle), -r * Math.cos(angle)]
})
const PLUS = [[-1, -3], [1, -3], [1, -1], [3, -1], [3, 1], [1, 1], [1, 3], [-1, 3], [-1, 1], [-3, 1], [-3, -1], [-1, -1]]
  .map(([x, y]) => [0.4 * x, 0.4 * y])
const DIAGONAL = PLUS.map(([x, y]) => [(x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2])
const OUTLINES = { // the class symbols of all figures, by Plotly's names, about a circle of radius 1
  circle: (pen) => pen.arc(0, 0, 1, 0, 2 * Math.PI),
  square: corners([[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]]),
  diamond: corners(around(4, 1.3)), cross: corners(PLUS), x: corners(DIAGONAL),
  "triangle-up": corners(around(3, 1.3)), "triangle-down": corners(around(3, 1.3, Math.PI)),
  star: corners(around(10, (i) => (i % 2 ? 0.6 : 1.45))), hexagon: corners(around(6, 1.1)),
  bowtie: corners([[-1.1, -0.9], [1.1, 0.9], [1.1, -0.9], [-1.1, 0.9]]),
}

// A canvas of a size in CSS pixels, empty, with a pen that draws in them.
function emptied(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1, [wide, high] = [width * ratio, height * ratio].map(Math.round)
  if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high })
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` })
  const pen = canvas.getContext("2d")
  pen.setTransform(ratio, 0, 0, ratio, 0, 0)
  pen.clearRect(0, 0, width, height)
  return pen
}

const stamps = new Map() // one picture of each symbol: stamping it costs a fraction of filling its outline anew
function stampOf(colour, symbol, radius) {
  const ratio = window.devicePixelRatio || 1, key = [colour, symbol, radius, ratio].join()
  if (!stamps.has(key)) {
    const half = 2 * radius, stamp = new OffscreenCanvas(Math.round(2 * half * ratio), Math.round(2 * half * ratio)), pen = stamp.getContext("2d")
    pen.scale(ratio, ratio)
    pen.translate(half, half)
    pen.scale(radius, radius)
    Object.assign(pen, { globalAlpha: 0.8, fillStyle: colour })
    pen.beginPath()
    ;(OUTLINES[symbol] ?? OUTLINES.circle)(pen)
    pen.fill()
    stamps.set(key, stamp.transferToImageBitmap()) // a canvas would be copied each time that it is stamped
  }
  return stamps.get(key)
}

// Rows on two components, in a square whose half axes are `data.steps` long.
function drawPoints(canvas, side, [xs, ys], data) {
  const pen = emptied(canvas, side, side), half = side / 2, radius = side < 190 ? 2 : side < 300 ? 2.5 : 3
  pen.strokeStyle = data.style.faint
  pen.strokeRect(0.5, 0.5, side - 1, side - 1)
  pen.beginPath()
  pen.moveTo(half, 0); pen.lineTo(half, side); pen.moveTo(0, half); pen.lineTo(side, half)
  pen.stroke()
  const of = new Map() // class → its stamp
  const stamp = (code) => of.get(code) ?? of.set(code, stampOf(data.colours[code], data.symbols[code], radius)).get(code)
  xs.forEach((x, i) => {
    const [left, top] = [half + (x / data.steps) * half, half - (ys[i] / data.steps) * half]
    pen.drawImage(stamp(data.labels ? data.labels[i] : 0), left - 2 * radius, top - 2 * radius, 4 * radius, 4 * radius)
  })
}

const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))
// A signed image: one colour below zero, one above, scaled to its own largest entry.
function drawImage(canvas, values, [height, width], side, colours) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
  Object.assign(canvas.style, { width: `${side}px`, height: `${side}px` })
  const [low, middle, high] = colours.map(rgb), pen = canvas.getContext("2d"), image = pen.createImageData(width, height)
  const most = values.reduce((m, v) => Math.max(m, Math.abs(v)), 0) || 1
  values.forEach((v, i) => {
    const end = v < 0 ? low : high, share = Math.abs(v) / most
    for (let c = 0; c < 3; c++) image.data[4 * i + c] = middle[c] + share * (end[c] - middle[c])
    image.data[4 * i + 3] = 255
  })
  pen.putImageData(image, 0, 0)
}

const short = (value) => { // as the page writes numbers: no needless zeros, and no exponent where none is needed
  if (value < 0) return `−${short(-value)}`
  if (Math.abs(value) >= 1000 && Math.abs(value) < 1e9) return Math.round(value).toLocaleString("en-US")
  return value.toPrecision(3).replace(/(\.\d*?)0+(?=$|e)/, "$1").replace(/\.(?=$|e)/, "").replace("e+", "e")
}
function niceTicks(low, high, wanted) {
  const rough = (high - low) / wanted, size = 10 ** Math.floor(Math.log10(rough)), step = size * ([1, 2, 5].find((s) => s * size >= rough) ?? 10)
  const first = Math.ceil(low / step - 1e-9)
  return Array.from({ length: Math.max(0, Math.floor(high / step + 1e-9) - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}
const DASH = { solid: null, dash: "7 4", dot: "2 4" }
// Letters grow with the page's own, as on a projector, and the curve's edges with them.
let grown = null // how much; asking makes the browser compute styles, so it is asked once for each thing that changes them
const letters = () => (grown ??= parseFloat(getComputedStyle(document.documentElement).fontSize) / 16)
export const measureLetters = () => { grown = null }
const LINE = 13 // pixels between two labels that would touch, before they grow
// Edges of the curve in pixels: below, there is room for each line of the axis label.
const edges = (by, lines) => ({ left: 46 * by, right: 12, top: 12 * by, bottom: (40 + LINE * (lines - 1)) * by })
// The label of an axis in lines that fit. Its parts stay whole as long as each fits alone: the ends, and the name between.
const DOT = " · "
function labelLines(label, width, by) {
  const most = (width - edges(by, 1).left - edges(by, 1).right) / (6.2 * by), lines = [] // of 12 pixels, so many letters
  for (const part of label.split(DOT)) {
    const joined = lines.length ? `${lines.at(-1)}${DOT}${part}` : part
    if (lines.length && joined.length <= most) lines[lines.length - 1] = joined
    else lines.push(...wordsWithin(part, most))
  }
  return lines
}
const wordsWithin = (text, most) => text.split(" ").reduce((lines, word) => {
  const longer = lines.length ? `${lines.at(-1)} ${word}` : word
  return lines.length && longer.length <= most ? [...lines.slice(0, -1), longer] : [...lines, word]
}, [])

// What no privacy gives at each place of the first method, where that moves: [place, value].
const ceilings = (data) => Object.entries(data.tracks[0]?.frames ?? {}).map(([i, f]) => [spots(data)[i], f.ceiling])
  .filter(([, value]) => Number.isFinite(value)).sort((a, b) => a[0] - b[0])
const spots = (data) => data.places ?? data.grid // where values lie on the axis: 0 has no logarithm
// Positions in the curve's box: along the axis of the slider, and of a value of the measure.
function scales(data, width, height) {
  const places = spots(data), [low, high] = [places[0], places.at(-1)].map(Math.log), at = data.metric
  const values = data.tracks.flatMap((t) => [...Object.values(t.frames), ...(t.stands ? [t.stands] : [])].map((f) => f[at])).filter((v) => v !== null && Number.isFinite(v))
  const all = [...values, ...data.levels.flatMap((l) => (l.along ? ceilings(data).map(([, v]) => v) : [l.value]))]
  let [bottom, top] = data.limits ?? [Math.min(...all), Math.max(...all)]
  if (!Number.isFinite(bottom + top) || bottom === top) [bottom, top] = [0, 1]
  const room = data.limits ? 0 : 0.06 * (top - bottom)
  ;[bottom, top] = [bottom - room, top + room]
  const EDGE = edges(letters(), labelLines(data.axis.label, width, letters()).length), across = width - EDGE.left - EDGE.right, up = height - EDGE.top - EDGE.bottom
  return {
    x: (v) => EDGE.left + (high === low ? 0.5 : (Math.log(v) - low) / (high - low)) * across,
    y: (v) => EDGE.top + (1 - (v - bottom) / (top - bottom)) * up,
    place: (x) => Math.exp(low + ((x - EDGE.left) / across) * (high - low)),
    value: (y) => bottom + (1 - (y - EDGE.top) / up) * (top - bottom),
    bottom, top,
  }
}

const NS = "http://www.w3.org/2000/svg"
function add(parent, name, attributes, text) {
  const made = document.createElementNS(NS, name)
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value)
  if (text !== undefined) made.textContent = text
  return parent.appendChild(made)
}

// Pixels between a height and the curves that pass above or below it from one place to another.
function freeOver(svg, from, to, height) {
  let free = Infinity
  for (const line of svg.querySelectorAll(".track")) {
    const points = line.getAttribute("points").split(" ").map((pair) => pair.split(",").map(Number))
    points.slice(1).forEach(([right, low], i) => {
      const [left, high] = points[i], [a, b] = [Math.max(left, from), Math.min(right, to)]
      if (a > b || right === left) return
      const [one, two] = [a, b].map((x) => high + (low - high) * (x - left) / (right - left) - height)
      free = Math.min(free, one * two <= 0 ? 0 : Math.min(Math.abs(one), Math.abs(two)))
    })
  }
  return free
}

// Where the page stands, and not the slider: while one drags, labels stay where they are.
const dotsAt = (data, x, y) => (data.tracks ?? []).flatMap((t) => {
  const value = (t.stands ?? (t.constant ? Object.values(t.frames)[0] : t.frames[data.index]))?.[data.metric] ?? null
  return value === null ? [] : [[x(spots(data)[data.index]), y(value)]]
})
// Pixels between a label and what it might lie on: curves, dots and other labels.
function freeAround(svg, { from, to, y }, half, dots, placed) {
  const crossed = dots.some(([x]) => x > from - 4 && x < to + 4) ? [half] : [] // by the line where the page stands
  const near = [...crossed, ...dots.filter(([x]) => x > from - 9 && x < to + 9).map(([, high]) => Math.abs(high - y + half) - 6),
    ...placed.filter((one) => one.from < to && one.to > from).map((one) => Math.abs(one.y - y))]
  return Math.min(freeOver(svg, from, to, y - half), ...near)
}

// Names of the classes beside their symbols: in the corner that an odd number of pictures leaves free, else below them.
const namesOf = (data) => (data.labels ? data.classes.slice(0, data.named) : [])
function drawLegend(host, data, corner) {
  const names = namesOf(data)
  host.classList.toggle("below", !corner)
  host.style.width = corner ? `${Math.max(corner - 24, 0)}px` : ""
  host.replaceChildren(...names.map((name, i) => {
    const entry = document.createElement("span"), mark = entry.appendChild(document.createElement("canvas"))
    emptied(mark, 16, 16).drawImage(stampOf(data.colours[i], data.symbols[i], 4), 0, 0, 16, 16)
    entry.append(name)
    return entry
  }))
  if (names.length) host.append(Object.assign(document.createElement("small"), { textContent: data.dot }))
}
// Pixels of height of a legend below the pictures of a wide page, about.
function legendHeight(data, width) {
  const names = namesOf(data), across = names.reduce((sum, name) => sum + 34 + 7 * name.length, 7 * (data.dot ?? "").length)
  return names.length ? (Math.ceil((letters() * across) / width) * 18 + 10) * letters() : 0
}

const ALONG = [0, 1, 0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875] // of the room, for a label: the ends first
const curves = new WeakMap() // host → its curve, and what it was drawn from: a drag moves the marks alone
// A measure against the axis of the slider: a line for each method, levels to compare with, and a mark where one stands.
function drawCurve(host, data, index, marks, width, height) {
  const had = curves.get(host), from = [data, width, height, letters()], same = had?.from.every((one, i) => one === from[i])
  const curve = same ? had : { from, ...curveOf(data, width, height) }
  curves.set(host, curve)
  if (!same || !curve.svg.isConnected) host.replaceChildren(curve.svg)
  placeMarks(curve, data, index, marks)
}
// The line where the slider stands, under the curves, and a mark on each of them.
function placeMarks({ svg, here, x, y }, data, index, marks) {
  svg.querySelectorAll(".mark").forEach((mark) => mark.remove())
  const at = index === null ? null : x(spots(data)[index]), s = data.style
  here.style.display = index === null ? "none" : ""
  if (index === null) return
  for (const end of ["x1", "x2"]) here.setAttribute(end, at)
  marks.forEach(({ y: value, hollow }, i) => {
    if (value === null) return
    const { colour } = data.tracks[i]
    add(svg, "circle", { cx: at, cy: y(value), r: 6.5, fill: hollow ? "none" : colour, stroke: hollow ? colour : s.ink, "stroke-width": 1.5, class: hollow ? "mark hollow" : "mark" })
  })
}
function curveOf(data, width, height) {
  const svg = document.createElementNS(NS, "svg"), s = data.style, { x, y, bottom, top } = scales(data, width, height)
  for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}`, role: "img" })) svg.setAttribute(key, value)
  const by = letters(), lines = labelLines(data.axis.label, width, by), EDGE = edges(by, lines.length), right = width - EDGE.right, foot = height - EDGE.bottom
  const small = { "font-size": 12 * by, fill: s.quiet }
  for (const tick of niceTicks(bottom, top, 6)) {
    add(svg, "line", { x1: EDGE.left, x2: right, y1: y(tick), y2: y(tick), stroke: s.faint })
    add(svg, "text", { ...small, x: EDGE.left - 6, y: y(tick) + 4, "text-anchor": "end" }, short(tick))
  }
  let last = -Infinity // where the last number ends: on a very long axis some are left out
  data.axis.ticks.forEach((tick, i) => {
    const half = 3.4 * by * data.axis.tick_texts[i].length
    if (x(tick) - half < last) return
    last = x(tick) + half + 4
    add(svg, "line", { x1: x(tick), x2: x(tick), y1: EDGE.top, y2: foot, stroke: s.faint })
    add(svg, "text", { ...small, x: x(tick), y: foot + 16 * by, "text-anchor": "middle" }, data.axis.tick_texts[i])
  })
  lines.forEach((line, i) => add(svg, "text", {
    ...small, x: (EDGE.left + right) / 2, y: height - (5 + LINE * (lines.length - 1 - i)) * by, "text-anchor": "middle", class: "axis",
  }, line))
  const levels = [...data.levels].sort((a, b) => b.value - a.value)
  const dotted = { fill: "none", stroke: s.quiet, "stroke-dasharray": "2 4" }
  const roof = ceilings(data).map(([a, v]) => [x(a), y(v)])
  for (const { value, along } of levels) {
    if (along) add(svg, "polyline", { ...dotted, class: "ceiling", points: roof.map((point) => point.map((v) => v.toFixed(1)).join()).join(" ") })
    else add(svg, "line", { ...dotted, x1: EDGE.left, x2: right, y1: y(value), y2: y(value) })
  }
  const here = add(svg, "line", { y1: EDGE.top, y2: foot, stroke: s.quiet, class: "here" })
  for (const t of data.tracks) {
    const have = Object.keys(t.frames).map(Number).sort((a, b) => a - b), value = (i) => t.frames[i][data.metric]
    const along = t.constant && have.length ? [[spots(data)[0], value(have[0])], [spots(data).at(-1), value(have[0])]] : have.map((i) => [spots(data)[i], value(i)])
    const points = along.filter(([, v]) => v !== null).map(([a, v]) => `${x(a).toFixed(1)},${y(v).toFixed(1)}`).join(" ")
    const line = add(svg, "polyline", { points, fill: "none", stroke: t.colour, "stroke-width": 2.5, "stroke-dasharray": DASH[t.dash] ?? null, class: "track" })
    add(line, "title", {}, t.stands ? `${t.title}, ${t.says}` : t.title)
  }
  const placed = [], stood = dotsAt(data, x, y)
  const write = (label, heights, places) => { // where it lies on nothing; failing that, where it lies on least
    const wide = 5.6 * by * label.length, start = EDGE.left + 6, room = right - 6 - wide - start
    const spans = places.map((share) => ({ from: start + share * room, to: start + share * room + wide }))
    const options = heights(spans[0]).flatMap((_, which) => spans.map((span) => ({ ...span, y: heights(span)[which] })))
      .filter((one) => one.y > EDGE.top && one.y < foot).map((one) => ({ ...one, free: Math.min(freeAround(svg, one, 4 * by, stood, placed), LINE * by) }))
    placed.push(options.reduce((a, b) => (b.free > a.free ? b : a), { ...spans[0], y: heights(spans[0])[0], free: -1 }))
    add(svg, "text", { ...small, "font-size": 11 * by, x: placed.at(-1).from, y: placed.at(-1).y, class: "level" }, label)
  }
  const beside = ({ from, to }) => { // above and below the part of the ceiling over a label
    const over = roof.filter(([a], i) => (roof[i + 1]?.[0] ?? a) >= from && (roof[i - 1]?.[0] ?? a) <= to)
    const heights = (over.length ? over : roof).map(([, b]) => b)
    return [Math.min(...heights) - 4, Math.max(...heights) + LINE * by]
  }
  for (const { value, label, along } of levels) {
    if (!along) write(label, () => [y(value) - 4, y(value) + LINE * by], ALONG)
    else if (roof.length > 1) write(label, beside, ALONG)
  }
  const moved = data.tracks.find((t) => t.stands)
  const up = [0, 2, 4, 6].map((lines) => foot - (6 + lines * LINE) * by)
  if (moved) write(`line: ${moved.says}`, () => up, [...ALONG].reverse())
  return { svg, here, x, y }
}

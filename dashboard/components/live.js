// Drag ε, ξ or s: table, curve, projections and components follow in the browser, from frames that the server sent once.
const QUIET = "/lab/quiet" // asks a server on this machine to leave the processor to the browser for a moment
const DRAWN = "/lab/drawn" // tells the server that the first picture stands, and that its slider is ready: the rest may come
const RESTS_AT = "/lab/rests" // tells the server the place at which a hand rests
const LULL = 400 // milliseconds in which a hand may begin to drag a slider that is ready, before the rest of the page comes
const DWELL = 150 // milliseconds without a move after which a hand rests
const ASK_EVERY = 500 // milliseconds between two such requests
const AGAIN = 3000 // milliseconds after which a step is told again, if the page rests and has not come to it
const REST = 1200 // milliseconds after a step in which the page may still say the place before
// The page answers one step after another, and may be several behind: what was sent last, and what it may still answer
// before that. An answer that is neither comes from a new session, which knows nothing of what was sent.
const steps = { last: null, index: null, value: null, older: new Set() }
const dwell = { timer: 0, told: false } // of the hand that drags
const [POINTS, EXACT, CELLS, IMAGES, EXACT_IMAGES] = ["points", "exact", "cells", "images", "exact_images"]
const TILES = 3 // components that are shown as images beside a picture
const CAPTION = 22 // pixels of a picture's name, before letters grow
const GAP = 10 // pixels between two pictures
const [LEAST, MOST] = [250, 760] // pixels of the stage's height
const THUMB = 16 // pixels across what is held of a slider: its middle is never nearer to an end than half of it
const WAITING = ["…", "being computed"]

// A number is shown only at the place it was computed for. Between two places that are there, a picture goes from one to
// the other and says so; beyond them the nearest one stays, greyed, with its place.
export const exactly = (track, index) => (track.constant ? Object.values(track.frames)[0] : track.frames[index]) ?? null
// Where the page stands, an answer that takes longer may stand in place of the one that moves: two steps, and one.
const shown = (data, track, index) => (track.stands && index === data.index ? track.stands : exactly(track, index))
const named = (data, index) => data.names?.[index] ?? short(data.grid[index])
// What made the numbers of a method at a place; let go elsewhere, it says what is being computed.
function making(data, track, index, held) {
  if (!track.stands) return { said: track.says ?? "", late: false }
  if (index === data.index) return { said: track.stood, late: false }
  return held ? { said: `${track.says}, while dragging`, late: false } : { said: `${track.says}, ${track.stood} …`, late: true }
}
export function nearest(track, index) {
  const have = Object.keys(track.frames).map(Number)
  if (!have.length) return null
  return have.reduce((a, b) => (Math.abs(b - index) < Math.abs(a - index) ? b : a))
}
const unpacked = new Map() // text of a frame → its numbers: a drag passes the same frames many times
function kept(text, unpack) {
  if (!unpacked.has(text)) {
    if (unpacked.size > 900) unpacked.clear()
    unpacked.set(text, unpack(Uint8Array.from(atob(text), (c) => c.charCodeAt(0))))
  }
  return unpacked.get(text)
}
const pairs = (text) => !text ? [[], []] : kept(text, (bytes) => {
  const view = new DataView(bytes.buffer), all = Array.from({ length: bytes.length / 2 }, (_, i) => view.getInt16(2 * i, true))
  return [all.filter((_, i) => i % 2 === 0), all.filter((_, i) => i % 2 === 1)]
})
const pixels = (text) => !text ? [[]] : kept(text, (bytes) => [Array.from(new Int8Array(bytes.buffer))])
function sides(track, index) {
  const have = Object.keys(track.frames).map(Number)
  const [low, high] = [Math.max(...have.filter((i) => i <= index)), Math.min(...have.filter((i) => i >= index))]
  return Number.isFinite(low) && Number.isFinite(high) ? [low, high] : null
}
const mixed = (a, b, share) => a.map((v, i) => v + share * (b[i] - v))
function shareOf(data, index, [a, b]) {
  const at = spots(data)
  return Math.log(at[index] / at[a]) / Math.log(at[b] / at[a])
}
// What a frame holds of one kind at a place, and the places it comes from: none, one, or the two beside it.
function pictured(data, track, index, kind, unpack = pairs) {
  const { constant, frames, stands } = data.tracks[track], two = constant ? null : sides(data.tracks[track], index)
  if (stands && index === data.index) return { lists: unpack(stands[kind]), from: [index] }
  const read = (place) => unpack(frames[place]?.[kind])
  if (!two || two[0] === two[1]) {
    const place = two?.[0] ?? nearest(data.tracks[track], index)
    return { lists: read(place), from: place === null ? [] : [constant ? index : place] }
  }
  const share = shareOf(data, index, two), [a, b] = two.map(read)
  return { lists: a.map((list, i) => mixed(list, b[i], share)), from: two }
}
// The mark on a curve: hollow on the line between two places that are there.
function marked(data, track, index) {
  const t = data.tracks[track], frame = shown(data, t, index), two = t.constant ? null : sides(t, index)
  if (frame || !two) return { y: frame?.[data.metric] ?? null, hollow: false }
  const [a, b] = two.map((place) => t.frames[place][data.metric])
  return { y: a === null || b === null ? null : a + shareOf(data, index, two) * (b - a), hollow: true }
}
// The exact picture depends on the place along ξ and s: methods that move along them say which one it is.
function exactAt(data, index, kind, unpack = pairs) {
  const moving = data.tracks.map((t, i) => [t, i]).filter(([t]) => !t.constant)
  const [, track] = moving.find(([t]) => shown(data, t, index)) ?? moving[0] ?? [null, null]
  const found = track === null ? null : pictured(data, track, index, kind, unpack)
  return found?.lists[0].length ? found : { lists: unpack(data[kind]), from: [index] }
}

// The table stands elsewhere on the page: its texts are changed in place, and the page says the same when the slider is
// let go. A browser's translator replaces text nodes: the whole content is set, so that no text of another place stays.
const write = (place, text) => { if (place && place.textContent !== text) place.textContent = text }
function numbers(data, index, held) {
  const rows = document.querySelectorAll(".dpgep-numbers")
  data.tracks.forEach((track, i) => {
    const places = rows[i]?.querySelectorAll("td") ?? [], cells = shown(data, track, index)?.[CELLS]
    const { said, late } = making(data, track, index, held)
    rows[i]?.classList.toggle("waiting", !cells || late)
    write(rows[i]?.querySelector(".steps"), said)
    if (cells && places.length !== cells.length) return
    places.forEach((place, at) => {
      const [value, note, share, tone] = cells ? cells[at] : WAITING, bar = place.querySelector(".bar > i")
      write(place.querySelector(".value"), value)
      write(place.querySelector(".note"), note)
      place.dataset.tone = tone ?? ""
      if (bar) bar.style.width = `${100 * (share ?? 0)}%`
    })
  })
}

// Sizes of curve and pictures that fill what the window has left above the table.
function arranged(root, data) {
  const width = root.clientWidth, count = data.tracks.length + 1, narrow = width < 700
  const main = root.closest("[data-testid=stMain]"), stage = root.querySelector(".stage")
  const top = stage.getBoundingClientRect().top + (main?.scrollTop ?? window.scrollY)
  const table = document.querySelector(".dpgep-table")?.offsetHeight ?? 0
  const whole = Math.min(Math.max(window.innerHeight - top - table - 3 * GAP, LEAST), MOST), below = legendHeight(data, width)
  const strip = data.image ? 1 / TILES : 0, most = narrow ? 1 : 0.62 // of the width that pictures may take
  const left = (columns) => Math.max(count % columns ? whole : whole - below, LEAST) // for pictures: no legend is in a corner
  const sized = (columns) => {
    const rows = Math.ceil(count / columns), height = left(columns), across = (most * width - columns * GAP) / columns / (1 + strip)
    return { columns, side: Math.floor(Math.min(across, narrow ? 400 : (height - rows * CAPTION * letters() - (rows - 1) * GAP) / rows)) }
  }
  const choices = (narrow ? [Math.min(2, count)] : [1, 2, 3, 4].filter((c) => c <= count)).map(sized)
  const { columns, side } = choices.reduce((a, b) => (b.side > a.side ? b : a))
  const taken = columns * (side * (1 + strip) + GAP), rows = Math.ceil(count / columns)
  const high = Math.max(LEAST, Math.min(left(columns), rows * (side + CAPTION * letters() + GAP) - GAP)) // no higher than the pictures
  const corner = !narrow && rows * columns > count ? taken / columns : 0 // pixels across the place that is left free
  return { narrow, columns, side, corner, height: narrow ? 230 : high, curve: Math.floor(narrow ? width : width - taken - GAP) }
}

function element(name, classes, parent) {
  return parent.appendChild(Object.assign(document.createElement(name), { className: classes }))
}

export default function show(component) {
  const { parentElement, setStateValue } = component, listed = withMade(component.data), data = withFrames(listed)
  const root = parentElement.querySelector(".dpgep-live"), slider = root.querySelector("input"), out = root.querySelector("output")
  // Streamlit calls this after awaiting its module: the first calls may come in another order than their data were made.
  if (data.made < Number(root.dataset.made ?? 0)) return
  measureLetters()
  root.dataset.made = data.made
  const plot = root.querySelector(".curve .plot"), pictures = root.querySelector(".pictures")
  slider.max = data.grid.length - 1
  // Room for the longest number: else the slider would grow under the hand, and its places move.
  out.style.minWidth = `max(4.5rem, ${Math.max(...data.grid.map((_, i) => named(data, i).length))}ch)`
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
      if (stays && apart && performance.now() - Number(root.dataset.pressed) >= REST) { slider.value = data.index; draw() }
    }, 2 * REST)
  }
  root.dataset.here = String(data.here)
  root.dataset.missing = Math.max(...data.tracks.map((t) => (t.constant ? 1 : data.grid.length) - Object.keys(t.frames).length))
  // Places that show nothing of their own yet, neither computed nor between two that are.
  root.dataset.beyond = Math.max(...data.tracks.map((t) => (t.constant ? 0 : data.grid.filter((_, i) => !sides(t, i)).length)))
  root.classList.toggle("first", Boolean(data.hints) && !root.dataset.touched)
  const names = ["Exact, no privacy", ...data.tracks.map((t) => t.title)]
  while (pictures.children.length < names.length) {
    const figure = element("figure", "", pictures)
    element("figcaption", "", figure)
    const held = element("div", "held", figure)
    element("canvas", "points", held).setAttribute("role", "img")
    element("div", "tiles", held)
  }
  while (pictures.children.length > names.length) pictures.lastChild.remove()

  const caption = (figure, i, from, index, held) => {
    const there = from.map((place) => named(data, place)), here = from.length === 1 && from[0] === index
    const { said, late } = i ? making(data, data.tracks[i - 1], index, held) : { said: "", late: false }
    figure.classList.toggle("between", there.length === 2 || (late && here))
    figure.querySelector(".held").dataset.steps = said
    figure.classList.toggle("waiting", !here && there.length < 2)
    const where = ["", `still at ${there[0]}, `, `between ${there[0]} and ${there[1]}, `][there.length]
    const title = figure.firstChild
    write(title, here ? names[i] : `${names[i]}: ${where}being computed`)
    title.title = title.textContent
    title.style.setProperty("--mark", i ? data.tracks[i - 1].colour : data.style.quiet)
    figure.querySelector(".held").dataset.hint = data.hints && (i === 0 || i === data.tracks.length) ? data.hints[i ? 2 : 1] : ""
    figure.querySelector(".points").setAttribute("aria-label", `Held-out rows on two components: ${names[i]}${said && `, ${said}`}`)
  }
  const tiles = (host, lists, side) => {
    const images = data.image ? lists[0].length / (data.image[0] * data.image[1]) : 0, size = data.image?.[0] * data.image?.[1]
    while (host.children.length < images) element("canvas", "tile", host)
    while (host.children.length > images) host.lastChild.remove()
    for (let i = 0; i < images; i++) {
      host.children[i].title = `Component ${i + 1}`
      drawImage(host.children[i], lists[0].slice(i * size, (i + 1) * size), data.image, side, data.style.diverging)
    }
  }
  const draw = () => {
    const index = Number(slider.value), held = Boolean(root.dataset.held)
    const room = held && root.room ? root.room : arranged(root, data) // under a hand nothing changes its size
    root.room = room
    write(out, named(data, index))
    slider.setAttribute("aria-valuetext", `${data.axis.label} ${out.textContent}`)
    slider.parentElement.dataset.hint = data.hints?.[0] ?? ""
    numbers(data, index, held)
    root.classList.toggle("narrow", room.narrow)
    pictures.style.gridTemplateColumns = `repeat(${room.columns}, max-content)`
    const marks = data.tracks.map((_, i) => marked(data, i, index))
    drawCurve(plot, data, index, marks, Math.max(room.curve, 200), room.height)
    plot.firstChild.setAttribute("aria-label", `${data.metric_title} against ${data.axis.label}`)
    drawLegend(root.querySelector(".legend"), data, room.corner)
    names.forEach((_, i) => {
      const figure = pictures.children[i], at = (kind, unpack) => i ? pictured(data, i - 1, index, kind, unpack) : exactAt(data, index, kind === POINTS ? EXACT : EXACT_IMAGES, unpack)
      const { lists, from } = at(POINTS), tile = Math.floor((room.side - 2 * (TILES - 1)) / TILES)
      drawPoints(figure.querySelector(".points"), room.side, lists, data)
      tiles(figure.querySelector(".tiles"), data.image ? at(IMAGES, pixels).lists : [[]], tile)
      figure.style.width = `${Math.floor(room.side * (1 + (data.image ? 1 / TILES : 0)))}px`
      caption(figure, i, from, index, held)
    })
    root.dataset.frame = index
    root.dataset.drawn = Number(root.dataset.drawn ?? 0) + 1
  }
  const resting = (at) => fetch(`${RESTS_AT}/${data.hand}/${at}`, { method: "POST" }).catch(() => null)
  // A hand that rests is about to let go: the server begins what that would wait for, and ends it when the hand moves on.
  const rest = () => {
    clearTimeout(dwell.timer)
    if (dwell.told) resting("no")
    dwell.told = false
    if (data.hand) dwell.timer = setTimeout(() => { if (root.dataset.held) { dwell.told = true; resting(slider.value) } }, DWELL)
  }
  let asked = 0
  const soon = () => { asked ||= requestAnimationFrame(() => { asked = 0; draw() }) }
  slider.oninput = () => {
    drag.index = Number(slider.value)
    rest()
    Object.assign(root.dataset, { held: "1", touched: "1" })
    root.classList.remove("first")
    if (performance.now() - Number(root.dataset.quiet ?? -ASK_EVERY) >= ASK_EVERY) {
      root.dataset.quiet = performance.now()
      fetch(QUIET, { method: "POST" }).catch(() => null)
    }
    soon()
  }
  // A run that ended just then may have replaced the part of the page that was told, and nobody answers.
  const remind = (step) => setTimeout(() => {
    if (steps.last !== step || !root.isConnected) return
    const rests = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning"
    if (rests && !root.dataset.held) root.tell(steps.value)
    else remind(step)
  }, AGAIN)
  const tell = (value) => {
    const step = `${performance.timeOrigin + performance.now()}`
    steps.older.add(data.answered).add(steps.last)
    Object.assign(steps, { last: step, index: slider.value, value })
    setStateValue("value", [value, step])
    remind(step)
  }
  root.tell = tell
  if (behind && fresh && steps.last !== null) remind(steps.last) // who was told is gone, and so is who would remind
  slider.onchange = () => {
    setTimeout(() => { if (root.isConnected && !drag.host) drag.pointer = null }) // let go, and not taken out under the hand
    clearTimeout(dwell.timer)
    dwell.told = false
    delete root.dataset.held
    root.dataset.pressed = performance.now()
    tell(data.grid[Number(slider.value)])
    soon()
  }
  // The curve is a slider too: where one presses on it, one stands.
  const nearestOnCurve = (event) => {
    const box = plot.getBoundingClientRect(), { place } = scales(data, box.width, box.height), at = Math.log(place(event.clientX - box.left))
    return spots(data).reduce((best, v, i, all) => (Math.abs(Math.log(v) - at) < Math.abs(Math.log(all[best]) - at) ? i : best), 0)
  }
  const alongSlider = (event) => {
    const box = slider.getBoundingClientRect(), share = (event.clientX - box.left - THUMB / 2) / (box.width - THUMB)
    return Math.round(Math.min(Math.max(share, 0), 1) * slider.max)
  }
  movedBy(plot, `curve, ${data.axis.label}`, { root, slider, placed: nearestOnCurve, fresh })
  movedBy(slider, `slider, ${data.axis.label}`, { root, slider, placed: alongSlider, fresh, own: true })
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
  root.redraw = () => { root.room = null; measureLetters(); soon() }
  if (!root.watched) { // the window, the sidebar or the table made more or less room
    root.watched = new ResizeObserver(() => root.redraw())
    root.watched.observe(root)
    window.addEventListener("resize", () => root.isConnected && root.redraw())
  }
  draw()
  const say = (what) => fetch(`${DRAWN}/${data.awaited}/${what}`, { method: "POST" }).catch(() => null)
  const ready = () => (root.dataset.held ? setTimeout(ready, LULL) : say("ready")) // reading charts would stop a hand that drags
  const told = (what) => data.awaited === root.dataset[what] || !(root.dataset[what] = data.awaited)
  if (data.awaited && !told("picture")) requestAnimationFrame(() => setTimeout(() => say("picture")))
  if (data.awaited && !Number(root.dataset.beyond) && !told("ready")) setTimeout(ready, LULL)
  startTour(root, data.tour)
  root.component = component
  const newest = () => { if (root.isConnected) show(root.component) }
  fetchFrames(listed, newest, () => setTimeout(newest, AGAIN))
  follow(root, component.data, newest)
}

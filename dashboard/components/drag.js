// A drag, and the place that it is at: a run that ends may make the panel anew under it. `name` is what was pressed;
// `host` is the element that script moves, where the browser does not do it by itself.
const drag = { pointer: null, index: null, name: null, host: null }

// Let a pointer that is pressed on `host` move the slider, to the place that `placed` says. A slider that was pressed
// is moved by the browser (`own`), until another one has taken its place.
function movedBy(host, name, { root, slider, placed, fresh, own = false }) {
  const take = (pointer) => {
    host.setPointerCapture(pointer)
    if (!host.hasPointerCapture(pointer)) return false
    drag.host = host
    root.dataset.held = "1"
    return true
  }
  const follow = (event) => {
    const index = placed(event)
    if (index === Number(slider.value)) return
    slider.value = index
    slider.oninput()
  }
  const end = () => { drag.pointer = drag.host = null }
  host.onpointerdown = (event) => {
    if (event.button !== 0) return
    Object.assign(drag, { pointer: event.pointerId, index: Number(slider.value), name, host: null })
    if (own) return
    take(event.pointerId)
    follow(event)
  }
  host.onpointermove = (event) => { if (drag.host === host && event.pointerId === drag.pointer) follow(event) }
  host.onpointerup = (event) => {
    if (event.pointerId !== drag.pointer) return
    const mine = drag.host === host
    end()
    if (mine) slider.onchange()
  }
  host.onpointercancel = () => { end(); delete root.dataset.held }
  if (fresh && drag.pointer !== null && drag.name === name) { // the drag goes on; or it ended while there was no panel
    slider.value = drag.index
    let taken = false
    try { taken = take(drag.pointer) } catch { /* a finger that was lifted */ }
    if (!taken) { end(); slider.onchange() }
  }
}

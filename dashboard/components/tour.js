// A tour: a card beside one thing after another, with one sentence about each.
const CARD = 300 // pixels
let touring = "" // the tour that was begun last: a page that runs again does not begin it anew

function startTour(root, tour) {
  if (!tour || touring === tour.name) return
  touring = tour.name
  document.querySelector(".dpgep-tour")?.remove()
  const card = Object.assign(document.createElement("div"), { className: "dpgep-tour" })
  card.setAttribute("role", "dialog")
  card.setAttribute("aria-label", "Tour")
  const [text, count, next, close] = ["p", "small", "button", "button"].map((name) => card.appendChild(document.createElement(name)))
  close.textContent = "Close"
  let at = -1, shown = null
  // Styles of the panel end at its edge, and two of the five things stand outside it.
  const line = `2px solid ${getComputedStyle(root).getPropertyValue("--st-primary-color")}`
  const mark = (one, on) => { if (one) { one.classList.toggle("dpgep-toured", on); Object.assign(one.style, { outline: on ? line : "", outlineOffset: "3px" }) } }
  const leave = () => { mark(shown, false); card.remove() }
  const go = () => {
    mark(shown, false)
    at += 1
    if (at >= tour.steps.length) return leave()
    const [selector, sentence] = tour.steps[at], found = [...document.querySelectorAll(selector)]
    shown = found.at(-1) ?? null
    if (!shown) return go()
    text.textContent = sentence
    count.textContent = `${at + 1} of ${tour.steps.length}`
    next.textContent = at + 1 < tour.steps.length ? "Next" : "Done"
    mark(shown, true)
    shown.scrollIntoView({ block: "nearest" })
    const box = shown.getBoundingClientRect(), below = box.bottom + 8, high = card.offsetHeight
    card.style.left = `${Math.min(Math.max(box.left, 8), window.innerWidth - CARD - 8)}px`
    card.style.top = `${below + high < window.innerHeight ? below : Math.max(box.top - high - 8, 8)}px`
  }
  next.onclick = go
  close.onclick = leave
  card.onkeydown = (event) => { if (event.key === "Escape") leave() }
  root.append(card)
  go()
  next.focus()
}

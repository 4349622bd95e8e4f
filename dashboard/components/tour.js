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
  const leave = () => { shown?.classList.remove("dpgep-toured"); card.remove() }
  const go = () => {
    shown?.classList.remove("dpgep-toured")
    at += 1
    if (at >= tour.steps.length) return leave()
    const [selector, sentence] = tour.steps[at], found = [...document.querySelectorAll(selector)]
    shown = found.at(-1) ?? null
    if (!shown) return go()
    text.textContent = sentence
    count.textContent = `${at + 1} of ${tour.steps.length}`
    next.textContent = at + 1 < tour.steps.length ? "Next" : "Done"
    shown.classList.add("dpgep-toured")
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

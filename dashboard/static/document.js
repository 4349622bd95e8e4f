// Loaded before Streamlit's own scripts. Four things that its page does otherwise.

// A setting that moves is no step to go back over: it changes the address of the entry that is there. Another page is a
// step, and one step only; Streamlit adds one for the page and one more for the settings in its address.
//
// Whoever goes back twice in a row leaves a page before its answer is there. Streamlit would make a step of that late
// answer, and cut off the way forward. A step to another page is therefore only what somebody clicked.
//
// Another exhibit or another step of a story is a new thing to read, which begins at its title: where one pressed, far
// down a list, is the middle of it. The list is again where one left it. The address says so before the new thing is
// drawn. All else that changes the address leaves the page where it is.
const READ = ["exhibit", "story", "step"]
const reading = (address) => READ.map((name) => address.searchParams.get(name) ?? "").join("|")
const LIST = READ.map(() => "").join("|")
const ACTS = ["wheel", "touchstart", "pointerdown", "keydown"]
const PATIENCE = 4000 // ms in which a list is drawn
const left = new Map() // where each page's list was left
const main = () => document.querySelector("[data-testid=stMain]")

function turn(next) {
  const now = new URL(location.href)
  if (reading(now) === reading(next)) return
  if (reading(now) === LIST) left.set(now.pathname, main()?.scrollTop ?? 0)
  const top = reading(next) === LIST ? (left.get(next.pathname) ?? 0) : 0
  main()?.scrollTo(0, top)
  if (top) hold(top)
}

// What is drawn anew is short at first, and the page moves up: it is put back until the reader acts.
function hold(top) {
  const end = performance.now() + PATIENCE, acts = new AbortController()
  for (const act of ACTS) addEventListener(act, () => acts.abort(), { signal: acts.signal, capture: true })
  const put = () => {
    if (acts.signal.aborted) return
    if (performance.now() > end) return acts.abort()
    main()?.scrollTo(0, top)
    requestAnimationFrame(put)
  }
  put()
}

// The server says to which page an address belongs. Streamlit writes it into the entry that is there when it comes.
// That is the entry of the page before, where the answer of the next one overtakes its step, or where somebody has
// gone back meanwhile. A button that leads to another page empties the address of its own first. Whoever came back
// found the page without its sweep or story. What belongs to another page, or to none, leaves the entry as it is.
const OWNER = "at"
const FIRST = "explore" // the page at the root
const push = history.pushState.bind(history)
const replace = history.replaceState.bind(history)
const page = () => location.pathname.split("/").pop() || FIRST
let clicked = true
addEventListener("popstate", () => (clicked = false), true)
addEventListener("click", () => (clicked = true), true)

function write(state, title, address, step) {
  if (address == null) return replace(state, title)
  const next = new URL(address, location.href), owner = next.searchParams.get(OWNER)
  next.search = next.search.slice(1).split("&").filter((pair) => !pair.startsWith(`${OWNER}=`)).join("&")
  if (next.pathname === location.pathname) {
    if (owner !== page()) return
    turn(next)
    replace(state, title, next)
  } else if (step && clicked) push(state, title, next)
}
history.pushState = (state, title, address) => write(state, title, address, true)
history.replaceState = (state, title, address) => write(state, title, address, false)

// A browser's translator puts its own elements in the place of texts. What the page changes later is then no longer
// what one reads: a sentence may keep the ε of an earlier setting. The page says that it is not to be translated; where
// that is done all the same, each text goes back to its place at once, and stays the one that the page changes.
const FONT = "FONT" // no element of the page's own is one
new MutationObserver((records) => {
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    const texts = [...removedNodes].filter((node) => node.nodeType === Node.TEXT_NODE && !node.isConnected)
    const near = [...addedNodes, previousSibling, nextSibling].find((node) => node?.nodeName === FONT && node.isConnected)
    if (texts.length && near) near.replaceWith(...texts)
  }
}).observe(document.documentElement, { childList: true, subtree: true })

// Loaded before Streamlit's own scripts. Three things that its page does otherwise.

// A setting that moves is no step to go back over: it changes the address of the entry that is there. Another page is a
// step, and one step only; Streamlit adds one for the page and one more for the settings in its address.
//
// Whoever goes back twice in a row leaves a page before its answer is there. Streamlit would make a step of that late
// answer, and cut off the way forward. A step to another page is therefore only what somebody clicked.
//
// Another exhibit or another step of a story is a new thing to read, which begins at its title: where one pressed, far
// down a list, is the middle of it. The address says so before the new thing is drawn. All else that changes the
// address leaves the page where it is.
const READ = ["exhibit", "story", "step"]
const turns = (next) => READ.some((name) => (next.searchParams.get(name) ?? "") !== (new URL(location.href).searchParams.get(name) ?? ""))
const push = history.pushState.bind(history)
let clicked = true
addEventListener("popstate", () => (clicked = false), true)
addEventListener("click", () => (clicked = true), true)
history.pushState = (state, title, address) => {
  const next = address == null ? null : new URL(address, location.href)
  if (next?.pathname === location.pathname) {
    if (turns(next)) document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0)
    history.replaceState(state, title, address)
  } else if (clicked) push(state, title, address)
}

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

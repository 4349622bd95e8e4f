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

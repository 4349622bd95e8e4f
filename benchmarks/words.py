"""Words that a visitor sees on each page and on each story's first step, counted by Chromium.

    python benchmarks/words.py [--against CHECKOUT] [--only NAME …] [--json FILE]

A page is opened by its plain address at 1280 × 900 and counted when it rests: text in the window or below it, in
charts and in the sidebar. No tab and no expander is opened; what is folded away does not count. A word holds at least
one letter. With ``--against`` another checkout is counted too, and the last column is ours as a share of the other's.
"""

import argparse
import json
import shutil
import sys
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from benchmarks.browser import FLAGS, RESTS, server  # noqa: E402

PAGES = ("explore", "compare", "papers", "data", "privacy_lab", "methods", "learn", "saved")
STORIES = ("cliff", "rows", "once", "ridge", "sparse", "leak", "sigma", "worst", "forest", "leave")
PATIENCE = 45.0  # seconds until a page that does not rest, or rests and changes, is counted as it stands
STILL = 3  # equal counts, a second apart, that end the wait
COUNT = """() => {
  const seen = [], lies = (box) => box.width > 0 && box.height > 0 && box.right > 0 && box.bottom > -scrollY
  const walk = (node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) {
        const range = document.createRange()
        range.selectNodeContents(child)
        if (lies(range.getBoundingClientRect())) seen.push(child.data)
      } else if (child.nodeType === Node.ELEMENT_NODE && !["SCRIPT", "STYLE"].includes(child.tagName)) {
        if (!child.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })) continue
        if (child.shadowRoot) walk(child.shadowRoot)
        walk(child)
      }
    }
  }
  walk(document.body)
  return seen.join(" ").split(/\\s+/).filter((word) => /\\p{L}/u.test(word)).length
}"""


def addresses() -> dict[str, str]:
    """Path and query of everything that is counted, by its name in the table."""
    pages = {name: "" if name == "explore" else name for name in PAGES}
    return pages | {f"story {name}": f"learn?story={name}&step=1" for name in STORIES}


def words_at(page: Page, url: str) -> int:
    """Visible words at an address, once three counts of a page at rest agree, or patience is at its end."""
    page.goto(url)
    counts: list[int] = []
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends and not (len(counts) >= STILL and len(set(counts[-STILL:])) == 1):
        page.wait_for_timeout(1000)
        counts = [*counts, int(page.evaluate(COUNT))] if page.evaluate(f"() => {RESTS}") else []
    return int(page.evaluate(COUNT))


def counted(checkout: Path, wanted: dict[str, str]) -> dict[str, int]:
    """Words of every wanted address, each in a browser profile of its own, so that no page knows the one before."""
    found: dict[str, int] = {}
    with server(checkout) as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        for name, path in wanted.items():
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            found[name] = words_at(context.new_page(), f"{address}/{path}")
            context.close()
        browser.close()
    return found


def main() -> None:
    """Count, and print a table with its sum."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path, help="another checkout, counted too")
    parser.add_argument("--only", nargs="+", choices=tuple(addresses()), help="names of the table, instead of all")
    parser.add_argument("--json", type=Path, help="a file for the numbers")
    given = parser.parse_args()
    wanted = {name: path for name, path in addresses().items() if not given.only or name in given.only}
    ours = counted(HERE, wanted)
    other = counted(given.against.resolve(), wanted) if given.against else {}
    for counts in filter(None, (ours, other)):
        counts["sum"] = sum(counts.values())
    for name, count in ours.items():
        share = f"{other[name]:8} {count / max(other[name], 1):8.2f}" if other else ""
        print(f"{name:20} {count:8} {share}")
    if given.json:
        rows = [{"name": name, "ours": count, "other": other.get(name)} for name, count in ours.items()]
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

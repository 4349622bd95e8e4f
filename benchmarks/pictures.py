"""Pictures of the README, made anew from the pages as they are.

    python benchmarks/pictures.py [NAME …]

A server of this checkout is started, Chromium opens each page as a reader would, waits until nothing is drawn any more,
and writes docs/images/NAME.png. Without names all of them are made.
"""

import argparse
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from benchmarks.browser import FLAGS, PATIENCE, server  # noqa: E402

IMAGES = HERE / "docs" / "images"
STILL = 3000  # milliseconds without work after which a page is complete
QUIET = """([still]) => {
  const busy = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState !== 'notRunning'
    || document.querySelector('[data-testid=stSkeleton], [data-stale=true]')
    || [...document.querySelectorAll('[data-testid=stProgress]')].some((bar) => !/Step \\d|Try it/.test(bar.innerText))
    || Number(document.querySelector('.dpgep-live')?.dataset.missing ?? 0) > 0
  window.quietSince = busy ? undefined : window.quietSince ?? performance.now()
  return !busy && performance.now() - window.quietSince >= still
}"""
DRAWN = (0.78, 0.70, 0.62, 0.55, 0.49, 0.44, 0.40, 0.37, 0.345, 0.33, 0.32, 0.31)  # heights of a guess, from above


@dataclass(frozen=True)
class Picture:
    """A page at an address, what is done there, and what stands at the upper edge of the picture."""

    path: str
    height: int = 800
    dark: bool = False
    top: str = ""
    act: Callable[[Page], None] = lambda _page: None


def draw_by_hand(page: Page) -> None:
    """Draw a falling curve into the sketch of a story, and ask for the true one."""
    box = page.locator(".dpgep-sketch .plot").bounding_box()
    assert box is not None
    left, top, width, height = box["x"] + 48, box["y"] + 12, box["width"] - 62, box["height"] - 54
    page.mouse.move(left, top + DRAWN[0] * height)
    page.mouse.down()
    for place, share in enumerate(DRAWN):
        page.mouse.move(left + width * place / (len(DRAWN) - 1), top + share * height, steps=3)
    page.mouse.up()
    page.get_by_role("button", name="Compare with the true curve").click()
    page.locator(".js-plotly-plot .legendtext", has_text="Drawn by hand").first.wait_for()


TABS = "[data-testid=stTabs]"
PICTURES: Mapping[str, Picture] = {
    "explore": Picture("?dataset=mnist&model=fda&algorithms=ssp,dpsr,dprf&epsilon=0.05", 860),
    "components": Picture("?dataset=mnist&model=fda&algorithms=ssp&epsilon=0.25&tab=components", 860, top=TABS),
    "curves": Picture("?dataset=digits&model=fda&algorithms=ssp&tab=curves&over=xi", 860, dark=True, top=TABS),
    "data": Picture("data?dataset=digits"),
    "privacy_lab": Picture("privacy_lab?dataset=digits"),
    "learn": Picture("learn?story=rows&step=1", act=draw_by_hand),
}


def take(page: Page, address: str, name: str) -> None:
    """Write one picture."""
    picture = PICTURES[name]
    page.goto(f"{address}/{picture.path}")
    page.locator("[data-testid=stMainBlockContainer]").wait_for()
    page.wait_for_function(QUIET, arg=[STILL], polling=200)
    picture.act(page)
    page.wait_for_function(QUIET, arg=[STILL], polling=200)
    if picture.top:
        page.locator(picture.top).first.evaluate("one => { one.style.scrollMarginTop = '8rem'; one.scrollIntoView() }")
        page.wait_for_function(QUIET, arg=[STILL], polling=200)
    page.mouse.move(5, picture.height - 5)  # nothing is under the pointer
    page.screenshot(path=IMAGES / f"{name}.png")


def main() -> None:
    """Make the pictures that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PICTURES)}; all without one")
    wanted = parser.parse_args().names or list(PICTURES)
    if unknown := sorted(set(wanted) - PICTURES.keys()):
        parser.error(f"NAME must be one of {', '.join(PICTURES)}; got {', '.join(unknown)}")
    with server(HERE) as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        for name in wanted:
            picture = PICTURES[name]
            context = browser.new_context(
                viewport={"width": 1280, "height": picture.height}, color_scheme="dark" if picture.dark else "light"
            )
            page = context.new_page()
            page.set_default_timeout(1000 * PATIENCE)
            take(page, address, name)
            context.close()
            print(IMAGES / f"{name}.png", flush=True)
        browser.close()


if __name__ == "__main__":
    main()

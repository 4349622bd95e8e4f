"""What one visitor waits for on Explore, seen by Chromium: the first picture, the whole slider, a drag, a release.

    python benchmarks/browser.py [--against CHECKOUT] [--query QUERY] [--repeats 2] [--json FILE]

A server is started for each repeat, so that nothing is there before. With ``--against`` the servers of this checkout
and of another one take turns, and the last column is the other one's time over ours (for pictures a second: ours over
the other one's). Chromium draws by software here, as on a machine without a screen.
"""

import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).resolve().parent.parent
QUERY = "dataset=mnist&model=fda&algorithms=ssp,dpsr,dprf"
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking")
PATIENCE = 400.0  # seconds
DRAG = 4.0  # seconds
LIVE = "document.querySelector('.dpgep-live')"
RESTS = "document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"
FIRST = f"Number({LIVE}?.dataset.drawn) >= 1"
FASTER_IS_MORE = ("pictures a second while places are computed", "pictures a second")


@contextmanager
def server(checkout: Path) -> Generator[str]:
    """Address of a dashboard served from a checkout with a home of its own."""
    with socket.socket() as probe, tempfile.TemporaryDirectory() as home:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        command = f"import sys; from dpgep_core.cli import main; sys.exit(main(['--headless', '--port', '{port}']))"
        started = subprocess.Popen(
            [sys.executable, "-c", command], cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": str(checkout), "HOME": home},
        )  # fmt: skip
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(f"{address}/_stcore/health")
            yield address
        finally:
            started.terminate()
            started.wait()


def wait_for(url: str) -> None:
    """Wait until a server answers."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(url)


def measure(address: str, query: str) -> dict[str, float]:
    """Every number of one cold server, in the order in which a visitor meets them."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.set_default_timeout(1000 * PATIENCE)
        began = time.monotonic()
        page.goto(f"{address}/?{query}")
        found: dict[str, float] = {}

        def passed(name: str, condition: str) -> None:
            page.wait_for_function(f"() => {condition}", polling=50)
            found[name] = time.monotonic() - began

        passed("seconds to the first picture", FIRST)
        passed(
            "seconds until all of ε can be dragged", f"Number({LIVE}?.dataset.beyond ?? {LIVE}?.dataset.missing) === 0"
        )
        found["pictures a second while places are computed"] = pictures_a_second(page)
        passed("seconds until every place is computed", f"Number({LIVE}?.dataset.missing) === 0")
        page.wait_for_function(f"() => {RESTS}")
        found["pictures a second"] = pictures_a_second(page)
        page.wait_for_timeout(1000 * DRAG)  # until the page has come to where the mouse let go
        page.wait_for_function(f"() => {RESTS}")
        for name, key in (("ε", "ArrowLeft"), ("ε again", "ArrowLeft")):
            found[f"seconds from a step of {name} to a page at rest"] = step(page, key)
        found["seconds to the first picture of the next visitor"] = first_picture(browser, f"{address}/?{query}")
        browser.close()
    return found


def first_picture(browser: Browser, address: str) -> float:
    """Seconds to the first picture in a tab of its own."""
    page, began = browser.new_page(viewport={"width": 1280, "height": 720}), time.monotonic()
    page.goto(address, timeout=1000 * PATIENCE)
    page.wait_for_function(f"() => {FIRST}", polling=50, timeout=1000 * PATIENCE)
    return time.monotonic() - began


def pictures_a_second(page: Page) -> float:
    """Pictures drawn while the mouse sweeps the slider, up and down, without being let go."""
    box = page.locator(".dpgep-live input").bounding_box()
    assert box is not None
    middle, half = box["x"] + box["width"] / 2, box["width"] / 2 - 12
    count = f"() => Number({LIVE}.dataset.drawn)"
    page.mouse.move(middle, box["y"] + box["height"] / 2)
    page.mouse.down()
    before, began, step = page.evaluate(count), time.monotonic(), 0
    while time.monotonic() - began < DRAG:
        step += 1
        share = abs((step / 40) % 2 - 1) * 2 - 1
        page.mouse.move(middle + share * half, box["y"] + box["height"] / 2)  # until the page has heard of it
    drawn, took = page.evaluate(count) - before, time.monotonic() - began
    page.mouse.move(middle, box["y"] + box["height"] / 2)
    page.mouse.up()
    return drawn / took


def step(page: Page, key: str) -> float:
    """Seconds from a key on the slider until the address has moved and the page rests."""
    page.locator(".dpgep-live input").focus()
    old, began = page.evaluate("() => location.search"), time.monotonic()
    page.keyboard.press(key)
    page.wait_for_function("old => location.search !== old", arg=old, polling=20)
    page.wait_for_function(f"() => {RESTS}", polling=20)
    return time.monotonic() - began


def main() -> None:
    """Measure, in turns where there are two, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path, help="another checkout, measured in turns with this one")
    parser.add_argument("--query", default=QUERY, help="what is opened")
    parser.add_argument("--repeats", type=int, default=2, help="servers of each checkout")
    parser.add_argument("--json", type=Path, help="a file for the numbers")
    given = parser.parse_args()
    runs: dict[str, list[dict[str, float]]] = {"ours": [], "other": []}
    checkouts = {"ours": HERE} | ({"other": given.against.resolve()} if given.against else {})
    for _ in range(given.repeats):
        for name, checkout in checkouts.items():
            with server(checkout) as address:
                runs[name].append(measure(address, given.query))
    rows = list(table(runs))
    for row in rows:
        other = f"{row['other']:10.2f} {row['ratio']:8.1f}" if row["other"] is not None else ""
        print(f"{row['name']:55} {row['ours']:8.2f} {other}")
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def table(runs: dict[str, list[dict[str, float]]]) -> Iterator[dict[str, str | float | None]]:
    """Medians, and how many times better ours is."""
    for name in runs["ours"][0]:
        ours = statistics.median(run[name] for run in runs["ours"])
        other = statistics.median(run[name] for run in runs["other"]) if runs["other"] else None
        ratio = None if other is None else (ours / other if name in FASTER_IS_MORE else other / ours)
        yield {"name": name, "ours": ours, "other": other, "ratio": ratio}


if __name__ == "__main__":
    main()

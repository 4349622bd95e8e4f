"""What a test waits for before it acts: a page that nothing draws anew, a slider that a key has moved."""

from playwright.sync_api import TimeoutError

STILL = 400  # milliseconds in which nothing may happen: between two runs of the script the page looks at rest as well
AT_REST = """([still, filling]) => {
  const app = document.querySelector('[data-testid=stApp]')
  const busy = app?.dataset.testScriptState !== 'notRunning'
    || document.querySelector('[data-testid=stSkeleton], [data-stale=true]')
    || filling && document.querySelector('[data-testid=stProgress]')
  const now = performance.now()
  window.restingSince = busy ? undefined : window.restingSince ?? now
  return !busy && now - window.restingSince >= still
}"""


def rest(page, filling=True):
    """Wait until the script has run, what fills is full, and nothing has been drawn anew for a moment.

    Comes after a wait for what the run shows. A click on what is drawn anew at that moment is lost, an open list
    closes, and parts that fill run the whole script once more when they are full. Off where a bar stands for
    something else, as in a story.
    """
    page.evaluate("() => { window.restingSince = undefined }")
    page.wait_for_function(AT_REST, arg=[STILL, filling], polling=50)


def move(page, slider, key, value):
    """Press a key until a slider shows a value: one key at a time, again where the slider was drawn anew just then."""
    for _ in range(40):
        slider.wait_for()
        shown = said(slider)
        if shown == value:
            return
        slider.focus()
        page.keyboard.press(key)
        try:
            page.wait_for_function(
                "([slider, before]) => !slider.isConnected || slider.ariaValueText !== before",
                arg=[slider.element_handle(), shown],
                timeout=10_000,
            )
        except TimeoutError:
            continue
    raise AssertionError(f"{key} never moved the slider to {value}; it shows {said(slider)}")


def said(slider):
    """The value that a slider says it has."""
    return slider.evaluate("slider => slider.ariaValueText")

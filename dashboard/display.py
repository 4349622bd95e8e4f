"""How the page is shown: as it is, on a projector, or as a picture for a report or a slide."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import streamlit as st

from dashboard.figures.style import Style
from dpgep_core.errors import UnknownNameError

PARAMETER = "display"  # in the address


@dataclass(frozen=True, slots=True)
class Display:
    """One way to show a page.

    Parameters
    ----------
    scale : float
        Of letters, and of the figures with them.
    width : int or None
        Pixels of the column that holds the page; None: all there is.
    bare : bool
        Without navigation and controls, for a screenshot.
    hides : bool
        Answers start covered: the class is asked first.
    """

    key: str
    title: str
    sentence: str
    scale: float = 1.0
    width: int | None = None
    bare: bool = False
    hides: bool = False


DISPLAYS: Mapping[str, Display] = {
    display.key: display
    for display in (
        Display("page", "A page", "Controls at the side."),
        Display("projector", "A projector", "Large letters, controls folded, answers covered.", 1.4, hides=True),
        Display("report", "A figure for a report", "No controls, the width of a printed page.", 1.0, 760, bare=True),
        Display("slide", "A figure for a slide", "No controls, letters to be read from afar.", 1.5, 1280, bare=True),
    )
}
LEGIBLE = (
    # What the theme leaves below a contrast of 4.5: small print, and white letters on the light blue of the dark theme.
    "[data-testid=stCaptionContainer] {{ opacity: 1; }}"
    "[data-testid=stCaptionContainer] p, [data-testid=stCaptionContainer] li {{ color: {quiet}; opacity: 1; }}"
    "[data-testid=stMultiSelectTagsContainer] [data-tag], [data-testid=stMultiSelectTagsContainer] [data-tag] *, "
    "button[kind^=primary], button[kind^=primary] * {{ color: {on_colour}; }}"
    "[data-testid=stMainBlockContainer] {{ padding-top: 4rem; }}"
    "[data-testid=stMainBlockContainer] h1 {{ font-size: 2rem; padding-top: 0; }}"
)
TERM = (  # a term that leads to the glossary: the text's own colour, with dots under it
    "a[href^='learn?term='] { color: inherit !important; text-decoration: underline dotted !important; "
    "text-decoration-thickness: 1px !important; text-underline-offset: .2em; cursor: help; }"
)
WHOLE = (  # what Streamlit cuts: the text of a button, or of a choice, that is wider than its place
    ":is(.st-key-methods_table, .st-key-story_do) :is(button, button *) { white-space: normal; text-align: left; }"
    "[data-testid=stSidebar] [data-tag] { height: auto; } "
    "[data-testid=stSidebar] [data-tag] > span { white-space: normal; line-height: 1.25; padding: .2rem 0; }"
)
TOUCHED = "@media (hover: none) { .modebar-container { display: none; } }"  # always there, on legends and labels
SCALED = "html {{ font-size: {size}px; }}"
COLUMN = "[data-testid=stMainBlockContainer] {{ max-width: {width}px; padding-top: 1.5rem; }}"
WITHOUT_SIDEBAR = "[data-testid=stSidebar], [data-testid=stExpandSidebarButton] { display: none; }"
WITHOUT_CONTROLS = (  # on a narrow screen the list of pages moves into the sidebar, which then stays for it alone
    "[data-testid=stSidebarUserContent], [data-testid=stSidebar]:not(:has([data-testid=stSidebarNavLink])), "
    "body:not(:has([data-testid=stSidebarNavLink])) [data-testid=stExpandSidebarButton] { display: none; }"
)
SOME_CONTROLS = (  # the others stay in the page, out of sight: they keep their values
    "[data-testid=stSidebar] [data-testid=stElementContainer]:not({kept}{words}), "
    "[data-testid=stSidebar] [data-testid=stExpander]:not(:has({kept})) {{ display: none; }}"
)
BARE = (
    "[data-testid=stHeader] { display: none; }"
    "[data-testid=stMainBlockContainer] { padding-top: 1.5rem !important; }" + WITHOUT_SIDEBAR
)
LEAVE = (
    ".st-key-leave_display { position: fixed; right: .5rem; bottom: .5rem; width: auto; opacity: .25; }"
    ".st-key-leave_display:hover, .st-key-leave_display:focus-within { opacity: 1; }"
    "@media print { .st-key-leave_display { display: none; } }"
)


def arrive(query: Mapping[str, str]) -> tuple[str, ...]:
    """Take the display from an address once; a message where there is none of that name."""
    if PARAMETER in st.session_state:
        st.session_state[PARAMETER] = st.session_state[PARAMETER]  # said again: its widget may not be there
        return ()
    asked = query.get(PARAMETER, "page")
    st.session_state[PARAMETER] = asked if asked in DISPLAYS else "page"
    if current().hides:
        st.session_state.setdefault("hidden", True)
    return () if asked in DISPLAYS else (str(UnknownNameError(PARAMETER, asked, tuple(DISPLAYS))),)


def current() -> Display:
    """The display of this session."""
    return DISPLAYS.get(st.session_state.get(PARAMETER, "page"), DISPLAYS["page"])


def address() -> dict[str, str]:
    """Part of the address that states the display."""
    return {} if current().key == "page" else {PARAMETER: current().key}


def choose() -> None:
    """The control, for the sidebar."""

    def changed() -> None:
        st.session_state["hidden"] = current().hides

    st.selectbox(
        "Show as", list(DISPLAYS), key=PARAMETER, on_change=changed, format_func=lambda key: DISPLAYS[key].title,
        help=" ".join(f"{display.title}: {display.sentence}" for display in DISPLAYS.values()),
    )  # fmt: skip


def dress(*, controls: bool = True, shown: Collection[str] | None = None) -> None:
    """Sizes and what is left out, by style sheet; the sidebar too where its controls act on nothing.

    ``shown`` names the controls that the sidebar shows, None for all.
    """
    look = Style(dark=st.context.theme.type == "dark")
    display, rules = current(), [LEGIBLE.format(quiet=look.quiet, on_colour=look.on_colour), TERM, WHOLE, TOUCHED]
    if display.scale != 1:
        rules.append(SCALED.format(size=16 * display.scale))
    if display.width is not None:
        rules.append(COLUMN.format(width=display.width))
    if display.bare:
        rules += [BARE, LEAVE]
    if not controls:
        rules.append(WITHOUT_CONTROLS)
    elif shown is not None:
        kept = [f".st-key-{name}" for name in sorted(shown)]
        # ε stays with the numbers and the words under its slider. No ``:has`` may stand in another: no rule would hold.
        under = ", :has([data-testid=stHtml])" if "epsilon" in shown else ""
        rules.append(SOME_CONTROLS.format(kept=", ".join(kept), words=under))
    st.html(f"<style>{' '.join(rules)}</style>")


def leave() -> None:
    """Button that leaves presentation mode. Visible only near the pointer, hidden in print."""
    if current().bare:
        turn = st.session_state.__setitem__
        st.button("Back to the page", key="leave_display", on_click=turn, args=(PARAMETER, "page"))

"""Parts that the panels of a page share: scenes, figures with their downloads, tables, files made on demand."""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit import runtime
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx

from dashboard import cache, display, export
from dashboard.components.window import NARROW, is_narrow
from dashboard.compute.results import Answer, settings_text
from dashboard.export import FigureSpec
from dashboard.export.csv import safe_frame
from dashboard.export.figure_spec import FORMATS, WIDTH
from dashboard.figures.legend import fit_legend
from dashboard.figures.style import Style, enlarge
from dashboard.scenario import Scenario
from dashboard.text.glossary import linked
from dashboard.text.words import READS, SEED_KNOWN, WHAT_IF, escape_markdown
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DpgepError
from dpgep_core.evaluate import Reference

PLOT = {"displaylogo": False}
PICTURE = {"format": "svg", "scale": 2}  # by the button over a figure
PHONE = 350  # pixels across a figure on the page in a narrow window, or more
LARGE = 4000  # cells of a table, above which it is not sent with every change of a slider
MOST_CARDS = 5  # side by side, on a wide screen
LAST_BELOW = "[class*=st-key-card_] > :last-child { margin-top: auto; }"
SQUARE = 520  # pixels across a square figure in a file
STACKED = (
    ".st-key-KEY thead { display: none; }"
    ".st-key-KEY :is(table, tbody, tr, td) { display: block; width: 100%; }"
    ".st-key-KEY tr { padding: .5rem 0; border-bottom: 1px solid rgba(128, 128, 128, .4); }"
    ".st-key-KEY td { display: flex; gap: .75rem; padding: .2rem 0; border: none; white-space: normal; }"
    ".st-key-KEY td::before { flex: 0 0 6rem; opacity: .75; }"
)
TABLET = 900  # pixels of a window, or of a larger one that is magnified, of which the sidebar takes a third
UNDER = ".st-key-KEY [data-testid=stColumn] { flex: 1 1 100%; min-width: 100%; }"
NO_BROWSER = (
    "PNG, SVG and PDF need Chromium or Chrome on the server, and there is none. The HTML file has buttons that save "
    "the first two in your own browser, and so has the camera above the chart (SVG), where there is a mouse."
)


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything a panel draws from."""

    scenario: Scenario
    data: Dataset
    reference: Reference
    answers: tuple[Answer, ...]
    style: Style


def scene_at(scenario: Scenario, data: Dataset, look: Style) -> Scene:
    """The scene of a scenario: each of its algorithms solved and compared.

    Raises
    ------
    DpgepError
        Where the setting does not fit the data.
    """
    answers = tuple(cache.answer(scenario, key, data) for key in scenario.algorithms)
    return Scene(scenario, data, cache.reference_of(scenario, data), answers, look)


def style() -> Style:
    """Light or dark, as the browser shows the page, and narrow as its window is."""
    return Style(dark=st.context.theme.type == "dark", narrow=is_narrow())


def figure_of(
    scene: Scene, draw: Callable[[Style], go.Figure], *, key: str, title: str, alt: str, caption: str,
    rows: pd.DataFrame | None, items: Sequence[Answer] | None = None, width: int = WIDTH,
) -> FigureSpec:  # fmt: skip
    """A figure of a scene, which page, report and offline story show alike.

    Its caption ends with the settings, of ``items`` where not all answers are drawn.
    """
    end = settings(scene.scenario, scene.answers if items is None else items)
    return FigureSpec(key, title, alt, caption + end, draw, scene.style, rows, width, scene.scenario.stem, end)


def show_figure(spec: FigureSpec, *, brief: bool = False, table: bool = True, drawn: go.Figure | None = None) -> None:
    """Show a figure on the page with its caption, table and downloads.

    Parameters
    ----------
    spec : FigureSpec
        The figure as files show it.
    brief : bool
        Leave the caption off the page, where several figures in a row share one; files have it all the same.
    table : bool
        Off where the page shows the table anyway.
    drawn : Figure, optional
        What the page shows, where that differs: a legend that several figures share is drawn once.
    """
    chart(spec.draw(spec.style) if drawn is None else drawn, spec.key, spec.alt, spec.name)
    figure_tools(spec, table=table)
    if not brief and spec.said:
        st.caption(escape_markdown(spec.said))


def show_figures(specs: Iterable[FigureSpec], *, brief: bool = False, table: bool = True) -> None:
    """Show several figures, one after the other, as `show_figure` shows one."""
    for spec in specs:
        show_figure(spec, brief=brief, table=table)


def figure_tools(spec: FigureSpec, *, table: bool = True) -> None:
    """The table behind a figure and its downloads, in one row."""
    with st.container(horizontal=True, vertical_alignment="top"):
        if spec.rows is not None and table:
            _table_box(spec.rows, spec.key)
        with st.popover("Download", type="tertiary"):
            downloads(spec)


def _table_box(rows: pd.DataFrame, key: str) -> None:
    """The table, folded; a large one is sent when it is unfolded."""
    large = rows.size > LARGE
    box = st.expander("The numbers", key=f"numbers_{key}", on_change="rerun" if large else "ignore")
    if box.open or not large:
        box.dataframe(safe_frame(rows), hide_index=True, width="stretch", placeholder="–")


def downloads(spec: FigureSpec) -> None:
    """The figure as PNG, SVG, PDF and HTML and its table as CSV, each made when it is asked for."""
    dark = st.toggle("Dark background", key=f"dark_{spec.key}", help="Light suits reports and print.")
    chosen = st.selectbox("Size", list(FORMATS), key=f"size_{spec.key}", format_func=lambda key: FORMATS[key].title)
    size = FORMATS[chosen]
    missing = export.found_browser() is None
    picture = partial(export.picture, spec, dark=dark, size=size)
    kinds: dict[str, tuple[str, str, Callable[[], bytes], bool]] = {
        "png": ("PNG, twice the size", "image/png", lambda: picture("png"), missing),
        "svg": ("SVG, for print", "image/svg+xml", lambda: picture("svg"), missing),
        "pdf": ("PDF, one figure", "application/pdf", lambda: picture("pdf"), missing),
        "html": ("HTML, interactive, works offline", "text/html",
                 lambda: export.figure_html(spec, dark=dark).encode(), False),
        "csv": ("CSV, the numbers", "text/csv", lambda: export.safe_csv(_rows(spec)), spec.rows is None),
    }  # fmt: skip
    for kind, (label, mime, make, off) in kinds.items():
        file_button(
            label, make, f"{spec.name}.{kind}", mime, key=f"{kind}_{spec.key}", disabled=off,
            width="stretch", type="tertiary",
        )  # fmt: skip
    if said := NO_BROWSER if missing else export.trouble():
        st.caption(escape_markdown(said))
    if spec.settings:
        st.caption(escape_markdown(f"Every file says: {spec.settings}"))


def _rows(spec: FigureSpec) -> pd.DataFrame:
    """The table with the caption beside every row: a table that is passed on alone still says what it is."""
    return pd.DataFrame() if spec.rows is None else spec.rows.assign(settings=spec.caption)


def chart(figure: go.Figure, key: str, alt: str, name: str) -> None:
    """A figure with alt text, free of Streamlit's own template; the button over it saves it under ``name``."""
    shown = enlarge(figure, display.current().scale)
    if is_narrow():
        fit_legend(shown, PHONE)
    config = {**PLOT, "toImageButtonOptions": {**PICTURE, "filename": name}}
    st.plotly_chart(shown, key=f"chart_{key}", theme=None, width="stretch", config=config, alt=alt)


def what_if(said: str = WHAT_IF, *, help: str = "This page reads the private rows.") -> DeltaGenerator:
    """A button that opens what the page reads and what it therefore cannot promise; captions that leave say it too."""
    box = st.popover("What-if", type="tertiary", help=help)
    box.markdown(linked(said))
    return box


def labels(*texts: str) -> None:
    """The labels that no figure may lack: what it reads, and that its seed is known."""
    st.markdown(" ".join(f":gray-badge[{text}]" for text in texts))


@contextmanager
def errors_on_page() -> Generator[None]:
    """Say on the page why something cannot be done; what comes after it, here or in the decorated function, is left."""
    try:
        yield
    except DpgepError as error:
        st.error(escape_markdown(str(error)))


def stacking_table(frame: pd.DataFrame, key: str) -> None:
    """A table of sentences whose rows become cards on a narrow screen, each sentence under the name of its column.

    Side by side, six columns of sentences are cut at 400 pixels, or a row is as high as the screen.
    """
    names = "".join(
        f".st-key-{key} td:nth-child({place})::before {{ content: '{name}'; }}"
        for place, name in enumerate(frame.columns, start=1)
        if place > 1
    )
    with st.container(key=key):
        st.html(f"<style>@media (max-width: {NARROW}px) {{ {STACKED.replace('KEY', key)} {names} }}</style>")
        st.table(frame, hide_index=True, border="horizontal")


def stacking_columns(count: int, key: str, **look: Any) -> list[DeltaGenerator]:
    """Columns that stand under each other up to `TABLET`: Streamlit leaves them side by side down to a phone.

    ``look`` goes to `st.columns` as it is.
    """
    with st.container(key=key):
        st.html(f"<style>@media (max-width: {TABLET}px) {{ {UNDER.replace('KEY', key)} }}</style>")
        return st.columns(count, **look)


def card_grid(key: str, least: int) -> DeltaGenerator:
    """Place for cards of one width, as many side by side as fit with at least so many pixels each."""
    one = f"minmax(max(min(100%, {least}px), {100 / MOST_CARDS - 2:.0f}%), 1fr)"
    rule = f".st-key-{key} {{ display: grid; grid-template-columns: repeat(auto-fill, {one}); }}"
    st.html(f"<style>{rule} .st-key-{key} > div, .st-key-{key} > div > div {{ height: 100%; }} {LAST_BELOW}</style>")
    return st.container(key=key)


def card(key: str) -> DeltaGenerator:
    """A card of a grid: as high as its neighbours, its button at the foot."""
    return st.container(border=True, height="stretch", gap="small", key=f"card_{key}")


def settings(scenario: Scenario, items: Sequence[Answer]) -> str:
    """The settings of answers on a what-if page and what they mean for privacy, in one plain line."""
    return f"{settings_text(scenario, items)}. {READS.capitalize()}; {SEED_KNOWN}."


def file_button(label: str, make: Callable[[], bytes], name: str, mime: str, *, key: str, **look: Any) -> None:
    """A download whose file, once made, stays for the session that asked until that session's next run.

    ``look`` goes to `st.download_button` as it is.
    """
    st.download_button(label, held_for_session(make, name, mime, key), name, mime, key=key, on_click="ignore", **look)


def held_for_session(make: Callable[[], bytes], name: str, mime: str, key: str) -> Callable[[], bytes]:
    """Make a file on demand, and hold it for the session.

    Streamlit registers a file made on demand for nobody. The ends of any two script runs, a polling fragment's or
    another session's, then delete it, and a browser that comes for it a moment too late gets nothing. So the file is
    registered as those that are made beforehand are: for its session, until the session runs again or ends.
    """
    context = get_script_run_ctx()

    def made() -> bytes:
        content = make()
        if context is not None and runtime.exists() and runtime.get_instance().is_active_session(context.session_id):
            files = runtime.get_instance().media_file_mgr
            holding = Thread(
                target=files.add, args=(content, mime, f"made.{key}", name), kwargs={"is_for_static_download": True}
            )
            add_script_run_ctx(holding, context)  # whose file it is; Streamlit calls us in a thread without
            holding.start()
            holding.join()
        return content

    return made

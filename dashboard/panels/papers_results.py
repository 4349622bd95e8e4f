"""Results of an exhibit: sentences, the figure, the table as the paper lays it out, and everything to take along."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from dashboard.export import FigureSpec
from dashboard.export.csv import safe_frame
from dashboard.figures.paper import curves, printed_against_ours
from dashboard.panels.papers_picks import MOST_PANELS, pick_lines, usual_picks
from dashboard.panels.shared import file_button, show_figure, style
from dashboard.text import exhibits
from dashboard.text.gallery import claim_chips
from dashboard.text.words import READS, SEED_KNOWN, escape_markdown
from dpgep_core.experiments.papers import Reproduction
from dpgep_core.experiments.papers.bundled_results import as_csv, is_median
from dpgep_core.experiments.papers.cell_verdicts import cell_verdicts, count_verdicts
from dpgep_core.experiments.papers.drawing import ROUNDING
from dpgep_core.experiments.papers.exhibit import ExhibitPicture, ResultLine, TableLayout
from dpgep_core.experiments.papers.hu_claims import REFERENCES
from dpgep_core.experiments.papers.outcome import OUTCOME_WORDS, OWN_METHOD, WHEN_MET
from dpgep_core.experiments.papers.page import as_html, why_partial
from dpgep_core.experiments.papers.uncovered import uncovered
from dpgep_core.wording import in_a_sentence, number_text, time_text

SHORT = 160  # letters that are read at a glance, in bold
MEASURE = "measure"  # values of two measures are not drawn in one scatter
DRAWN = "The paper draws these values and prints none: orders and shapes can be compared, digits cannot."


def results_panel(found: Reproduction, *, remark: str = "", waiting: bool = False) -> None:
    """The verdict, the picture, and the rest on demand. During a computation, all of it is about what is there."""
    _show_verdict(found)
    for error in found.errors:
        st.warning(escape_markdown(f"Could not be computed: {error}"))
    if found.lines:
        _show_figure(found)
    exhibit = found.asked.exhibit
    for said in filter(None, (uncovered(found.lines), *found.learnt)):
        st.warning(escape_markdown(said))
    st.caption(escape_markdown(f"{remark} Run: {found.mode}; {time_text(found.computed)} of computation. "
                       f"{DRAWN if exhibit.drawn else ''}"))  # fmt: skip
    for said in why_partial(found):
        st.caption(escape_markdown(f"Why a part of it: {in_a_sentence(said)}"))
    _show_claims(found)
    if found.lines:
        _show_every_value(found, waiting=waiting)


def _show_figure(found: Reproduction) -> None:
    exhibit = found.asked.exhibit
    if exhibit.picture is not None:
        _show_picture(found, exhibit.picture)
    elif exhibit.grid is not None:
        _grid(found, exhibit.grid)


def _show_verdict(found: Reproduction) -> None:
    """One line, with a badge for each kind of verdict."""
    so_far = "" if found.complete else "So far: "
    if found.outcomes:
        chips = claim_chips(one.word for one in found.outcomes)
        said = f"{so_far}{escape_markdown(found.summary)}."
        st.markdown(f"{chips} **{said}**" if len(said) <= SHORT else f"{chips}  \n{said}")
    elif so_far:
        st.markdown("Nothing can be concluded so far.")


def _show_claims(found: Reproduction) -> None:
    """Outcome of each claim, and every sentence that the numbers make, folded."""
    if found.outcomes:
        with st.expander("Each claim, and what its verdict means", key="paper_claims"):
            st.table(exhibits.outcomes(found.outcomes), hide_index=True)
            words = dict.fromkeys(one.word for one in found.outcomes)
            meant = (f"“{word.capitalize()}”: {OUTCOME_WORDS[word]}" for word in words)
            st.caption(escape_markdown(f"{'. '.join(meant)}. {WHEN_MET}"))
    verdicts = cell_verdicts(found.asked.exhibit, found.lines)
    if verdicts:
        with st.expander("Verdict of each cell", key="paper_cells"):
            st.markdown("\n".join(f"- {escape_markdown(said)}" for said in count_verdicts(verdicts)))
            st.dataframe(safe_frame(exhibits.cells(verdicts)), hide_index=True, width="stretch", placeholder="–")
    with st.expander("Counted one by one", key="paper_counted"):
        st.markdown("\n".join(f"- {escape_markdown(sentence)}" for sentence in found.verdict))


def _show_picture(found: Reproduction, picture: ExhibitPicture) -> None:
    lines = pick_lines(found.lines, picture.panel, usual=usual_picks(found.lines, picture.panel, picture.first))
    panels = list(dict.fromkeys(exhibits.label_texts(line, picture.panel) for line in lines))
    if len(panels) > MOST_PANELS:
        st.caption(f"The first {MOST_PANELS} of {len(panels)} panels are drawn; pick above to see others.")
        lines = [line for line in lines if exhibits.label_texts(line, picture.panel) in panels[:MOST_PANELS]]
    exhibit, across = found.asked.exhibit, exhibits.word(picture.x)
    bars = f"{_bars_sentence(lines, log=picture.log_y)}{_aim_sentence(lines)}"
    first = f"{exhibits.drawn_words(lines, picture.panel)}. {bars}"
    show_figure(FigureSpec(
        draw=partial(curves, lines, picture, exhibit.unit), style=style(), key=exhibit.key,
        title=f"{exhibits.place(exhibit)}. {exhibit.title}: {exhibit.unit} against {across}",
        rows=exhibits.table_of(lines), alt=f"{exhibit.unit} against {across}",
        caption=_caption(found, first), settings=_settings(found),
    ))  # fmt: skip


def _bars_sentence(lines: Sequence[ResultLine], *, log: bool) -> str:
    cut = ", cut where they would reach zero" if log else ""
    small = log and any(line.ours is not None and line.ours < ROUNDING for line in lines)
    left_out = f" Values below {number_text(ROUNDING)} are rounding and are not drawn." if small else ""
    if any(map(is_median, lines)):
        return f"Median over seeds; bars reach from the 10 % to the 90 % quantile.{left_out}"
    return f"Mean over seeds; bars are one standard deviation, where more than one was run{cut}.{left_out}"


def _aim_sentence(lines: Sequence[ResultLine]) -> str:
    """Say that our method does not aim at the flow, where the distance from that is drawn."""
    drawn = any(
        line.labels.get("measure") == REFERENCES[1] and OWN_METHOD in str(line.labels.get("method")) for line in lines
    )
    aim = " SSP (ours) aims at the exact direction and not at the flow, so that this distance is no error of it."
    return aim if drawn else ""


def _grid(found: Reproduction, grid: TableLayout) -> None:
    """Printed values against ours, of one measure, and the table as the paper lays it out."""
    of_measure = [label for label in grid.pick if label == MEASURE]
    lines = pick_lines(found.lines, of_measure)
    printed = [line for line in lines if line.gap is not None]
    if printed and grid.within is not None:
        by, exhibit = tuple(label for label in grid.rows if label != "data"), found.asked.exhibit
        first = (
            f"{exhibits.drawn_words(printed, ('data', *grid.pick))}. Each point is a printed value. On the dotted line "
        )
        show_figure(FigureSpec(
            draw=partial(printed_against_ours, lines, by, exhibit.unit), style=style(), key=exhibit.key,
            title=f"{exhibits.place(exhibit)}. {exhibit.title}: printed and ours", alt="printed values across, ours up",
            rows=exhibits.table_of(printed), settings=_settings(found),
            caption=_caption(found, f"{first}ours agrees with it; below, ours is lower."),
        ))  # fmt: skip
    st.subheader("As the paper lays it out")
    lines = pick_lines(lines, [label for label in grid.pick if label != MEASURE])
    st.table(exhibits.grid(lines, grid), hide_index=True)
    if grid.within is None:
        st.caption("Ours, with the printed value behind it.")
    else:
        st.caption("Ours ± standard deviation over runs, with the printed value behind it. Bold: within "
                   f"{number_text(grid.within, 6)} of the printed value.")  # fmt: skip


def _caption(found: Reproduction, first: str) -> str:
    return f"{first} Held fixed: {found.asked.exhibit.fixed}. {_settings(found)}"


def _settings(found: Reproduction) -> str:
    said = filter(None, (f"{found.asked.exhibit.paper}.", uncovered(found.lines)))
    return f"{' '.join(said)} {READS.capitalize()}; {SEED_KNOWN}."


def _show_every_value(found: Reproduction, *, waiting: bool) -> None:
    key = found.asked.exhibit.key
    with st.expander("Every value", key="paper_every"):
        st.dataframe(safe_frame(exhibits.table_of(found.lines)), hide_index=True, width="stretch", placeholder="–")
    if waiting:
        return
    with st.container(horizontal=True):
        file_button("CSV, every value", lambda: as_csv(found).encode(), f"{key}.csv", "text/csv", key="paper_csv")
        file_button("HTML, everything on this page", lambda: as_html(found).encode(), f"{key}.html", "text/html",
                    key="paper_html")  # fmt: skip

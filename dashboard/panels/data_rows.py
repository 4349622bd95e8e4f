"""The rows of the current data set: what they are, what is public, and what the model sees of them."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard import cache
from dashboard.compute import rowfacts
from dashboard.compute.exchanges import energy
from dashboard.compute.titles import title_of
from dashboard.export import FigureSpec
from dashboard.export.csv import safe_frame
from dashboard.figures import rows
from dashboard.figures.components import image_grid
from dashboard.figures.spectra import spectrum, spectrum_table
from dashboard.figures.style import Style
from dashboard.panels.shared import show_figure
from dashboard.scenario import UPLOAD, Scenario
from dashboard.text.words import READS, escape_markdown
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DpgepError
from dpgep_core.wording import number_text, plural

MOST_IMAGES = 20
NUMBER_WIDTH = 174  # pixels: two numbers stand side by side on a phone


@dataclass(frozen=True, eq=False)
class View:
    """Facts that the panels of the page draw from."""

    scenario: Scenario
    data: Dataset
    facts: rowfacts.Facts
    style: Style

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.data.feature_names or tuple(f"column {j}" for j in range(self.data.d))

    def says(self, words: str) -> str:
        """A caption with what every figure of the page has to say."""
        data = self.data
        return f"{words} {data.name.removeprefix(UPLOAD)}, n = {data.n:,}, d = {data.d:,}. {READS.capitalize()}."


def rows_panel(scenario: Scenario, data: Dataset, look: Style) -> None:
    """Everything about one data set; of rows that are streamed, or sparse with many columns, what is public alone."""
    if data.streamed or data.sparse:
        _show_streamed(data)
        return
    with st.spinner("Reading the rows once …"):
        view = View(scenario, data, cache.row_facts(data), look)
    _headline(view)
    _show_rows(view)
    left, right = st.columns(2, gap="large")
    with left:
        _show_classes(view)
    with right:
        _show_spectrum(view)
    _show_columns(view)
    _show_privacy_steps(view)
    _show_norms(view)
    _show_clipping(view)


def _show_streamed(data: Dataset) -> None:
    """Public facts of rows that do not fit into memory, or of more columns than anyone looks at."""
    if data.sparse:
        _show_sizes(data, "sparse", "of every row", _kind_of_classes(data))
    else:
        _show_sizes(data, "streamed from files", "in every file", "declared")
    st.markdown(f"Before anything else: {escape_markdown(data.preprocessing.sentence)}.")
    if data.sparse:
        st.info("Sparse rows stay sparse, so no single row is shown. Explore goes by products with them.")
        return
    st.info(
        "These rows do not fit into memory, so no single row is shown. Explore sums them in one pass over the files."
    )


def _show_sizes(data: Dataset, of_rows: str, of_columns: str, of_classes: str) -> DeltaGenerator:
    """The title and three numbers with a note each; returns the row that they stand in."""
    st.subheader(escape_markdown(data.title), anchor=False)
    said = [f"Source: {data.source}" if data.source else "", f"Licence: {data.licence}" if data.licence else ""]
    st.caption(escape_markdown(". ".join(part for part in said if part) or "No source and no licence are stated."))
    cells = st.container(horizontal=True, key="data_numbers")
    _show_number(cells, "Rows n", f"{data.n:,}", of_rows)
    _show_number(cells, "Columns d", f"{data.d:,}", of_columns)
    _show_number(cells, "Classes", str(data.n_classes) if data.n_classes else "none", of_classes)
    return cells


def _headline(view: View) -> None:
    data, found = view.data, view.facts
    split = "and a test split" if data.X_test is not None else "no test split"
    cells = _show_sizes(data, split, f"{len(found.constant):,} constant", _kind_of_classes(data))
    _show_number(
        cells,
        "Duplicate rows",
        f"{found.duplicates:,}",
        f"{number_text(100 * found.duplicates / data.n, 2)} % of the rows" if found.duplicates else "all rows differ",
    )
    if found.constant and data.image_shape is None:
        some = ", ".join(view.names[j] for j in found.constant[:12])
        more = f" and {len(found.constant) - 12} more" if len(found.constant) > 12 else ""
        st.caption(escape_markdown(f"Constant columns, which carry nothing: {some}{more}."))


def _kind_of_classes(data: Dataset) -> str:
    if data.edges:
        return "slices of a response"
    if data.n_classes:
        return "declared" if data.classes_declared else "read off the rows"
    return "a response, not cut" if data.response is not None else "no label"


def _show_number(cells: DeltaGenerator, label: str, value: str, note: str) -> None:
    cells.metric(label, value, note, delta_color="off", delta_arrow="off", border=True, width=NUMBER_WIDTH)


def _show_privacy_steps(view: View) -> None:
    st.subheader("What each step costs in privacy", anchor=False)
    steps = rowfacts.steps(view.data, view.facts)
    st.table(
        pd.DataFrame(
            [(escape_markdown(step.what), escape_markdown(step.how), step.privacy) for step in steps],
            columns=["step", "what is done", "privacy"],
        ).set_index("step")
    )
    if not view.scenario.bounds:
        st.caption("Bounds and logarithms are switched off in the sidebar: of this page, only the spectrum shows that.")
    if any(step.privacy == rowfacts.OPEN for step in steps):
        st.warning("Something here was learnt from the rows. No ε on any page covers it: declare it instead.")
    if view.data.preprocessing.lower is None:
        st.info(
            "No bounds of the columns are declared. Noise is sized by what bounds allow, so a single wide column "
            "takes the whole norm of a row. Bounds chosen from what a quantity can be cost nothing."
        )


def _show_classes(view: View) -> None:
    st.subheader("Class balance", anchor=False)
    if view.data.y is None:
        st.markdown("There are no classes: models that need them are not offered.")
        return
    frame = rowfacts.class_counts(view.data)
    show_figure(FigureSpec(
        draw=partial(rows.classes, frame), style=view.style, key="class_balance", title="Rows of each class",
        alt=f"Bars: rows of each of {plural(len(frame), 'class')}", caption=view.says("Rows of each class."),
        rows=safe_frame(frame),
    ))  # fmt: skip


def _show_spectrum(view: View) -> None:
    st.subheader("Spectrum against the noise", anchor=False)
    try:
        found = cache.spectra(view.scenario, view.data)
    except DpgepError as error:  # a setting that no private method takes, as slices at quantiles
        st.warning(escape_markdown(str(error)))
        return
    if found is None:
        st.markdown(f"Matrices of more than {rowfacts.MOST_SPECTRUM:,} columns are not drawn.")
        return
    frame, epsilon = spectrum_table(found), view.scenario.epsilon
    show_figure(FigureSpec(
        draw=partial(spectrum, frame, found.edges, epsilon), style=view.style, key="spectrum",
        title="Spectrum of A and B", alt="Eigenvalues of A and B by rank, with what the noise drowns as a band",
        caption=view.says(
            f"Eigenvalues of A and B, {title_of('model', view.scenario.model)}. Those in the band drown in the "
            f"noise of one release (Sufficient statistics) at ε = {number_text(epsilon, 6)}."
        ),
        rows=frame,
    ))  # fmt: skip


def _show_columns(view: View) -> None:
    """A line for each column, with its bounds and its share of the rows as a bar."""
    data = view.data
    if data.image_shape is not None or data.d > rowfacts.MOST_SPECTRUM:
        return
    try:
        shares = energy(view.scenario, data)
    except DpgepError:  # a setting that does not fit: the spectrum says why
        return
    st.subheader("Which columns carry the rows?", anchor=False)
    if heavy := rowfacts.heavy_column(data, view.names, shares, bounds=view.scenario.bounds):
        st.warning(escape_markdown(heavy))
    share = st.column_config.ProgressColumn(format="percent", min_value=0.0, max_value=1.0)
    frame = safe_frame(rowfacts.column_table(data, view.names, shares))
    st.dataframe(frame, hide_index=True, width="stretch", placeholder="–", column_config={frame.columns[-1]: share})


def _show_norms(view: View) -> None:
    st.subheader("Row norms before and after", anchor=False)
    frame, data = rows.norm_table(view.facts), view.data
    radius = data.preprocessing.radius if data.preprocessing.rows == "clip" else None
    ends = [number_text(end) for end in (view.facts.final.min(), view.facts.final.max())]
    found = f"has norm {ends[0]}" if ends[0] == ends[1] else f"has a norm between {ends[0]} and {ends[1]}"
    after = f"After the last step, {data.preprocessing.sentence.split(', ')[-1]}, each row {found}."
    places = st.columns(2, gap="large")
    for place, which in zip(places, ("as stored", "after the columns' bounds"), strict=True):
        line = radius if which != "as stored" else None
        with place:
            show_figure(FigureSpec(
                draw=partial(rows.norm_histogram, frame, which, line), style=view.style,
                key=f"norms_{which.split()[0]}", title=f"Row norms {which}", alt=f"Histogram of row norms {which}",
                caption=view.says(f"Row norms {which}." + (f" {after}" if which != "as stored" else "")),
                rows=frame[frame["norms"] == which],
            ))  # fmt: skip
    if (endless := int((~(view.facts.stored < 1e300)).sum())) > 0:
        st.caption(f"{endless:,} rows are longer than numbers reach, and are in no bin of the first picture.")


def _show_clipping(view: View) -> None:
    if view.data.preprocessing.lower is None:
        return
    st.subheader("What the bounds clip", anchor=False)
    frame = rows.clipped_table(view.facts, view.names)
    total = 100 * float(view.facts.clipped.mean())
    if total == 0:
        st.markdown("Nothing: every value is inside the bounds of its column.")
        return
    show_figure(FigureSpec(
        draw=partial(rows.clipped, frame), style=view.style, key="clipped", title="Values beyond their bounds",
        alt=f"Bars: share clipped of the columns that lose most; {number_text(total, 2)} % of all values",
        caption=view.says(
            f"{number_text(total, 2)} % of all values lie beyond the bounds of their column and are moved to them."
        ),
        rows=safe_frame(frame),
    ))  # fmt: skip


def _show_rows(view: View) -> None:
    """The first rows: as images where they are images, with the mean of each class, else as a table."""
    if view.data.image_shape is None:
        st.subheader("The first rows", anchor=False)
        _table(view)
        return
    for spec in image_figures(view):
        st.subheader(spec.title, anchor=False)
        show_figure(spec, brief=True, table=False)
    with st.expander("The first rows as numbers", key="rows_as_numbers"):
        _table(view)


def image_figures(view: View) -> list[FigureSpec]:
    """Example rows as images, and the mean of each class."""
    data, shape = view.data, view.data.image_shape
    if shape is None:
        return []
    some = np.asarray(data.X[:MOST_IMAGES], dtype=np.float64)
    names = [str(number) for number in range(1, len(some) + 1)]
    titles = names if data.y is None else [data.classes[code] for code in data.y[:MOST_IMAGES]]
    drawn = [("row_images", f"The first {plural(len(some), 'row')}, as stored", some, titles)]
    if len(view.facts.class_means):
        drawn.append(("class_means", "Mean of each class", view.facts.class_means, list(data.classes)))
    return [
        FigureSpec(
            draw=partial(image_grid, pictures, shape, above), style=view.style, key=key, title=title,
            alt=f"{title}: images of {', '.join(above)}", caption=view.says(f"{title}, each in its own shades."),
        )
        for key, title, pictures, above in drawn
    ]  # fmt: skip


def _table(view: View) -> None:
    st.dataframe(safe_frame(rowfacts.first_rows(view.data)), hide_index=True, width="stretch", placeholder="–")
    if view.data.d > rowfacts.PREVIEW_COLUMNS:
        st.caption(f"The first {rowfacts.PREVIEW_COLUMNS} of {view.data.d:,} columns, as stored.")

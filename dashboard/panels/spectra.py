"""How noise moves the eigenvalues of the scatter, and what cleaning and the ridge make of them."""

from functools import partial

from dashboard import cache
from dashboard.compute.results import Answer
from dashboard.compute.spectra import ScatterSpectra
from dashboard.export import FigureSpec
from dashboard.figures.spectra import spectra, spectra_table
from dashboard.panels.shared import Scene, figure_of, show_figure
from dpgep_core.wording import number_text


def spectra_panel(scene: Scene) -> None:
    """One figure for each method that releases sums; none without such a method."""
    for spec in spectra_figures(scene):
        show_figure(spec)


def spectra_figures(scene: Scene) -> list[FigureSpec]:
    """Eigenvalues as released, as used and exact."""
    found = [(place, item, cache.released_spectra(scene.scenario, item.algorithm, scene.data))
             for place, item in enumerate(scene.answers)]  # fmt: skip
    return [_figure(scene, place, item, one) for place, item, one in found if one is not None]


def without_sums(scene: Scene) -> str:
    """Why no figure is drawn; empty where one is."""
    return "" if spectra_figures(scene) else "No method here releases sums: choose *Sufficient statistics*."


def _figure(scene: Scene, place: int, item: Answer, found: ScatterSpectra) -> FigureSpec:
    negative = int((found.released < 0).sum())
    made = "cleaned" if found.cleaned else "cut at 0"
    return figure_of(
        scene, partial(spectra, found, place), key=f"spectra_{item.algorithm}",
        title=f"Eigenvalues under the noise: {item.title}",
        alt=f"Eigenvalues of the scatter by rank: exact, released and {made}; noise edge {number_text(found.edge)}, "
        f"ridge {number_text(found.ridge)}",
        caption=f"Noise spreads the eigenvalues: {negative} of {found.exact.size} released ones are negative. "
        f"{'Cleaning pulls them back' if found.cleaned else 'They are cut at 0'}; the ridge is added to all. ",
        rows=spectra_table(found), items=[item],
    )  # fmt: skip

"""Results that come with the lab, computed once more, and the faster way to some of them."""

import numpy as np
import pytest

from dpgep_core.experiments.papers import EXHIBITS, sensitivity
from dpgep_core.experiments.papers.redraw import compute_again, draw_lines, numbers_of
from dpgep_core.numerics import Spectrum, fix_signs

LINES, SEED = 20, 2026


def test_lines_are_drawn_from_many_exhibits_and_the_same_ones_each_time(monkeypatch):
    monkeypatch.delenv("DPGEP_DATA_DIR", raising=False)
    drawn = draw_lines(EXHIBITS, LINES, SEED)
    assert len({kept.said for kept in drawn}) == LINES
    assert len({kept.exhibit.key for kept in drawn}) > 5
    assert [kept.said for kept in drawn] == [kept.said for kept in draw_lines(EXHIBITS, LINES, SEED)]


@pytest.mark.slow
def test_kept_lines_drawn_at_random_are_computed_again_to_the_last_digit():
    """Each line of twenty comes out as its file has it, from all the runs behind it."""
    changed: list[str] = []
    for kept in draw_lines(EXHIBITS, LINES, SEED):
        found = compute_again(kept)
        if found is None or numbers_of(found) != numbers_of(kept.line):
            changed.append(f"{kept.said}: {numbers_of(kept.line)}, now {found and numbers_of(found)}")
    assert not changed


@pytest.mark.parametrize(("n", "row", "xi"), [(150, 7, 1e-3), (300, 100, 0.1)])
def test_the_change_of_the_scatter_is_that_of_whole_matrices(n, row, xi):
    """Norms of thin factors are those of the d × d matrices that the supplement's figures are about."""
    moments, data = sensitivity._moments("breast_cancer", n)
    whole = []
    for these in (moments, sensitivity._moments_without(moments, data, row)):
        spectrum = Spectrum.of(these.within)
        vectors = fix_signs(spectrum.vectors)
        whitener = vectors / spectrum.scales(xi)
        whole.append((these.between_factor @ these.between_factor.T, whitener, whitener @ vectors.T, these.within))
    (A, F, S, B), (A2, F2, S2, B2) = whole
    before, after = (sensitivity._whitening("breast_cancer", n, which) for which in (None, row))
    G, G2 = (white.coordinates / white.scales(xi)[:, None] for white in (before, after))
    assert sensitivity._norm_between(G, G2) == pytest.approx(np.linalg.norm(F.T @ A @ F - F2.T @ A2 @ F2, 2), rel=1e-9)
    assert sensitivity._norm_between(before.vectors @ G, after.vectors @ G2) == pytest.approx(
        np.linalg.norm(S @ A @ S - S2 @ A2 @ S2, 2), rel=1e-9
    )
    assert sensitivity._norm(B - B2) == pytest.approx(np.linalg.norm(B - B2, 2), rel=1e-9)


def test_the_largest_eigenvalue_of_a_large_matrix_is_found_by_size():
    """A matrix above the limit, whose largest eigenvalue by size is negative."""
    d = sensitivity.FEW_COLUMNS + 20
    x = np.arange(1.0, d + 1)
    matrix = np.diag(np.linspace(0, 1, d)) - 3 * np.outer(x, x) / (x @ x)
    assert sensitivity._norm(matrix) == pytest.approx(np.linalg.norm(matrix, 2), rel=1e-12)

"""The offline story shows the figures that the page shows: title, alt text, caption and table."""

import pytest

from dashboard.panels.curves import iterations_figures
from dashboard.panels.story_extras import energy_figures, membership_figures, swaps_figures
from dashboard.panels.story_file import DRAWN, scene_of

SHARED = {
    "iterations": iterations_figures,
    "swaps": swaps_figures,
    "energy": energy_figures,
    "membership": membership_figures,
}


@pytest.mark.parametrize("panel", SHARED)
def test_page_and_file_show_one_list(panel):
    scene = scene_of({"dataset": "wine", "algorithms": "ssp,dpsr"})
    page, file = SHARED[panel](scene), list(DRAWN[panel](scene, {}))
    assert len(page) == (2 if panel == "membership" else 1)
    for shown, kept in zip(page, file, strict=True):
        assert (kept.key, kept.title, kept.alt, kept.caption) == (shown.key, shown.title, shown.alt, shown.caption)
        assert kept.rows.equals(shown.rows)
        assert "seed known: not private" in kept.caption
        assert kept.draw(kept.style).to_plotly_json() == shown.draw(shown.style).to_plotly_json()

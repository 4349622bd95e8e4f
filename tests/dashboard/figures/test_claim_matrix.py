"""The matrix of verdicts has one mark for each claim, in the column of its exhibit."""

from collections import Counter

from dashboard.figures.claims import MARKS, claim_html
from dashboard.figures.style import Style
from dashboard.panels.papers_gallery import matrix_figure
from dashboard.text.gallery import CHIP_WORDS, Card
from dpgep_core.experiments.papers import EXHIBITS
from dpgep_core.experiments.papers.bundled_results import bundled_reproduction

CARDS = [Card(found, bundled_reproduction(found)) for found in EXHIBITS.values()]


def test_a_mark_for_each_claim():
    spec = matrix_figure(CARDS)
    figure = spec.draw(Style(dark=True))
    words = Counter(word for card in CARDS for word in card.words)
    assert {trace.name: len(trace.x) for trace in figure.data} == {CHIP_WORDS[word]: words[word] for word in words}
    assert len(spec.rows) == sum(words.values())
    for number, card in enumerate(CARDS):
        heights = sorted(y for trace in figure.data for x, y in zip(trace.x, trace.y, strict=True) if x == number)
        assert heights == list(range(len(card.words)))


def test_no_mark_lies_on_another():
    """On a phone, where the legend has two lines more, a stack of nine marks once had place for six."""
    more_legend = 42
    layout, data = (figure := matrix_figure(CARDS).draw(Style())).layout, figure.data
    low, high = layout.yaxis.range
    pixels = (layout.height - layout.margin.t - layout.margin.b - more_legend) / (high - low)
    across = max(trace.marker.size + trace.marker.line.width for trace in data)
    assert pixels > across
    assert pixels * (high - max(y for trace in data for y in trace.y)) > across / 2


def test_every_verdict_has_a_mark_of_its_own():
    assert MARKS.keys() == CHIP_WORDS.keys()
    for kind in zip(*MARKS.values(), strict=True):
        assert len(set(kind)) == len(MARKS)
    labels = [(card.source, short) for card, short in zip(CARDS, _shorts(), strict=True)]
    assert len(set(labels)) == len(labels)


def _shorts():
    rows = matrix_figure(CARDS).rows.drop_duplicates(["paper", "exhibit"])
    return list(rows["short"])


def test_the_page_shows_the_marks_of_the_figure():
    """As letters in columns that wrap: on a phone the figure turned its labels, and marks touched each other."""
    spec = matrix_figure(CARDS)
    html = claim_html(spec.rows, spec.style, spec.alt)
    assert html.count('class="column"') == len(CARDS)
    legend, columns = html.split('class="papers"')
    for word, (_, glyph) in MARKS.items():
        count = sum(card.words.count(word) for card in CARDS)
        assert columns.count(f">{glyph}<") == count
        assert (CHIP_WORDS[word] in legend.split('class="legend"')[1]) == (count > 0)


def test_a_name_from_a_paper_is_no_markup():
    spec = matrix_figure(CARDS)
    odd = spec.rows.assign(paper="<b>", claim='" onclick="', short="<i>")
    html = claim_html(odd, spec.style, '"><script>')
    assert not any(bad in html for bad in ("<b><", "<i>", '" onclick="', "<script>"))

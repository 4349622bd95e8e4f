"""Files that leave the page: whole, harmless, and true to it."""

import asyncio
import io
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import plotly.io as pio
import pytest
from kaleido import Kaleido

from dashboard import export
from dashboard.compute import results
from dashboard.export import FigureSpec, Fold, Note, Report, chromium, html_page, summary
from dashboard.export.figure_spec import FORMATS, dressed, wrap_text
from dashboard.export.html import MOST_ROWS, Code, markdown_html, table_html
from dashboard.figures.style import Style
from dashboard.panels.shared import SQUARE
from dashboard.scenario import Scenario, from_query
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.cli import main
from dpgep_core.datasets import load_dataset
from dpgep_core.evaluate import Reference
from dpgep_core.privacy.privacy_loss import accounted_text
from dpgep_core.verdict import judge

TAG = "</script><script>alert(1)</script><img src=http://evil.example/p.png onerror=alert(1)>"
NEEDS_BROWSER = pytest.mark.skipif(chromium.found_browser() is None, reason="there is no Chromium on the path")


def drawn(style):
    figure = style.figure(height=300)
    figure.add_scatter(x=[1, 2, 3], y=[1, 4, 9], name=f"line {TAG}", line={"color": style.algorithm(0)})
    return figure


def spec(**given):
    rows = pd.DataFrame({"x": [1.5, 2.0], "name": [TAG, "=1+1"]})
    said = {"title": f"Title {TAG}", "alt": f"Alt {TAG}", "caption": f"Says {TAG}. seed 0: ssp"}
    return FigureSpec(**{"key": "try", "draw": drawn, "rows": rows, **said, **given})


class Reader(HTMLParser):
    """Every tag of a page with its attributes, and its text outside of scripts."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.text, self.inside = [], "", []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "img", "br", "hr"):
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data):
        if not {"script", "style"} & set(self.inside):
            self.text += data


def rest():
    """Close the browser now rather than when it has been idle for a while."""
    for studio in chromium._studio:
        studio.close()


@pytest.fixture(scope="module", autouse=True)
def no_browser_is_left():
    yield
    rest()


@pytest.fixture(scope="module")
def scene():
    """Two algorithms on wine, one that claims and keeps, one that does not."""
    scenario, problems = from_query(
        {"dataset": "wine", "algorithms": "ssp,dpsr", "xi": "0.123", "epsilon": "0.7", "seed": "4", "n_iterations": "5"}
    )
    assert problems == ()
    data = load_dataset("wine")
    reference = Reference.of(data, scenario.setting("ssp"))
    answers = tuple(
        results.answer(scenario, key, data, reference, lambda _, solve: solve()) for key in scenario.algorithms
    )
    return scenario, data, reference, answers


def report_of(scene, **given):
    scenario, data, reference, answers = scene
    return Report(
        **{"scenario": scenario, "title": data.title, "answers": answers, "specs": [spec()],
           "preprocessing": reference.problem.preprocessing.sentence, "link": "http://here/?dataset=wine", **given}
    )  # fmt: skip


def test_a_page_asks_for_nothing_and_shows_names_as_they_are():
    page = html_page(f"T {TAG}", [f"**md** {TAG} ![p](http://evil.example/p.png)", Note(TAG), Code(TAG),
                                  Fold(TAG, (TAG,)), spec(), pd.DataFrame({TAG: [TAG]})])  # fmt: skip
    read = Reader(page)
    assert not [tag for tag, _ in read.tags if tag in ("img", "link", "iframe", "object", "base")]
    assert not [a for _, attrs in read.tags for a in attrs if a in ("src", "srcset") or a.startswith("on")]
    assert [tag for tag, _ in read.tags].count("script") == 3  # Plotly, the figure's numbers, ours
    assert read.text.count("alert(1)") >= 7
    policy = next(attrs["content"] for tag, attrs in read.tags if attrs.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy
    assert "http" not in policy


def test_markdown_has_no_tags_pictures_or_scripts():
    made = markdown_html("# a\n\n<b>x</b> [l](javascript:alert(1)) ![p](http://evil.example/p.png)\n\n|a|\n|-|\n|1|")
    assert "&lt;b&gt;" in made
    assert 'href="javascript' not in made
    assert "<img" not in made
    assert "<table>" in made


def test_plotly_is_in_a_page_only_where_there_is_a_figure():
    assert len(html_page("t", ["words"])) < 10_000
    assert 1e6 < len(html_page("t", [spec()])) < 6e6


def test_a_figure_in_a_page_is_the_figure_with_caption_table_and_alt():
    page = export.figure_html(spec(caption="Says ε = 1, seed known", alt='The "alt"'))
    figure = json.loads(re.search(r'<script type="application/json">(.*?)</script>', page).group(1))
    assert figure["figure"]["data"][0]["y"] == [1, 4, 9]
    assert "Says ε = 1" in figure["still"]["annotations"][-1]["text"]
    read = Reader(page)
    assert "Says ε = 1, seed known" in read.text
    assert ("div", 'The "alt"') in [(tag, attrs.get("aria-label")) for tag, attrs in read.tags]
    assert "The numbers behind it" in read.text


def test_long_tables_are_cut_and_say_so():
    made = table_html(pd.DataFrame({"n": range(MOST_ROWS + 7)}))
    assert made.count("<tr>") == MOST_ROWS + 1
    assert "7 more rows are in the CSV" in made


def test_files_are_light_or_dark_by_choice_and_never_streamlits(monkeypatch):
    monkeypatch.setattr(pio.templates, "default", "plotly_dark")  # as importing streamlit sets its own
    for page_is_dark in (False, True):
        for dark, paper, ink in ((False, "#FFFFFF", Style().ink), (True, "#12161D", Style(dark=True).ink)):
            layout = dressed(spec(style=Style(dark=page_is_dark)), dark=dark).to_plotly_json()["layout"]
            assert layout["paper_bgcolor"] == layout["plot_bgcolor"] == paper
            assert layout["font"]["color"] == layout["annotations"][-1]["font"]["color"] == ink
            assert not (layout.get("template") or {}).get("layout")


def test_the_page_folds_the_settings_that_a_file_says_in_full():
    told = spec(caption="Bars are rows. wine, seed 0: ssp.")
    assert told.said == told.caption
    assert replace(told, settings="wine, seed 0: ssp.").said == "Bars are rows."
    assert "wine, seed 0: ssp." in export.figure_html(replace(told, settings="wine, seed 0: ssp."))


def test_the_caption_of_a_picture_is_wrapped_below_it_and_gets_room():
    short, long = dressed(spec(caption="Short.")), dressed(spec(caption="Many words. " * 60))
    assert long.layout.height > short.layout.height > 300
    lines = long.layout.annotations[-1].text.split("<br>")
    assert len(lines) > 4
    assert max(map(len, lines[1:])) <= 150
    assert "<script>" not in long.layout.annotations[-1].text


def test_a_figure_that_plays_does_so_in_a_page_and_has_no_buttons_on_paper():
    def playing(style):
        figure = drawn(style)
        figure.frames = [go.Frame(name="1")]
        figure.update_layout(updatemenus=[{"type": "buttons", "buttons": [{"label": "Play", "method": "animate"}]}])
        return figure

    moving = spec(draw=playing)
    assert not dressed(moving).layout.updatemenus
    figure = json.loads(
        re.search(r'<script type="application/json">(.*?)</script>', export.figure_html(moving)).group(1)
    )
    assert figure["figure"]["frames"]
    assert figure["figure"]["layout"]["updatemenus"]
    assert '"label":"Play"' not in html_page("t", [moving], width=600)


def test_csv_is_the_table_with_formulas_disarmed():
    frame = pd.DataFrame({"x": [0.1, np.pi], "n": [1, -2], "name": ["=1+1", "plain, é"]})
    back = pd.read_csv(io.BytesIO(export.safe_csv(frame)))
    pd.testing.assert_frame_equal(back[["x", "n"]], frame[["x", "n"]])
    assert list(back["name"]) == ["'=1+1", "plain, é"]


LONG = (
    "Median over noise draws on the same rows, with soft 50 % and 90 % bands and every draw faint; the dot is now. "
    "digits, fda, n=1,438, d=64, k=9, ε=0.0316, δ=0.000337, replace-one, seed 0: ssp; dprf. Reads the private data; "
    "seed known: not private."
)


def _ends_of_lines(pictures):
    """By width, where the lines of the caption end, in pixels, in each font that a picture may be drawn with."""
    from playwright.sync_api import sync_playwright

    ends = "[...document.querySelectorAll('.annotation tspan')].map((line) => line.getBoundingClientRect().right)"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.found_browser(), args=list(chromium.FLAGS[:4]))
        page, found = browser.new_page(), []
        for width, svg in pictures.items():
            for family in ("DejaVu Sans", "Verdana, DejaVu Sans"):
                page.set_content(svg.replace("Source Sans, sans-serif", family))
                found.append((width, page.evaluate(ends)))
        browser.close()
    return found


@NEEDS_BROWSER
def test_no_line_of_a_caption_leaves_the_picture():
    """Measured in the browser that draws it, in the widest font that its system falls back to."""
    pictures = {
        width: export.picture(spec(caption=LONG, title="What moves with what", width=width), "svg").decode()
        for width in (900, 520)
    }
    with ThreadPoolExecutor(1) as apart:  # a browser's driver may have left a loop running in this thread
        found = apart.submit(_ends_of_lines, pictures).result()
    assert len(found) == 4  # each width in two fonts
    for width, ends in found:
        assert len(ends) > 2
        assert max(ends) <= 8 + width - 8  # the page's own margin before, some of the picture's behind
    for svg in pictures.values():
        shown = "".join(ElementTree.fromstring(svg).itertext())
        for word in LONG.split():
            assert word in shown


def test_a_long_word_is_cut_and_nothing_is_lost():
    lines = wrap_text(f"short {'w' * 200} end", 40)
    assert "".join(lines).replace(" ", "") == f"short{'w' * 200}end"
    assert max(map(len, lines)) < 45


def test_files_are_named_after_what_they_show():
    scenario = from_query({"dataset": "wine", "model": "fda", "algorithms": "ssp,dprf", "epsilon": "0.05"})[0]
    assert scenario.stem == "dpgep-wine-fda-ssp-dprf-eps0.05-seed0"
    odd = replace(scenario, dataset="upload_../../a b;<x>ü\n", epsilon=1e-300)
    assert re.fullmatch(r"[A-Za-z0-9.-]+", odd.stem)
    assert not odd.stem.startswith(".")
    assert len(replace(scenario, dataset="x" * 500).stem) < 120


def test_square_figures_of_a_report_share_a_row_and_paper_has_no_tool_bar(scene):
    squares = [spec(key=f"square{i}", title=f"Square {i}", width=SQUARE) for i in range(3)]
    report = replace(report_of(scene), specs=(spec(key="wide", title="Wide"), *squares))
    page = export.report_html(report, width=680)
    row = page[page.index('<div class="row">') :]
    row = row[: row.index("</div></section></div>") if "</div></section></div>" in row else row.index("<h2>")]
    assert [f"Square {i}" in row for i in range(3)] == [True] * 3
    assert "Wide" not in row
    figures = [json.loads(found) for found in re.findall(r'<script type="application/json">(.*?)</script>', page)]
    widths = [figure["figure"]["layout"]["width"] for figure in figures]
    assert widths == [680, 332, 332, 332]
    assert "displayModeBar: figure.layout.width ? false" in page
    assert ".modebar { display: none; }" in page


@NEEDS_BROWSER
def test_pictures_are_twice_the_size_and_vectors_hold_the_caption():
    png = export.picture(spec(caption="Says seed 0: ssp"), "png")
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(png[16:20]) == 1800
    svg = ElementTree.fromstring(export.picture(spec(caption="Says seed 0: ssp"), "svg"))
    assert svg.get("width") == "900"
    assert "Says seed 0: ssp" in "".join(svg.itertext())


@pytest.mark.slow
@NEEDS_BROWSER
def test_a_browser_that_went_away_is_replaced():
    export.picture(spec(), "svg")
    (studio,) = chromium._studio
    process = studio._kaleido.subprocess
    process.kill()
    process.wait()
    assert b"<svg" in export.picture(spec(), "svg")[:200]
    assert studio._kaleido.subprocess is not process
    assert export.trouble() == ""


async def pageless(*given, **named):
    raise RuntimeError("Before generating a figure, you must await `k.open()`.")


async def silent(*given, **named):
    await asyncio.Event().wait()


@NEEDS_BROWSER
@pytest.mark.parametrize(
    ("step", "failing"),
    [
        ("calc_fig", pageless),
        pytest.param("calc_fig", silent, marks=pytest.mark.slow),
        pytest.param("open", pageless, marks=pytest.mark.slow),
        pytest.param("open", silent, marks=pytest.mark.slow),
    ],
)
def test_a_browser_that_fails_at_first_is_started_again(monkeypatch, failing, step):
    if step == "calc_fig":
        export.picture(spec(), "svg")  # its browser is there, whose start would take the patience of the first try
    else:
        rest()
    works, tried = getattr(Kaleido, step), []

    async def fails_at_first(self, *given, **named):
        tried.append(self)
        return await (failing if len(tried) == 1 else works)(self, *given, **named)

    end = chromium._Studio.end

    def end_and_wait_longer(studio):  # between the tries: the other browser may start as slowly as a busy machine does
        monkeypatch.setattr(chromium, "PICTURE_PATIENCE", 100.0)
        end(studio)

    monkeypatch.setattr(chromium._Studio, "end", end_and_wait_longer)
    monkeypatch.setattr(Kaleido, step, fails_at_first)
    monkeypatch.setattr(chromium, "PICTURE_PATIENCE", 1.0 if failing is silent else 100.0)
    assert b"<svg" in export.picture(spec(), "svg")[:200]
    assert len(tried) == 2
    assert tried[0] is not tried[1]
    if step == "calc_fig":
        assert tried[0].subprocess.wait(60) is not None


@pytest.mark.slow
@NEEDS_BROWSER
def test_a_browser_that_fails_twice_is_a_sentence(monkeypatch):
    monkeypatch.setattr(Kaleido, "calc_fig", pageless)
    with pytest.raises(export.NoBrowserError, match="did not draw"):
        export.picture(spec(), "svg")
    assert "did not draw the picture" in export.trouble()
    monkeypatch.undo()
    assert b"<svg" in export.picture(spec(), "svg")[:200]
    assert export.trouble() == ""


def test_without_a_browser_there_is_a_sentence(monkeypatch, scene):
    monkeypatch.setattr(chromium, "found_browser", lambda: None)
    with pytest.raises(export.NoBrowserError, match="PNG, SVG and PDF need"):
        export.picture(spec(), "png")
    with pytest.raises(export.NoBrowserError, match="can be printed from any browser"):
        export.report_pdf(report_of(scene))


@pytest.mark.parametrize("program", ["#!/bin/sh\nexit 3\n", "#!/bin/sh\nsleep 30\n", "not a program"])
def test_a_browser_that_fails_is_a_sentence_and_leaves_nothing(monkeypatch, tmp_path, program):
    fake, folder = tmp_path / "chromium", tmp_path / "temp"
    folder.mkdir()
    fake.write_text(program)
    fake.chmod(0o755)
    monkeypatch.setattr(chromium, "found_browser", lambda: str(fake))
    monkeypatch.setattr(chromium, "PDF_PATIENCE", 0.5)
    monkeypatch.setattr(chromium.tempfile, "tempdir", str(folder))
    with pytest.raises(export.NoBrowserError, match=r"made no PDF|took longer|could not be started"):
        chromium.pdf("<p>x</p>")
    assert list(folder.iterdir()) == []


@NEEDS_BROWSER
def test_a_report_prints(scene):
    made = export.report_pdf(report_of(scene))
    assert made.startswith(b"%PDF-")
    assert len(made) > 20_000


def test_a_report_says_everything(scene):
    _, data, _, answers = scene
    read = Reader(export.report_html(report_of(scene))).text
    for item in answers:
        judgement, accounted = judge(item.release), accounted_text(item.release.accounted, item.release.ledger.mu)
        for text in (item.title, judgement.claim, accounted, judgement.sentence.split(".")[0],
                     f"{item.diagnostic.mean_cosine_similarity:.4f}", f"{item.diagnostic.principal_angles.mean():.2f}°",
                     f"{item.diagnostic.accuracy['lda'].private.accuracy:.4f}"):  # fmt: skip
            assert text.replace("*", "") in read.replace("*", ""), text
    for text in ("What-if page.", "right at most", "0.123", "wine", "epsilon=0.7", "dpgep solve", "load_dataset",
                 "http://here/?dataset=wine", "numpy", "scikit-learn", "plotly", "python", "no private release",
                 "Says ", "The numbers behind it", "one row and its label", "unit norm", data.title):  # fmt: skip
        assert text in read, text
    for entry in answers[1].release.ledger:
        assert entry.query in read


def test_names_in_a_report_are_harmless(scene):
    read = Reader(export.report_html(report_of(scene, title=TAG, preprocessing=TAG, link=TAG)))
    assert not [tag for tag, _ in read.tags if tag in ("img", "iframe", "link")]
    assert [tag for tag, _ in read.tags].count("script") == 3
    assert read.text.count("alert(1)") > 5


def run(program):
    said = io.StringIO()
    with redirect_stdout(said):
        exec(compile(program, "scenario.py", "exec"), {"__name__": "__main__"})
    return said.getvalue()


@pytest.mark.parametrize("place", [0, 1])
def test_the_program_prints_the_numbers_of_the_page(scene, place):
    scenario, _, _, answers = scene
    item = answers[place]
    said = run(export.python_code(scenario, item.algorithm))
    for number in (item.diagnostic.mean_cosine_similarity, item.diagnostic.principal_angles.mean(),
                   item.diagnostic.accuracy["lda"].private.accuracy):  # fmt: skip
        printed = [float(text) for text in re.findall(r"(?<![\w.])\d+\.\d+(?:e-?\d+)?", said)]
        assert any(one == pytest.approx(number, rel=1e-12) for one in printed), (number, said)
    assert str(item.release.accounted) in said


EVERYTHING = {
    "dataset": "wine", "model": "fda", "algorithms": "ssp", "epsilon": "0.7", "delta": "1.2345e-06",
    "n_components": "3", "seed": "11", "relation": "add_remove", "as_if": "2.5", "noise": "false", "bounds": "false",
    "xi": "0.123", "sparsity": "6", "floor": "false", "weight": "0.3", "steps": "1",
}  # fmt: skip


def test_the_program_holds_every_setting_and_agrees_with_the_command_line(capsys):
    scenario, problems = from_query(EVERYTHING)
    assert problems == ()
    program = export.python_code(scenario, "ssp")
    for name in EVERYTHING.keys() - {"dataset", "algorithms"}:
        assert f"    {name}=" in program, name
    command = ["solve", "--dataset", "wine", "--model", "fda", "--algorithm", "ssp", "--json", "--classifiers", "lda"]
    for name in ("epsilon", "delta", "seed"):
        command += [f"--{name}", EVERYTHING[name]]
    command += ["--n-components", "3"]
    for name in ("relation", "as_if", "noise", "bounds", "xi", "sparsity", "floor", "weight", "steps"):
        command += ["--set", f"{name}={EVERYTHING[name]}"]
    assert main(command) == 0
    told = json.loads(capsys.readouterr().out)
    assert str(told["metrics"]["mean_cosine_similarity"]) in run(program)


def test_names_in_a_program_are_texts():
    odd = 'a"b\\c\n; import os #'
    program = export.python_code(Scenario(dataset=odd), "ssp")
    found = re.search(r"load_dataset\((.*)\)", program).group(1)
    assert eval(found) == odd
    uploaded = export.python_code(Scenario(dataset="upload_mine"), "ssp")
    assert 'load_dataset("mine")' in uploaded
    assert "DPGEP_DATA_DIR" in uploaded


@pytest.mark.parametrize(
    ("modules", "late"),
    [
        ("dashboard.export, dashboard.saving.store, dashboard.saving.exchange", "streamlit"),
        # A first picture waited a quarter of its time for it.
        ("dashboard.panels.report, dashboard.panels.live, dashboard.compute.guessing", "scipy.stats"),
    ],
)
def test_an_import_leaves_out_what_takes_long(modules, late):
    code = f"import sys, {modules}; sys.exit({late!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_tables_of_a_scenario(scene):
    scenario, _, _, answers = scene
    table = summary.headline(answers)
    assert list(table.columns) == ["", *(item.title for item in answers)]
    assert len(summary.ledger(answers)) == sum(len(list(item.release.ledger)) for item in answers)
    told = summary.settings(scenario)
    assert told["epsilon"] == "0.7"
    assert told["delta"] == summary.DEFAULT
    assert told["xi"] == "0.123"
    assert {summary.label(name) for name in told} >= {"Data set", "Seed"}
    full = summary.solved_with(answers)
    assert set(full["setting"]) >= {"Rows n", "ε asked", "δ", "Seed", "Neighbours"}
    assert ALGORITHMS["dpsr"].title in full.columns
    assert isinstance(dressed(spec()), go.Figure)


@pytest.mark.parametrize("key", FORMATS)
def test_every_size_of_a_file_holds_the_whole_caption(key):
    """A column of a paper is narrow: title and caption are broken into lines that fit, and a slide is 16:9."""
    size = FORMATS[key]
    spec = FigureSpec("one", "A title of many words " * 4, "alt", "A caption that is long. " * 12, lambda s: s.figure())
    figure = dressed(spec, size=size)
    (note,) = figure.layout.annotations
    width = size.width or spec.width
    assert figure.layout.width == width
    assert note.text.replace("<br>", " ").replace("<b>", "").replace("</b>", "").split() == (
        f"{spec.title} {spec.caption}".split()
    )
    assert max(len(line) for line in note.text.split("<br>")) * 5 < width  # letters of 12 are 5 wide and more
    if key == "slide":
        assert figure.layout.height * 16 == width * 9

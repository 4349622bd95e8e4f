"""The Data page from its address to its words, and an upload from its bytes to Explore, without a browser."""

import pytest
from lab import open_at, query, sound
from page import figures, written

from dashboard.own_data import uploads
from dashboard.scenario import Scenario, command_line, from_query
from dpgep_core.datasets import load_dataset, openml
from dpgep_core.datasets.upload import receive
from dpgep_core.errors import DataError

HEADER = "<script>alert(1)</script>,=cmd|'/C calc'!A0,![p](http://evil.example/p.png),y"
HOSTILE = f"{HEADER}\n".encode() + b"".join(b"%d,%d,%d,%d\n" % (i % 7, i % 5, i * i % 11, i % 3) for i in range(90))
SECTIONS = [
    "Small handwritten digits", "The first 20 rows, as stored", "Mean of each class", "Class balance",
    "Spectrum against the noise", "What each step costs in privacy",
    "Row norms before and after", "What the bounds clip",
]  # fmt: skip


pytestmark = pytest.mark.usefixtures("brief")


@pytest.fixture(autouse=True)
def _no_folder(monkeypatch):
    monkeypatch.delenv("DPGEP_DATA_DIR", raising=False)


def sent(name, data, **address):
    """The page with a file on it."""
    app = open_at("data", rows="upload", **{"dataset": "wine", **address})
    return app.file_uploader[0].set_value((name, data, "text/csv")).run()


def used(app):
    app = app.button(key="up_use").click().run()
    assert [e.value for e in app.error] == []
    return app


def test_defaults():
    app = open_at("data", dataset="digits")
    said = sound(app)
    assert app.title[0].value == "What are the rows, and what is public about them?"
    assert [each.value for each in app.subheader] == SECTIONS
    assert "What-if page." in said
    assert said.count("Reads the private data.") == 4  # a caption for each figure that has one on the page
    assert len(figures(app)) == 6  # two of them images
    assert query(app) == {
        "dataset": "digits",
        "model": "fda",
        "algorithms": "ssp",
        "epsilon": "1",
        "seed": "0",
        "steps": "2",
        "xi": "0",
    }


def test_an_address_with_everything():
    address = {
        "dataset": "diabetes", "model": "sir", "algorithms": "ssp,exact", "epsilon": "0.5", "delta": "1e-05",
        "n_components": "2", "seed": "3", "relation": "add_remove", "as_if": "10", "bounds": "false", "xi": "0.05",
        "rows": "current",
    }  # fmt: skip
    app = open_at("data", **address)
    said = sound(app)
    assert "5 slices of the response at 75, 125, 175, 225" in said
    assert "switched off in the sidebar" in said
    assert "one release (Sufficient statistics) at ε = 0.5" in said
    named = {name: text for name, text in address.items() if name != "rows"}
    assert query(app) == named | {"steps": "1"}  # as an address that says nothing of steps always meant


def test_an_address_with_garbage(monkeypatch):
    small = {"mnist": "digits"}  # the usual data set, whose rows take seconds to count
    monkeypatch.setattr(uploads, "load_dataset", lambda name: load_dataset(small[name]))
    app = open_at("data", dataset="upload_<script>", rows="<img>", epsilon="x", model="wrong")
    said = sound(app)
    assert "uploads stay in the session that made them" in said
    assert "<script>" not in said.replace("\\<script\\>", "")
    assert "rows must be one of current, upload, openml" in said
    assert [each.value for each in app.subheader] == SECTIONS


def test_without_data_there_is_still_a_way_to_bring_some(monkeypatch, tmp_path):
    (tmp_path / "bad.csv").write_text("a\n")
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    app = open_at("data", dataset="bad")
    assert [e.value for e in app.exception] == []
    assert "fewer than 2 fields" in app.error[0].value
    app.segmented_control(key="rows").set_value("upload").run()
    assert len(app.file_uploader) == 1


def test_hostile_names_are_text_from_the_file_to_explore():
    app = used(sent("![x](http://evil.example/x.png).csv", HOSTILE))
    assert query(app)["dataset"].startswith("upload_")
    app.segmented_control(key="rows").set_value("current").run()
    for page in (app, app.switch_page("app_pages/explore.py").run()):
        said = sound(page)
        for raw in ("<script>alert", "![p](http", "![x](http"):
            assert raw not in said
        for figure in figures(page):
            assert "<script>" not in str(figure)
    assert "Accuracy (LDA)" in str([each.proto for each in app.get("html")])


def test_a_hostile_column_of_words_is_text_wherever_it_is_named():
    """Text as a widget's label, in the table of privacy, in the warning of every release and among the loadings."""
    name = "![p](http://evil.example/p.png) <b>"
    data = f"{name},b,y\n".encode() + b"".join(
        b"%s,%d,%d\n" % ((b"<i>", b"=1")[i % 2], i % 5, i % 3) for i in range(60)
    )
    app = sent("a.csv", data)
    app.multiselect(key="upc_declared").set_value([0]).run()
    assert "![p](" not in app.text_input(key="upc_categories_0").label
    app.multiselect(key="upc_declared").set_value([]).run()
    app.multiselect(key="upc_read_off").set_value([0]).run()
    app = used(app)
    app.segmented_control(key="rows").set_value("current").run()
    table = app.table[0].value
    assert not any("![p](" in str(cell) for cell in [*table.index, *table.to_numpy().ravel()])
    explored = app.switch_page("app_pages/explore.py").run()
    said = sound(explored)
    assert "not covered by any ε here" in said
    for raw in ("![p](", "<b>=", "<i>"):
        assert raw not in said.replace("<b style", "")


def test_names_on_screen_are_saved_by_the_tables_toolbar_as_text():
    app = sent("a.csv", HOSTILE)
    columns = [name for table in app.dataframe for name in table.value.columns]
    assert any("cmd|" in name for name in columns)
    assert not any(str(name).startswith(("=", "+", "@")) for name in columns)
    names = [cell for table in app.dataframe for cell in table.value.get("name", [])]
    assert "'=cmd|'/C calc'!A0" in names


def test_what_is_learnt_is_said():
    app = sent("a.csv", HOSTILE)
    app.radio(key="upc_bounds").set_value("learnt").run()
    app = used(app)
    app.segmented_control(key="rows").set_value("current").run()
    said = sound(app)
    privacy = {row: cells["privacy"] for row, cells in app.table[0].value.to_dict("index").items()}
    assert privacy["Class set"] == privacy["Column bounds"] == "not covered: learnt from the rows"
    assert "No ε on any page covers it" in said
    explored = sound(app.switch_page("app_pages/explore.py").run())
    assert "not covered by any ε here" in explored
    assert "Preprocessing, public" not in explored


PLAIN = b"".join(b"%d,%d,%d\n" % (i % 7, i % 5, i % 3) for i in range(90))


@pytest.mark.parametrize("header", [None, False])
def test_a_first_line_that_was_found_to_be_a_row_is_learnt_until_it_is_declared(header):
    app = sent("plain.csv", PLAIN)
    assert "The first line is a row." in sound(app)
    app = used(app.selectbox(key="upc_header").set_value(header).run())
    app.segmented_control(key="rows").set_value("current").run()
    steps = app.table[0].value.to_dict("index")
    said = [row for row, cells in steps.items() if "first line names the columns" in " ".join([row, *cells.values()])]
    assert bool(said) == (header is None)


def test_declared_bounds_and_classes_cost_nothing():
    app = sent("a.csv", HOSTILE)
    app.radio(key="upc_bounds").set_value("declared").run()
    app.text_input(key="upc_lower").set_value("0")
    app.text_input(key="upc_upper").set_value("6, 4, 10")
    app.text_area(key="upc_classes").set_value("0,1,2").run()
    app = used(app)
    app.segmented_control(key="rows").set_value("current").run()
    privacy = {cells["privacy"] for cells in app.table[0].value.to_dict("index").values()}
    assert "not covered: learnt from the rows" not in privacy
    assert "Nothing: every value is inside the bounds" in sound(app)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.exe", HOSTILE, "its ending tells no known format"),
        ("a.csv", b"", "the file is empty"),
        ("a.csv", b"a,b,y\n", r"a.csv\: 0 rows; a table of at least 2 rows is needed"),
        ("a.csv", b"a,b,y\n1,2,0\n", "1 row; a table of at least 2 rows is needed"),
        ("<b>.csv", b"PK\x03\x04junk", r"\<b\>.csv\: its first bytes are those of a zip archive"),
        ("a.csv", b"<script>alert(1)</script>,b\n1,2,3\n", "line 2 has 3 fields; 2 as in the first row"),
        ("a.npz", b"PK\x03\x04junk", "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_one_line(name, data, says):
    app = sent(name, data)
    assert [e.value for e in app.exception] == []
    assert len(app.error) == 1
    assert says in app.error[0].value
    assert "Traceback" not in written(app)
    assert "up_use" not in [button.key for button in app.button]


def test_choices_that_do_not_fit_are_refused_and_the_old_data_stay():
    app = sent("a.csv", HOSTILE)
    app.radio(key="upc_bounds").set_value("declared").run()
    app.text_input(key="upc_lower").set_value("5").run()
    app.text_input(key="upc_upper").set_value("<b>1</b>").run()
    app = app.button(key="up_use").click().run()
    assert r"upper holds '\<b\>1\</b\>'" in app.error[0].value
    assert query(app)["dataset"] == "wine"


def test_gaps_are_asked_about():
    app = sent("a.csv", b"a,b,y\n1,,0\n" + b"2,3,1\n4,5,0\n" * 20)
    assert app.radio(key="upc_missing").label == "1 gap"
    refusing = app.button(key="up_use").click().run()
    assert "column 'b' is empty in row 1" in refusing.error[0].value.replace("\\", "")
    app.radio(key="upc_missing").set_value("fill").run()
    assert query(used(app))["dataset"] == "upload_a"


def test_gaps_are_those_of_the_columns_in_use():
    """Gaps in a column of words, which is left out at first, were counted too."""
    app = sent("a.csv", b"a,town,b,y\n1,,,0\n" + b"2,Ulm,3,1\n4,,5,0\n" * 20)
    assert app.radio(key="upc_missing").label == "1 gap"


def test_decimal_commas_are_said_and_mended_by_a_button():
    lines = "".join(f"{i},5;{i % 7},25;{i % 5};{i % 2}\n" for i in range(40))
    app = sent("a.csv", f"income;bmi;age;y\n{lines}".encode())
    assert r"1 of 4 columns are used, and 'y' as label" in written(app)
    assert "Columns 'income', 'bmi' hold numbers written as '0,5', so they are no features." in written(app)
    app = next(b for b in app.button if "as decimal mark" in b.label).click().run()
    assert r"3 of 4 columns are used" in written(app)
    assert app.selectbox(key="upc_decimal").value == ","
    app = used(app)
    assert "upload_a" in app.sidebar.selectbox(key="dataset").value


def test_row_numbers_are_said_and_left_out_by_a_button():
    app = sent("a.csv", b"id,a,y\n" + b"".join(b"%d,%d,%d\n" % (7 + i, i % 5, i // 20) for i in range(40)))
    assert "Column 'id' numbers the rows one by one" in written(app)
    app = next(b for b in app.button if b.label.startswith("Leave out")).click().run()
    assert "1 of 3 columns are used" in written(app)
    assert app.multiselect(key="upc_drop").value == [0]


def test_a_form_of_very_many_columns_has_no_endless_menus():
    names = ",".join(f"c{j}" for j in range(2_000))
    rows = "".join(",".join(str((i * j) % 7) for j in range(2_000)) + f",{i % 2}\n" for i in range(12))
    app = sent("wide.csv", f"{names},y\n{rows}".encode())
    assert "2,000 of 2,001 columns are used, and 'y' as label" in written(app)
    assert all(len(each.options) < 100 for each in [*app.multiselect, *app.main.selectbox])
    app.text_input(key="upc_drop_text").set_value("c5, 10-19").run()
    assert "1,989 of 2,001 columns are used" in written(app)
    app.text_input(key="upc_drop_text").set_value("c5000").run()
    assert "there is no column" in app.error[0].value


def test_sparse_text_that_counts_from_0_is_asked_about():
    app = sent("a.libsvm", b"1 0:1 1:2\n0 0:3\n1 1:4\n" * 9)
    assert 'choose "from 0" for the first column' in app.error[0].value.replace("\\", "")
    app = app.selectbox(key="upc_zero_based").set_value(0).run()
    assert "**27** rows, **2** columns" in written(app)
    used(app)


def test_one_class_is_said():
    app = sent("a.csv", b"a,b,y\n" + b"".join(b"%d,%d,cat\n" % (i % 7, i % 5) for i in range(40)))
    assert "has one class" in written(app)
    app = app.button(key="up_use").click().run()
    assert "one of pca, cca here, as the data set has one class, 'cat'; got 'fda'" in written(app).replace("\\", "")


def test_captions_call_an_upload_by_its_name():
    app = used(sent("good.csv", HOSTILE))
    app.segmented_control(key="rows").set_value("current").run()
    captions = [figure["layout"]["meta"] for figure in figures(app) if "meta" in figure["layout"]]
    assert "good, n = 90" in written(app) + str(captions)
    assert "upload_good, n" not in written(app) + str(captions)


def test_the_form_is_kept_while_another_part_is_looked_at():
    app = sent("a.csv", HOSTILE)
    app.text_area(key="upc_classes").set_value("0,1,2").run()
    app.segmented_control(key="rows").set_value("current").run()
    app.segmented_control(key="rows").set_value("upload").run()
    assert app.text_area(key="upc_classes").value == "0,1,2"


def test_rows_can_be_let_go():
    app = used(sent("a.csv", HOSTILE))
    app = app.button(key="forget_upload_a").click().run()
    said = sound(app)
    assert "upload_a" not in app.sidebar.selectbox(key="dataset").options
    assert "dataset must be one of" in said


def test_a_session_holds_so_many_rows_and_no_more(monkeypatch):
    monkeypatch.setattr("dashboard.own_data.uploads.MOST_UNPACKED", 400)  # bytes: one of the two, at one byte a number
    app = used(sent("a.csv", HOSTILE))
    app.file_uploader[0].set_value(("b.csv", HOSTILE, "text/csv")).run()
    app = app.button(key="up_use").click().run()
    assert "of rows in this session; at most" in app.error[0].value
    assert query(app)["dataset"] == "upload_a"


def test_a_file_that_is_crossed_out_is_gone():
    app = sent("a.csv", HOSTILE)
    app.file_uploader[0].set_value(None).run()
    sound(app)
    assert "up_use" not in [button.key for button in app.button]
    assert "up_file" not in app.session_state


def test_slices_at_quantiles_have_no_private_spectrum(monkeypatch, tmp_path):
    """The rest of the page is there all the same."""
    (tmp_path / "q.csv").write_bytes(HOSTILE)
    (tmp_path / "q.toml").write_text("[response]\ncolumn = 2\nslices = 3\n")
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    app = open_at("data", dataset="q", model="sir")
    sound(app)
    assert any("slices cut at public edges" in warning.value for warning in app.warning)
    assert [each.value for each in app.subheader][-1] == SECTIONS[-2]


def test_the_name_of_a_set_that_comes_with_us_is_not_taken():
    app = used(sent("wine.csv", HOSTILE))
    assert query(app)["dataset"] == "upload_wine_mine"
    assert "`wine_mine.csv`" in sound(app)


def test_another_session_is_told():
    scenario, problems = from_query({"dataset": "upload_a"})
    assert scenario.dataset == "mnist"
    assert len(problems) == 1
    assert from_query({"dataset": "upload_a"}, ["upload_a"]) == (Scenario(dataset="upload_a"), ())


def test_the_command_line_says_where_the_file_has_to_be():
    command = command_line(Scenario(dataset="upload_a"), "ssp")
    assert command.startswith("DPGEP_DATA_DIR=FOLDER dpgep solve --dataset a ")


class TestOpenML:
    def test_fetched_rows_go_the_way_of_an_upload(self, monkeypatch):
        monkeypatch.setattr(
            "dashboard.panels.data_upload.look_up", lambda query: openml.OpenMLDataset(61, query, 1, 90, 4)
        )
        monkeypatch.setattr("dashboard.panels.data_upload.fetch", lambda _: receive("iris.csv", HOSTILE))
        app = open_at("data", dataset="wine", rows="openml")
        app.text_input(key="openml_query").set_value("iris").run()
        app = app.button(key="openml_fetch").click().run()
        assert app.segmented_control(key="rows").value == "upload"
        assert query(used(app))["dataset"] == "upload_iris"

    def test_no_network(self, monkeypatch):
        def silent(query):
            raise DataError("openml.org", "cannot be reached (<b>dead</b>)", "a network")

        monkeypatch.setattr("dashboard.panels.data_upload.look_up", silent)
        app = open_at("data", dataset="wine", rows="openml")
        app.text_input(key="openml_query").set_value("iris").run()
        app = app.button(key="openml_fetch").click().run()
        assert r"cannot be reached (\<b\>dead\</b\>)" in app.error[0].value


def test_the_column_that_carries_the_rows_is_named():
    said = [one.value.replace("\\", "") for one in open_at("data", dataset="wine", bounds="false").warning]
    assert "proline carries 97 % of the rows: switch bounds on." in said
    assert not open_at("data", dataset="wine").warning

"""``dpgep edges`` as a user types it: where a response does not load, its rows are not told."""

from pathlib import Path

import pytest

from dpgep_core.cli import main


@pytest.mark.parametrize("wrong", ["", "nan", "secret", "1e999"])
def test_a_response_that_does_not_load_tells_nothing_of_its_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: str
) -> None:
    rows = ["a,b,y", *(f"{i},{2 * i},{i / 50}" for i in range(50))]
    asked = ["edges", "--dataset", str(tmp_path / "t.csv"), "--low", "0", "--high", "1", "--slices", "3"]
    (tmp_path / "t.toml").write_text('[response]\ncolumn = "y"\n')
    (tmp_path / "t.csv").write_text("\n".join(rows))
    assert main(asked) == 0
    assert "edges = [" in capsys.readouterr().out
    rows[9] = f"1,2,{wrong}"
    (tmp_path / "t.csv").write_text("\n".join(rows))
    assert main(asked) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "do not fit what is declared" in said.err
    assert not any(word in said.err for word in ("secret", "row 9", "inf", "gap"))

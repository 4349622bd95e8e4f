"""A command writes to any terminal, pipe or file: the encoding of the output decides how, never whether."""

import io
import json
import sys

import pytest

from dpgep_core.cli import main

ENCODINGS = ("ascii", "cp1252", "latin-1", "cp437", "utf-8")


@pytest.fixture
def redirected(monkeypatch):
    """Run a command with both outputs in an encoding; the exit code and what was written to each, decoded."""

    def run(encoding, *arguments):
        outputs = [io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict") for _ in range(2)]
        monkeypatch.setattr(sys, "stdout", outputs[0])
        monkeypatch.setattr(sys, "stderr", outputs[1])
        try:
            code = main(arguments)
        except SystemExit as left:
            code = left.code
        for output in outputs:
            output.flush()
        return code, *(output.buffer.getvalue().decode(encoding) for output in outputs)

    return run


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("arguments", [("list",), ("--help",), ("solve", "--help"), ("paper",)], ids=" ".join)
def test_every_listing_and_help_can_be_written(redirected, encoding, arguments):
    code, text, complaint = redirected(encoding, *arguments)
    assert (code or 0, complaint) == (0, "")
    assert len(text) > 300


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_result_can_be_written_and_its_numbers_are_the_same(redirected, encoding):
    arguments = ("solve", "--dataset", "wine", "--algorithm", "sr_dp", "--classifiers", "lda")
    code, text, _ = redirected(encoding, *arguments)
    assert code == 0
    epsilon = "ε" if encoding == "utf-8" else "epsilon"
    assert f"claimed by the authors: {epsilon} = 1 at" in text if encoding != "cp437" else "ε = 1" in text


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_json_is_the_same_object_in_every_encoding(redirected, encoding):
    """What an encoding lacks is one of JSON's own escapes, so a parser gives back the character."""
    _, text, _ = redirected(encoding, "list", "--json")
    _, plain, _ = redirected("utf-8", "list", "--json")
    assert json.loads(text) == json.loads(plain)
    assert "ε" in plain


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_complaint_can_be_written(redirected, encoding):
    """A name with letters that an output lacks, and with half a character, as file systems may hold."""
    code, text, complaint = redirected(encoding, "solve", "--dataset", "wíne → \udcff")
    assert (code, text) == (2, "")
    assert complaint.startswith("dpgep: dataset must be one of ")
    assert complaint.count("\n") == 1
    assert "w" in complaint.rpartition("got")[2]

"""Text for any terminal, pipe or file: what the encoding of an output cannot write is spelled out."""

import codecs
import io
import json
import math
import sys
import unicodedata
from collections.abc import Mapping
from typing import Any

import numpy as np

SPELLED_OUT = "dpgep.spelled_out"
COLUMN_WORDS = {
    "ε": "epsilon", "δ": "delta", "ξ": "xi", "η": "eta", "σ": "sigma", "μ": "mu", "ρ": "rho", "Λ": "Lambda",
    "Δ": "Delta", "Σ": "Sigma", "√": "sqrt ", "≤": "<=", "≥": ">=", "≈": "~", "×": "x", "·": "-", "−": "-", "–": "-",
    "—": "-", "…": "...", "→": "->", "°": " degrees", "‖": "||", "∞": "infinity", "“": '"', "”": '"',
    "‘": "'", "’": "'",
}  # fmt: skip


def spell_out(error: UnicodeError) -> tuple[str, int]:
    """Replacement for characters that an encoding lacks: a word, the letter without its accent, or an escape."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_plain(character) for character in error.object[error.start : error.end]), error.end


def _plain(character: str) -> str:
    if character in COLUMN_WORDS:
        return COLUMN_WORDS[character]
    base = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return base or character.encode("ascii", "backslashreplace").decode()


codecs.register_error(SPELLED_OUT, spell_out)


def write_to_any_terminal() -> None:
    """Make stdout and stderr spell out what they cannot encode, where that would be an error otherwise.

    On Windows a redirected output has the encoding of the system's language, which has no ε.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=SPELLED_OUT)


def print_json(value: Any) -> None:
    """One JSON object on stdout. Characters that stdout cannot encode are written as JSON's own escapes."""
    text = strict_dumps(value)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = strict_dumps(value, ascii_only=True)
    print(text)


def strict_dumps(value: Any, *, ascii_only: bool = False) -> str:
    """Indented strict JSON; what is not finite becomes null."""
    return json.dumps(plain(value), indent=2, ensure_ascii=ascii_only, allow_nan=False)


def plain(value: Any) -> Any:
    """The value with nothing but what JSON knows."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, np.integer):
        return int(value)
    return value

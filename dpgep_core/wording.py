"""Values as text: numbers in words for messages and pages, and values as TOML."""

import json
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

MINUS = "−"  # as long as a plus: a hyphen before a number is easily overlooked
LEAST, MOST = 1e-4, 1e9  # sizes between which a number is written without an exponent


def plural(number: int, noun: str) -> str:
    """A number with its noun: ``1 draw``, ``2 noise draws``, ``1 class``, ``1,200 classes``.

    Parameters
    ----------
    number : int
    noun : str
        In the singular; its last word takes the ending.
    """
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{number:,} {noun[:-1]}ies"
    return f"{number:,} {noun}{'es' if noun.endswith(('s', 'x', 'ch', 'sh')) else 's'}"


def in_a_sentence(title: str) -> str:
    """A title within a sentence: its first letter is small, unless it begins with an abbreviation such as CCA."""
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]


def number_text(value: float, digits: int = 3) -> str:
    """A number for a reader.

    Parameters
    ----------
    value : float
        Any number.
    digits : int
        Significant digits. Digits before the decimal point are never rounded away.

    Returns
    -------
    str
        Without trailing zeros; thousands are separated by commas, and a minus is no hyphen. ``1,000``, ``−0.2``,
        ``0.000977``, ``4.1e-7``, ``∞``.
    """
    number = float(value) or 0.0  # −0 is 0
    if math.isnan(number):
        return "–"
    if number < 0:
        return MINUS + number_text(-number, digits)
    if math.isinf(number):
        return "∞"
    if number and not LEAST <= abs(number) < MOST:
        mantissa, _, exponent = f"{number:.{digits - 1}e}".partition("e")
        return f"{_without_zeros(mantissa)}e{int(exponent)}"
    before = math.floor(math.log10(abs(number))) + 1 if number else 1
    return _without_zeros(f"{number:,.{max(digits - before, 0)}f}")


def time_text(seconds: float) -> str:
    """A time in the unit that fits it: ``45 s``, ``12 min``, ``3.5 h``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def decimal_text(value: Decimal) -> str:
    """Every digit of an exact decimal, with an exponent where `number_text` writes one: ``0.125``, ``1e-6``."""
    if abs(value) >= Decimal(str(LEAST)):
        return _without_zeros(f"{value:f}")
    sign, digits, _ = value.as_tuple()
    mantissa = Decimal((sign, digits, 1 - len(digits)))
    return f"{_without_zeros(f'{mantissa:f}')}e{value.adjusted()}" if value else "0"


def signed_text(value: float, decimals: int) -> str:
    """A difference with its sign and a fixed number of decimals: ``+1.5``, ``−0.2``, ``0.0``."""
    text = f"{value:+.{decimals}f}"
    return text[1:] if not float(text) else text.replace("-", MINUS)


def toml_value(value: Any, number: Callable[[Any], str] = repr) -> str:
    """A text, a switch, a number, or a list of such, as TOML; ``number`` writes the numbers."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml_value(each, number) for each in value)}]"
    return number(value)


def _without_zeros(text: str) -> str:
    plain = text.rstrip("0").rstrip(".") if "." in text else text
    return plain or "0"

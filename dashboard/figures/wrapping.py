"""Texts broken into lines that fit, in whatever font a picture is drawn with."""

NARROW, BROAD = frozenset(" ijlftrI.,:;'|!()[]-·"), frozenset("mwMW%@=+×≤≥≈→—_−&")
# Widths in ems of the widest font that a reader's machine is likely to draw with (DejaVu Sans, Verdana).
ADVANCE = {"narrow": 0.46, "broad": 1.03, "capital": 0.8, "other": 0.67}


def wrap_text(text: str, ems: float) -> list[str]:
    """Lines of at most so many ems in any font that a picture may be drawn with; a longer word is cut."""
    lines, line = list[str](), ""
    for word in text.split():
        while text_width(word) > ems:
            most = next(i for i in range(1, len(word)) if text_width(word[: i + 1]) > ems)
            lines += [line] * bool(line) + [word[:most]]
            line, word = "", word[most:]
        longer = f"{line} {word}" if line else word
        if text_width(longer) > ems:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line] if line else lines


def text_width(text: str) -> float:
    """Ems that a line takes at most."""
    return sum(map(_advance, text))


def _advance(letter: str) -> float:
    if letter in NARROW:
        return ADVANCE["narrow"]
    if letter in BROAD or ord(letter) > 0x2000:
        return ADVANCE["broad"]
    return ADVANCE["capital" if letter.isupper() else "other"]

"""Words about numbers, for messages and pages."""


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

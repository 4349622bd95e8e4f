"""Warnings that follow from the setting of a run and from what its ledger proves; () where there is nothing to say."""

from dpgep_core.method import MethodEntry
from dpgep_core.privacy import Claim, Grant, Unbounded
from dpgep_core.privacy.privacy_loss import at_most
from dpgep_core.release import Setting
from dpgep_core.wording import number_text, plural

ROUNDED = 1 + 1e-9  # more than this many times the ε that is asked for is more than rounding


def all_columns_warning(k: int, d: int) -> tuple[str, ...]:
    """Say that k keeps every column, so that noise cannot change the space."""
    if k < d:
        return ()
    return (f"k = {k} keeps all {plural(d, 'column')}: the space is the same whatever the noise, so its angle is 0.",)


def as_if_warning(setting: Setting, entry: MethodEntry) -> tuple[str, ...]:
    """Say that ε is that of pretended rows."""
    if setting.as_if == 1.0 or not entry.private:
        return ()
    return (
        f"The ε is that of {number_text(setting.as_if, 6)} times as many pretended rows; for the real rows μ is as "
        "many times larger.",
    )


def outside_warning(entry: MethodEntry) -> tuple[str, ...]:
    """Say that the ledger of an algorithm from outside the package counts the answers of the curator alone."""
    if not entry.outside or not entry.private:
        return ()
    proof = "No proof is registered that" if entry.unproved else "Nobody here has checked that"
    return (f"{entry.title} comes from outside the package. {proof} its code reads the rows through the curator alone, "
            "and ε and μ are those of the curator's answers.",)  # fmt: skip


def overspent_warning(entry: MethodEntry, grant: Grant, accounted: Claim) -> tuple[str, ...]:
    """Say that a run may spend more than the ε asked for."""
    if entry.private and accounted.unbounded not in (None, Unbounded.UNPROTECTED):
        return (unbounded_sentence(grant.epsilon, accounted.reason),)
    if not entry.private or accounted.epsilon is None or accounted.epsilon <= grant.epsilon * ROUNDED:
        return ()
    return (overspent_sentence(grant.epsilon, accounted.epsilon),)


def overspent_sentence(asked: float, accounted: float) -> str:
    """The warning about one setting; where many are told of at once, another sentence takes its place."""
    return f"This setting may spend up to ε = {at_most(accounted)}, and ε = {number_text(asked)} is asked for."


def unbounded_sentence(asked: float, reason: str) -> str:
    """The warning about one setting for which no finite ε is accounted, with the reason."""
    return f"This setting is asked for ε = {number_text(asked)}, but {reason}."


def large_delta_warning(delta: float, n: int, entry: MethodEntry) -> tuple[str, ...]:
    """Say that δ alone would let a mechanism publish whole rows."""
    if not entry.private or delta < 1 / n:
        return ()
    return (
        f"δ = {number_text(delta)} is not below 1/n = {number_text(1 / n)}: by δ alone, a mechanism that "
        "publishes some whole row in every release would pass.",
    )

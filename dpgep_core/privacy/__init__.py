"""Curator, ledger, accountant and the one place where randomness is drawn."""

from dpgep_core.privacy.channel import Channel, SampledChannel
from dpgep_core.privacy.curator import Curator
from dpgep_core.privacy.ledger import Claim, Entry, Grant, Ledger, NoisePlan, PlannedAnswer, Unbounded
from dpgep_core.privacy.query import Query

__all__ = [
    "Channel",
    "Claim",
    "Curator",
    "Entry",
    "Grant",
    "Ledger",
    "NoisePlan",
    "PlannedAnswer",
    "Query",
    "SampledChannel",
    "Unbounded",
]

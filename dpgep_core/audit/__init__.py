"""Is that ε true? Lower bounds on ε by attack, to set beside what is claimed and what is accounted."""

from dpgep_core.audit.attack import attack_case, audit
from dpgep_core.audit.bounds import AuditLevel, ceiling, trials_needed
from dpgep_core.audit.case import Case
from dpgep_core.audit.choices import Attack, resolve
from dpgep_core.audit.distinguishers import DISTINGUISHERS, Distinguisher
from dpgep_core.audit.pairs import PAIRS, DatasetPair, PairKind, neighbours
from dpgep_core.audit.reconstruction import outputs_needed, reconstruct_constraint, reconstruct_row
from dpgep_core.audit.result import (
    AuditFinding,
    AuditResult,
    FaultPower,
    bound_growth,
    found_by,
    power_in_words,
    power_of,
    power_table,
)

__all__ = [
    "DISTINGUISHERS",
    "PAIRS",
    "Attack",
    "AuditFinding",
    "AuditLevel",
    "AuditResult",
    "Case",
    "DatasetPair",
    "Distinguisher",
    "FaultPower",
    "PairKind",
    "attack_case",
    "audit",
    "bound_growth",
    "ceiling",
    "found_by",
    "neighbours",
    "outputs_needed",
    "power_in_words",
    "power_of",
    "power_table",
    "reconstruct_constraint",
    "reconstruct_row",
    "resolve",
    "trials_needed",
]

"""Is that ε true? Lower bounds on ε by attack, to set beside what is claimed and what is accounted."""

from dpgep_core.audit.attack import audit
from dpgep_core.audit.choices import Attack, resolve
from dpgep_core.audit.result import AuditFinding, AuditResult, bound_growth

__all__ = ["Attack", "AuditFinding", "AuditResult", "audit", "bound_growth", "resolve"]

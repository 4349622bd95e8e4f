"""Solve one problem privately, compare the answer with the exact one, and read what it cost."""

from dpgep_core import evaluate, load_dataset, solve
from dpgep_core.verdict import judge

digits = load_dataset("digits")
release = solve(digits, model="fda", algorithm="ssp", epsilon=1.0, seed=0)
print(f"directions: {release.components.shape[1]} of {release.components.shape[0]} columns")
print(f"verdict: {judge(release).sentence}")
for entry in release.ledger:
    print(f"ledger: {entry.query}, sensitivity {entry.sensitivity:.3f}, σ = {entry.sigma:.3f}")

found = evaluate(release, digits)  # reads the private rows: for you, not for publication
scores = found.accuracy["lda"]
print(f"mean cosine with the exact directions: {found.mean_cosine_similarity:.3f}")
print(f"accuracy: private {scores.private.accuracy:.3f}, exact {scores.non_private.accuracy:.3f}")
for warning in release.warnings:
    print(f"note: {warning}")

"""Noise scales of the papers: the formula of each published algorithm against numbers worked by hand."""

import math
import tomllib
from pathlib import Path
from typing import Any

import pytest

from dpgep_core import ALGORITHMS, MODELS
from dpgep_core.models.public import PublicFacts
from dpgep_core.privacy import Grant
from dpgep_core.privacy.accountant import root_rho_zcdp
from dpgep_core.protocols import facts_of

PAPERS = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in Path(__file__).parent.glob("*.toml")}
CASES = [
    pytest.param(paper, case, calibration, id=f"{name}-{case['algorithm']}-{case['model']}-{number}-{calibration}")
    for name, paper in PAPERS.items()
    for number, case in enumerate(paper.get("case", []))
    for calibration in ("published", "unit")
    if calibration in case
]
M, XI = 15, 0.01  # the papers' iterations and ridge, defaults here


def public_of(case: dict[str, Any]) -> PublicFacts:
    """Public facts of a problem of the published size; no rows are needed for a noise scale."""
    settings = {"centred": case["centred"]} if "centred" in case else {}
    model, n = MODELS[case["model"]].make(**settings), case["n"]
    relation = case.get("relation", "replace_one")
    return PublicFacts(
        n=n,
        d=50,
        n_classes=2,
        k=1,
        relation=relation,
        sensitivity=model.sensitivity(relation, n),
        published=model.published(n),
        identity_constraint=model.identity_constraint,
        joint_columns=2,
        weight=model.weight,
        seed=0,
        pencil=model.pencil,
    )


@pytest.mark.parametrize(("paper", "case", "calibration"), CASES)
def test_published_noise(paper: dict[str, Any], case: dict[str, Any], calibration: str) -> None:
    method = ALGORITHMS[case["algorithm"]].make(calibration=calibration)
    grant = Grant(epsilon=case["epsilon"], delta=case["n"] ** -1.1)
    found = {
        name: value for name, value in facts_of(method, public_of(case), grant).items() if name.startswith("sigma")
    }
    assert found == pytest.approx(case[calibration], rel=paper["tolerance"])


@pytest.mark.parametrize("case", PAPERS["hu"]["rho"], ids=lambda case: f"n={case['n']}")
def test_published_conversion_to_zcdp(case: dict[str, Any]) -> None:
    assert root_rho_zcdp(case["epsilon"], case["n"] ** -1.1) ** 2 == pytest.approx(case["value"], rel=1e-9)


def test_defaults_are_the_papers() -> None:
    """The cases above were worked with m = 15 and ξ = 0.01."""
    for key in ("dpsr", "dprf"):
        method = ALGORITHMS[key].make()
        assert (method.n_iterations, method.xi) == (M, XI)


@pytest.mark.parametrize("n", [1797, 5000, 60000])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_noise_of_the_first_gradient_does_not_depend_on_the_ridge(n: int, epsilon: float) -> None:
    """σ₁ is free of ξ and σ₂ goes as 1/ξ; both go as √m/ε."""
    case = {"model": "fda", "n": n}
    make, grant = ALGORITHMS["dpsr"].make, Grant(epsilon=epsilon, delta=n**-1.1)
    base = facts_of(make(), public_of(case), grant)
    ridge = facts_of(make(xi=0.001), public_of(case), grant)
    longer = facts_of(make(n_iterations=60), public_of(case), grant)
    assert ridge["sigma_1"] == base["sigma_1"]
    assert ridge["sigma_2"] == pytest.approx(10 * base["sigma_2"])
    for name in ("sigma_1", "sigma_2"):
        assert longer[name] == pytest.approx(math.sqrt(60 / 15) * base[name])


def test_every_paper_is_registered_under_its_title() -> None:
    for paper in PAPERS.values():
        for case in paper.get("case", []):
            assert paper["title"] in ALGORITHMS[case["algorithm"]].source.title

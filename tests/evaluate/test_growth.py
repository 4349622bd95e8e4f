"""Growth is declared by every algorithm, exponents are those that were planted, and predictions follow the sizes."""

from dataclasses import replace

import numpy as np
import pytest

from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.evaluate.forecast import PlannedRun, Speed, forecast, machine_speed
from dpgep_core.evaluate.growth import (
    GrowthPoint,
    cost_model,
    declared_parts,
    exponents,
    fitted_exponent,
    growth_of,
    growth_table,
)
from dpgep_core.growth import SIZES, Growth, powers_of, term_value
from dpgep_core.params import parameters

SAME = Speed(1.0, 1.0, 1.0)
PLAN = PlannedRun(n=10_000, d=100, k=2, m=15, classes=3, algorithms=("ssp", "dprf"), seeds=3, values=4)
AT = np.array([10.0, 32, 100, 320, 1000])


@pytest.mark.parametrize("key", sorted(key for key, entry in ALGORITHMS.items() if not entry.outside))
def test_every_algorithm_says_how_it_grows(key):
    growth = ALGORITHMS[key].growth
    assert growth[0].setting == ""
    for each in growth:
        for term in (*each.terms, *each.memory_terms):
            assert powers_of(term).keys() <= SIZES.keys()
        assert ("m" in powers_of(each.time)) == ("n_iterations" in parameters(ALGORITHMS[key].make))


def test_a_term_is_a_product_of_powers():
    assert powers_of("m d^2 k") == {"m": 1, "d": 2, "k": 1}
    assert term_value("m d^2 k", {"m": 3, "d": 10, "k": 2}) == 600
    assert powers_of(Growth("n d^2").time) == {"n": 1, "d": 2}


@pytest.mark.parametrize(("power", "constant"), [(1.0, 0.0), (2.0, 5000.0), (3.0, 1e6), (1.37, 3.0)])
def test_an_exponent_that_was_planted_is_found_beside_a_constant(power, constant):
    values = constant + AT**power
    assert fitted_exponent(AT, values) == pytest.approx(power, abs=0.05)
    assert fitted_exponent(AT[::-1], values[::-1]) == fitted_exponent(AT, values)


def test_no_growth_is_no_growth():
    assert fitted_exponent(AT, np.full(5, 0.3), level=True) == pytest.approx(0, abs=1e-12)
    assert fitted_exponent(AT, AT**0.4, level=True) == pytest.approx(0.4)  # growth that nobody expected is seen


def test_too_few_sizes_give_no_exponent():
    points = [GrowthPoint(part="exact", setting="", model="fda", varied="d", n=9, d=d, k=1, m=0, classes=2, seconds=1.0,
                          megabytes=1.0) for d in (10, 32, 100)]  # fmt: skip
    assert exponents(points) == []


def test_every_part_was_measured_over_two_decades():
    for part, setting in declared_parts():
        points = [p for p in growth_table() if (p.part, p.setting) == (part, setting)]
        wanted = {"n", "d", "k"} | ({"m"} & powers_of(growth_of(part, setting).time).keys())
        for size in wanted:
            at = [p.sizes[size] for p in points if p.varied == size]
            assert max(at) >= 100 * min(at), (part, setting, size)


def test_the_fitted_costs_are_close_to_what_was_measured():
    for part, setting in declared_parts():
        model = cost_model(part, setting, "seconds")
        assert model.spread < 2.5, (part, setting, model)  # nine of ten points
        assert (model.coefficients >= 0).all()


def test_a_prediction_follows_the_plan():
    found = forecast(PLAN, SAME)
    assert found.least_seconds < found.seconds < found.most_seconds
    assert found.least_megabytes < found.megabytes < found.most_megabytes
    twice = forecast(PLAN, Speed(2.0, 1.0, 4.0))
    assert twice.seconds == pytest.approx(2 * found.seconds)
    assert twice.megabytes == found.megabytes
    shares, more = dict(found.shares), dict(forecast(replace(PLAN, values=8), SAME).shares)
    assert more["ssp"] == pytest.approx(2 * shares["ssp"])
    assert more[""] == shares[""]
    assert dict(forecast(replace(PLAN, one_split=True), SAME).shares)[""] == pytest.approx(shares[""] / 3)


def test_exact_answers_are_made_once_for_a_seed_and_rows_decide_the_steps_of_some():
    plan = replace(PLAN, algorithms=("exact", "dp_spca"))
    assert plan.cells("exact") == 3
    assert plan.cells("dp_spca") == 12
    assert (plan.steps("exact"), plan.steps("dp_spca")) == (15, 10_000)


def test_large_plans_grow_as_declared():
    def seconds(key, **sizes):
        return dict(forecast(replace(PLAN, algorithms=(key,), **sizes), SAME).shares)[key]

    assert seconds("ssp", n=10**8, d=200) / seconds("ssp", n=10**7, d=200) == pytest.approx(10, rel=0.05)
    assert seconds("dpsr", m=2000, d=800) / seconds("dpsr", m=1000, d=800) == pytest.approx(2, rel=0.05)


def test_the_speed_of_a_machine_is_a_positive_ratio():
    speed = machine_speed()
    assert 0 < speed.least <= speed.mean <= speed.most

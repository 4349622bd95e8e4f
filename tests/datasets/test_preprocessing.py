"""Rows end in the unit ball whatever they hold: the sensitivities rest on that."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from dpgep_core.datasets import Preprocessing
from dpgep_core.errors import ParameterError

FINITE = st.floats(allow_nan=False, allow_infinity=False)
EXTREME = st.sampled_from([0.0, -0.0, 1e308, -1.7e308, 5e-324, 1e-170, -1e154, 1e200])
ROWS = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.one_of(FINITE, EXTREME))
BOUND = st.floats(-1e308, 1e308)


@st.composite
def preprocessings(draw):
    lower, upper = sorted([draw(BOUND), draw(BOUND)])
    bounded = draw(st.booleans())
    return Preprocessing(
        lower=lower if bounded else None,
        upper=upper if bounded else None,
        log1p=draw(st.booleans()),
        rows=draw(st.sampled_from(["unit", "clip"])),
        radius=draw(st.floats(1e-320, 1e308)),
    )


@settings(max_examples=400, deadline=None)
@given(block=ROWS, preprocessing=preprocessings())
def test_rows_are_finite_and_in_the_unit_ball(block, preprocessing):
    rows = preprocessing.apply(block)
    assert np.isfinite(rows).all()
    assert (np.linalg.norm(rows, axis=1) <= 1 + 1e-12).all()


@settings(max_examples=200, deadline=None)
@given(block=ROWS)
def test_unit_rows_have_norm_one_unless_they_are_zero(block):
    norms = np.linalg.norm(Preprocessing().apply(block), axis=1)
    assert np.allclose(norms, np.any(block != 0, axis=1), atol=1e-12)


@settings(max_examples=100, deadline=None)
@given(block=ROWS, preprocessing=preprocessings())
def test_each_row_is_prepared_on_its_own(block, preprocessing):
    """Otherwise one record would change many, and no sensitivity would hold."""
    alone = np.vstack([preprocessing.apply(row[None]) for row in block])
    assert np.allclose(preprocessing.apply(block), alone, rtol=1e-12, atol=1e-300)


def test_columns_go_to_their_public_range():
    block = np.array([[5.0, -2.0, 7.0], [20.0, 8.0, 7.0]])
    rows = Preprocessing(lower=(0.0, -4.0, 7.0), upper=(10.0, 2.0, 7.0), rows="clip", radius=10.0).apply(block) * 10
    assert np.allclose(rows, [[0.5, -0.5, 0.0], [1.0, 1.0, 0.0]])


def test_the_logarithm_comes_first_and_only_where_asked():
    rows = Preprocessing(log1p=(1,), rows="clip", radius=10.0).apply(np.array([[3.0, -(np.e - 1)]])) * 10
    assert np.allclose(rows, [[3.0, -1.0]])


def test_clipping_shortens_long_rows_only():
    rows = Preprocessing(rows="clip", radius=2.0).apply(np.array([[3.0, 4.0], [0.6, 0.8]]))
    assert np.allclose(rows, [[0.6, 0.8], [0.3, 0.4]])


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32, np.bool_])
def test_every_number_type_gives_the_same_rows(dtype):
    block = np.array([[1, 0, 1], [0, 1, 1]])
    assert np.array_equal(Preprocessing().apply(block.astype(dtype)), Preprocessing().apply(block))


def test_the_layout_in_memory_does_not_matter():
    """Sums over differently laid out blocks differ in the last bit, and with them the result."""
    block = np.arange(12.0).reshape(4, 3)
    rows = Preprocessing().apply(np.asfortranarray(block))
    assert rows.flags.c_contiguous
    assert np.array_equal(rows, Preprocessing().apply(block))


def test_the_block_itself_is_left_alone():
    block = np.array([[3.0, 4.0]])
    Preprocessing(lower=0.0, upper=1.0).apply(block)
    assert block.tolist() == [[3.0, 4.0]]


@pytest.mark.parametrize(
    ("settings_", "name"),
    [
        ({"lower": 0.0}, "lower and upper"),
        ({"lower": 1.0, "upper": 0.0}, "lower"),
        ({"lower": 0.0, "upper": float("inf")}, "upper"),
        ({"radius": 0.0}, "radius"),
        ({"rows": "whole"}, "rows"),
    ],
)
def test_bad_settings_are_named(settings_, name):
    with pytest.raises(ParameterError) as caught:
        Preprocessing(**settings_)
    assert caught.value.name == name


def test_settings_per_column_must_fit_the_columns():
    with pytest.raises(ParameterError, match="2 numbers"):
        Preprocessing(lower=(0.0, 0.0), upper=(1.0, 1.0)).check_columns(3)
    with pytest.raises(ParameterError, match="log1p"):
        Preprocessing(log1p=(3,)).check_columns(3)

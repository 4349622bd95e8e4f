"""The sets that come with the package: their numbers, what is public about them, and how they are found."""

import hashlib

import numpy as np
import pytest

from dpgep_core.datasets import dataset_names, dataset_title, load_dataset
from dpgep_core.datasets.dataset import prepared_blocks
from dpgep_core.errors import UnknownNameError
from sample_data import load_mnist
from sample_data.adult import FEATURE_NAMES, load_adult

SHAPES = {
    "mnist": (60_000, 784, 10),
    "adult": (32_561, 123, 2),
    "digits": (1_797, 64, 10),
    "breast_cancer": (569, 30, 2),
    "wine": (178, 13, 3),
    "diabetes": (442, 10, 5),
}
SYNTHETIC = ["synthetic_pca", "synthetic_fda", "synthetic_cca", "synthetic_sir", "synthetic_sparse"]
A9A_DIGESTS = (  # of the rows and labels of LIBSVM's own a9a and a9a.t, as uint8 and int8
    "d80c2f27f09f53b11dd90a375a70a10d51ca4aa0980a1bde8bac0f5bad0662f3",
    "01361141f3eb7b0b21dc99bbdd4a6b9a5cff41e761c67e7361556e671a26ef21",
    "97c3422f8e4d5a5031d0a942e09d8c1b00a40cc21a2c9184db112406caf70d6c",
    "2999fa0c50b02463ce56873b82c5498ef8e8ef072e98e06927e288e2704311ec",
)


@pytest.fixture(autouse=True)
def _no_folder(monkeypatch):
    monkeypatch.delenv("DPGEP_DATA_DIR", raising=False)


def test_names_are_the_contract():
    assert dataset_names() == [*SHAPES, *SYNTHETIC]


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_classes_and_provenance(name):
    dataset = load_dataset(name)
    assert (dataset.n, dataset.d, dataset.n_classes) == SHAPES[name]
    assert dataset.title == dataset_title(name) != name
    assert dataset.licence
    assert dataset.source
    assert dataset.classes_declared
    assert set(np.unique(dataset.y)) == set(range(dataset.n_classes))


@pytest.mark.parametrize("name", SHAPES)
def test_declared_bounds_contain_every_row(name):
    """Clipping at a public bound distorts no bundled row."""
    dataset = load_dataset(name)
    parts = [dataset.X] if dataset.X_test is None else [dataset.X, dataset.X_test]
    for part in parts:
        assert (part.min(axis=0) >= dataset.preprocessing.lower).all()
        assert (part.max(axis=0) <= np.asarray(dataset.preprocessing.upper)).all()


@pytest.mark.parametrize("name", ["mnist", "adult", "digits"])
def test_small_whole_numbers_stay_one_byte_each(name):
    assert load_dataset(name).X.dtype == np.uint8


def test_mnist_is_the_published_set():
    """MNIST has its known mean and its known first labels."""
    table = load_mnist()
    assert table.X.mean() / 255 == pytest.approx(0.13066, abs=1e-5)
    assert table.X_test.shape == (10_000, 784)
    assert table.y[:10].tolist() == [5, 0, 4, 1, 9, 2, 1, 3, 1, 4]
    assert table.y_test[:5].tolist() == [7, 2, 1, 0, 4]


def test_adult_is_a9a_row_for_row():
    assert tuple(hashlib.sha256(part.tobytes()).hexdigest() for part in load_adult()) == A9A_DIGESTS


def test_adult_column_names_say_what_each_bit_means():
    """The first record is 39 years old, has a bachelor's degree and works 40 hours."""
    bits = {name for name, bit in zip(FEATURE_NAMES, load_adult().X[0], strict=True) if bit}
    assert {"32 < age ≤ 40", "education = Bachelors", "39 < hours per week ≤ 40", "capital gain > 0"} <= bits
    assert len(FEATURE_NAMES) == len(set(FEATURE_NAMES)) == 123
    assert "age ≤ 25" in FEATURE_NAMES


def test_public_bounds_keep_proline_from_drowning_the_other_columns_of_wine():
    dataset = load_dataset("wine")
    raw = (dataset.X**2).sum(axis=0)
    _, rows = next(prepared_blocks(dataset.X, dataset.preprocessing))
    bounded = (rows**2).sum(axis=0)
    proline = dataset.feature_names.index("proline")
    assert raw[proline] / raw.sum() > 0.95
    assert bounded[proline] / bounded.sum() < 0.15


def test_loading_again_gives_the_same_object():
    """Caches are keyed by the identity of a data set."""
    assert load_dataset("digits") is load_dataset("digits")


def test_a_set_in_use_keeps_its_identity_however_many_are_loaded_since():
    held = load_dataset("wine")
    for name in dataset_names():
        if name not in ("wine", "mnist"):
            load_dataset(name)
    assert load_dataset("wine") is held


@pytest.mark.parametrize("name", ["../x", "", "MNIST", "sample_data/mnist", "wine.npz"])
def test_unknown_names_list_the_known_ones(name):
    with pytest.raises(UnknownNameError, match="mnist, adult, digits") as caught:
        load_dataset(name)
    assert caught.value.name == "dataset"
    with pytest.raises(UnknownNameError):
        dataset_title(name)


def test_a_slip_gets_a_hint():
    with pytest.raises(UnknownNameError, match="did you mean 'digits'"):
        load_dataset("digit")

"""The data sets of the papers: which of ours each is, and what is said where it is not here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpgep_core.datasets import dataset_names

FOLDER = "set DPGEP_DATA_DIR to a folder that holds it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """``names`` are the data sets of this package or the user's folder that are the paper's, best first.

    ``part_of`` is the paper's data set of which only these rows are here.
    """

    names: tuple[str, ...]
    missing: str
    remark: str = ""
    part_of: str = ""


SOURCES: Mapping[str, Source] = {
    "MNIST": Source(names=("mnist",), missing=""),
    "a9a": Source(names=("adult", "a9a"), missing="", remark="bundled as adult, row for row"),
    "Fashion": Source(names=("fashion",), missing=f"{FOLDER} (fashion.npz, or its IDX files)"),
    "CIFAR10": Source(
        names=("cifar10",),
        missing=f"CIFAR-10's training split is not bundled; {FOLDER} (cifar10.npz). The test batch is no substitute",
    ),
    "Dota2": Source(names=("dota2",), missing=f"{FOLDER} (dota2.npz)"),
    "IoT22": Source(names=("rt_iot2022",), missing=f"{FOLDER} (rt_iot2022.npz)"),
    "Covertype": Source(names=("covertype",), missing=f"the whole of Covertype is not bundled; {FOLDER}"),
    "Covertype (16 %)": Source(
        names=("covertype_part",),
        missing=f"{FOLDER} (covertype_part.npz)",
        remark="a stratified part of 92,962 rows; the paper has 581,012",
        part_of="Covertype",
    ),
    "Optical": Source(
        names=("optical", "crop_mapping"),
        missing="the paper's Optical is UCI 525, Crop mapping using fused optical-radar data (325,834 rows, 98 radar "
        f"and 76 optical columns, 7 crops), which is not bundled; {FOLDER} (optical.npz)",
    ),
    "Synthetic": Source(names=("generated",), missing="", remark="generated here: standard normal entries"),
    "Real-sim": Source(names=("real-sim", "real_sim"), missing="Real-sim is not to be had here and is not replaced"),
}
GENERATED = ("generated",)


def available(wanted: Sequence[str]) -> dict[str, str]:
    """The names under which data sets of the papers can be loaded; what is not here is left out."""
    here = (*dataset_names(), *GENERATED)
    found = {name: next((ours for ours in SOURCES[name].names if ours in here), None) for name in wanted}
    return {name: ours for name, ours in found.items() if ours is not None}


def is_part(name: str) -> bool:
    """Whether it stands in for a data set of the paper of which only a part is here."""
    return bool(SOURCES[name].part_of)


def absent(wanted: Sequence[str]) -> dict[str, str]:
    """Those that are not here, and why."""
    here = available(wanted)
    return {name: SOURCES[name].missing for name in wanted if name not in here}

"""The data sets of the papers: which of ours each is, and what is said where it is not here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpgep_core.datasets import dataset_names

SET_FOLDER = "set DPGEP_DATA_DIR to a folder that holds it"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperData:
    """``names`` are the data sets of this package or the user's folder that are the paper's, best first.

    ``part_of`` is the paper's data set of which only these rows are here.
    """

    names: tuple[str, ...]
    missing: str
    remark: str = ""
    part_of: str = ""


SOURCES: Mapping[str, PaperData] = {
    "MNIST": PaperData(names=("mnist",), missing=""),
    "a9a": PaperData(names=("adult", "a9a"), missing="", remark="bundled as adult, row for row"),
    "Fashion": PaperData(names=("fashion",), missing=f"{SET_FOLDER} (fashion.npz, or its IDX files)"),
    "CIFAR10": PaperData(
        names=("cifar10",),
        missing=f"CIFAR-10's training split is not bundled; {SET_FOLDER} (cifar10.npz). "
        "The test batch is no substitute",
    ),
    "Dota2": PaperData(names=("dota2",), missing=f"{SET_FOLDER} (dota2.npz)"),
    "IoT22": PaperData(names=("rt_iot2022",), missing=f"{SET_FOLDER} (rt_iot2022.npz)"),
    "Covertype": PaperData(names=("covertype",), missing=f"the whole of Covertype is not bundled; {SET_FOLDER}"),
    "Covertype (16 %)": PaperData(
        names=("covertype_part",),
        missing=f"{SET_FOLDER} (covertype_part.npz)",
        remark="a stratified part of 92,962 rows; the paper has 581,012",
        part_of="Covertype",
    ),
    "Optical": PaperData(
        names=("optical", "crop_mapping"),
        missing="the paper's Optical is UCI 525, Crop mapping using fused optical-radar data (325,834 rows, 98 radar "
        f"and 76 optical columns, 7 crops), which is not bundled; {SET_FOLDER} (optical.npz)",
    ),
    "Synthetic": PaperData(names=("generated",), missing="", remark="generated here: standard normal entries"),
    "Real-sim": PaperData(names=("real-sim", "real_sim"), missing="Real-sim is not to be had here and is not replaced"),
}
GENERATED_NAMES = ("generated",)


def available(wanted: Sequence[str]) -> dict[str, str]:
    """The names under which data sets of the papers can be loaded; what is not here is left out."""
    here = (*dataset_names(), *GENERATED_NAMES)
    found = {name: next((ours for ours in SOURCES[name].names if ours in here), None) for name in wanted}
    return {name: ours for name, ours in found.items() if ours is not None}


def is_part(name: str) -> bool:
    """Whether it stands in for a data set of the paper of which only a part is here."""
    return bool(SOURCES[name].part_of)


def absent(wanted: Sequence[str]) -> dict[str, str]:
    """Data sets of a paper that are not here, each with the reason."""
    here = available(wanted)
    return {name: SOURCES[name].missing for name in wanted if name not in here}

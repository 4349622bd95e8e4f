"""Data sets that a package of the operating system has put where this project looks for them."""

from dpgep_core.datasets.dataset import Bundle, Dataset
from dpgep_core.datasets.obtain.catalogue import FASHION_NAMES, public_set
from dpgep_core.datasets.obtain.routes import DEBIAN_FASHION
from dpgep_core.datasets.obtain.unpack import UNPACK
from dpgep_core.datasets.preprocessing import Preprocessing

SHAPE = (28, 28)


def installed_sets() -> dict[str, Bundle]:
    """Fashion-MNIST where Debian's ``dataset-fashion-mnist`` is installed; nothing elsewhere. No rows are read."""
    if not (DEBIAN_FASHION / "train-images-idx3-ubyte.gz").is_file():
        return {}
    return {"fashion": Bundle("fashion", public_set("fashion").title, _fashion)}


def _fashion() -> Dataset:
    known, arrays = public_set("fashion"), UNPACK["fashion"](sorted(DEBIAN_FASHION.iterdir()))
    return Dataset(
        known.key,
        known.title,
        **arrays,  # pyright: ignore[reportArgumentType]
        classes=FASHION_NAMES,
        preprocessing=Preprocessing(lower=0.0, upper=255.0),
        image_shape=SHAPE,
        licence=known.licence,
        source=f"{known.page}, from {DEBIAN_FASHION}",
    )

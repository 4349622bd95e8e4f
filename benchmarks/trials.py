"""The command line of trials: results of each case at each ε and seed, as a table in a file and means on screen."""

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

Results = Callable[[str, list[float], int], Iterable[dict[str, Any]]]


def run_trial(
    document: str | None,
    results: Results,
    *,
    names: Iterable[str],
    epsilons: str,
    told: Sequence[str],
    option: str = "datasets",
    finish: Callable[[pd.DataFrame], pd.DataFrame] = lambda table: table,
) -> None:
    """Read the command line, measure, and write the table after each case.

    Parameters
    ----------
    document : str
        Of the script, shown as its help.
    results : callable
        From a name, the values of ε and the number of seeds to rows; each says its ``epsilon``, ``form`` and ``seed``.
    names, epsilons : str
        Measured where nothing else is asked for.
    told : sequence of str
        Columns whose means are printed, by case, ε and form.
    option : str
        What the names are, as an option.
    finish : callable
        Applied to the table before it is written.
    """
    parser = argparse.ArgumentParser(description=document, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument(f"--{option}", dest="names", default=",".join(names))
    parser.add_argument("--epsilon", default=epsilons)
    parser.add_argument("--seeds", type=int, default=10)
    asked = parser.parse_args()
    values, found, table = [float(each) for each in asked.epsilon.split(",")], list[dict[str, Any]](), pd.DataFrame()
    for name in asked.names.split(","):
        found += results(name, values, asked.seeds)
        table = finish(pd.DataFrame(found))
        table.to_csv(asked.out, index=False)
    print(table.groupby([table.columns[0], "epsilon", "form"])[list(told)].agg(["mean", "sem", "count"]).to_string())

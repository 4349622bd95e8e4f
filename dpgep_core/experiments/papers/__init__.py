"""The tables and figures of the papers, reproduced: what they published beside what comes out here."""

from dpgep_core.experiments.papers.catalogue import EXHIBITS, exhibit
from dpgep_core.experiments.papers.reproduce import Reproduction, ReproductionRequest, reproduce

__all__ = ["EXHIBITS", "Reproduction", "ReproductionRequest", "exhibit", "reproduce"]

"""The algorithms: one file, one source. Importing this package fills the registry."""

from dpgep_core.algorithms import analyze_gauss as analyze_gauss
from dpgep_core.algorithms import dp_spca as dp_spca
from dpgep_core.algorithms import dp_vrpca as dp_vrpca
from dpgep_core.algorithms import dprf as dprf
from dpgep_core.algorithms import dpsr as dpsr
from dpgep_core.algorithms import dpsr_corrected as dpsr_corrected
from dpgep_core.algorithms import dpsrs as dpsrs
from dpgep_core.algorithms import dptrf as dptrf
from dpgep_core.algorithms import exact as exact
from dpgep_core.algorithms import local_gaussian as local_gaussian
from dpgep_core.algorithms import mod_sulq as mod_sulq
from dpgep_core.algorithms import ppi as ppi
from dpgep_core.algorithms import rayleigh_flow as rayleigh_flow
from dpgep_core.algorithms import sr as sr
from dpgep_core.algorithms import sr_dp as sr_dp
from dpgep_core.algorithms import ssp as ssp
from dpgep_core.algorithms import truncated_rayleigh_flow as truncated_rayleigh_flow
from dpgep_core.algorithms import wishart as wishart
from dpgep_core.method import ALGORITHMS as ALGORITHMS

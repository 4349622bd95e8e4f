"""What one record can do: neighbouring data sets, statistics with their bounds, and the search for the worst pairs."""

from dpgep_core.models.neighbours.broken import COUNTEREXAMPLES as COUNTEREXAMPLES
from dpgep_core.models.neighbours.broken import Counterexample as Counterexample
from dpgep_core.models.neighbours.extremal import extremal as extremal
from dpgep_core.models.neighbours.extremal import extremal_pairs as extremal_pairs
from dpgep_core.models.neighbours.rows import UNIT_BALL as UNIT_BALL
from dpgep_core.models.neighbours.rows import Pair as Pair
from dpgep_core.models.neighbours.rows import Rows as Rows
from dpgep_core.models.neighbours.rows import axis as axis
from dpgep_core.models.neighbours.rows import blocks as blocks
from dpgep_core.models.neighbours.rows import in_ball as in_ball
from dpgep_core.models.neighbours.rows import random_pairs as random_pairs
from dpgep_core.models.neighbours.search import SIZES as SIZES
from dpgep_core.models.neighbours.search import Found as Found
from dpgep_core.models.neighbours.search import worst as worst
from dpgep_core.models.neighbours.statistics import STATISTICS as STATISTICS
from dpgep_core.models.neighbours.statistics import Statistic as Statistic
from dpgep_core.models.neighbours.statistics import statistic_of as statistic_of
from dpgep_core.models.neighbours.whitened import whitened_change as whitened_change
from dpgep_core.models.neighbours.whitened import worst_whitened as worst_whitened

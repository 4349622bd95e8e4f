"""Effects of one record: neighbouring data sets, statistics with their bounds, and the search for the worst pairs."""

from dpgep_core.models.neighbours.broken import COUNTEREXAMPLES as COUNTEREXAMPLES
from dpgep_core.models.neighbours.broken import Counterexample as Counterexample
from dpgep_core.models.neighbours.extremal import extremal as extremal
from dpgep_core.models.neighbours.extremal import extremal_pairs as extremal_pairs
from dpgep_core.models.neighbours.rows import UNIT_BALL as UNIT_BALL
from dpgep_core.models.neighbours.rows import BallRows as BallRows
from dpgep_core.models.neighbours.rows import NeighbourPair as NeighbourPair
from dpgep_core.models.neighbours.rows import axis as axis
from dpgep_core.models.neighbours.rows import in_ball as in_ball
from dpgep_core.models.neighbours.rows import rows_of_blocks as rows_of_blocks
from dpgep_core.models.neighbours.search import SEARCH_SIZES as SEARCH_SIZES
from dpgep_core.models.neighbours.search import WorstPair as WorstPair
from dpgep_core.models.neighbours.search import worst as worst
from dpgep_core.models.neighbours.statistics import STATISTICS as STATISTICS
from dpgep_core.models.neighbours.statistics import Statistic as Statistic
from dpgep_core.models.neighbours.statistics import statistic_of as statistic_of
from dpgep_core.models.neighbours.whitened import whitened_change as whitened_change
from dpgep_core.models.neighbours.whitened import worst_whitened as worst_whitened

"""Canonical correlations: formulas, peers, views, and what one record can change under both norm bounds."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import linalg
from scipy.optimize import minimize
from sklearn.cross_decomposition import CCA

from dpgep_core import Dataset, Preprocessing, evaluate, load_dataset, solve
from dpgep_core.datasets.dataset import prepared_blocks
from dpgep_core.errors import DataError, ParameterError
from dpgep_core.evaluate.reference import Reference
from dpgep_core.models import MODELS, Cca, queries
from dpgep_core.models.moment_products import MomentProducts
from dpgep_core.models.moments import Moments, moments_of
from dpgep_core.models.neighbours import UNIT_BALL, in_ball
from dpgep_core.models.problem import Problem, Sample
from dpgep_core.models.product_pencil import ProductPencil
from dpgep_core.privacy.query import Array
from dpgep_core.release import Setting

ROUNDING = 1e-9
NORMS = ("joint", "separate")
RELATIONS = ("replace_one", "add_remove")
JOINT, SEPARATE = Cca(), Cca(norm="separate")
D = 4  # two columns in each view


def cosines(V: Array, W: Array) -> Array:
    return np.abs((V / np.linalg.norm(V, axis=0) * (W / np.linalg.norm(W, axis=0))).sum(axis=0))


def correlated(n: int = 400, d: int = 7, seed: int = 0) -> Array:
    """Rows inside the unit ball whose columns are all correlated."""
    rng = np.random.default_rng(seed)
    return 0.1 * rng.standard_normal((n, d)) @ (np.eye(d) + 0.5 * rng.standard_normal((d, d)))


class TestPencil:
    @pytest.mark.parametrize("first", [(0, 1, 2), (1, 4, 6), (5,), (0, 1, 2, 3, 4, 5)])
    def test_blocks_of_the_covariance(self, first: tuple[int, ...]) -> None:
        X = correlated()
        second = [j for j in range(7) if j not in first]
        x, y = (UNIT_BALL.apply(X)[:, list(view)] for view in (first, second))
        pencil = Cca(first_view=first).pencil(moments_of(X, None, 0, UNIT_BALL))
        between = (x - x.mean(axis=0)).T @ (y - y.mean(axis=0)) / len(X)
        np.testing.assert_allclose(pencil.target[np.ix_(first, second)], between, atol=1e-14)
        np.testing.assert_allclose(pencil.target[np.ix_(second, first)], between.T, atol=1e-14)
        assert not pencil.target[np.ix_(first, first)].any()
        assert not pencil.target[np.ix_(second, second)].any()
        B = pencil.constraint_matrix
        np.testing.assert_allclose(B[np.ix_(first, first)], np.cov(x.T, bias=True), atol=1e-14)
        np.testing.assert_allclose(B[np.ix_(second, second)], np.cov(y.T, bias=True), atol=1e-14)
        assert not B[np.ix_(first, second)].any()

    def test_halves_by_default(self) -> None:
        moments = moments_of(correlated(), None, 0, UNIT_BALL)
        np.testing.assert_array_equal(Cca().pencil(moments).target, Cca(view_columns=3).pencil(moments).target)
        np.testing.assert_array_equal(Cca().pencil(moments).target, Cca(first_view=(0, 1, 2)).pencil(moments).target)

    @pytest.mark.parametrize("xi", [0.0, 0.01])
    def test_the_textbook_formula(self, xi: float) -> None:
        """Singular vectors of Σx^-½ Σxy Σy^-½, and eigenvalues ±ρ in pairs."""
        pencil = Cca(view_columns=3).pencil(moments_of(correlated(), None, 0, UNIT_BALL))
        A, B = pencil.target, pencil.constraint_matrix + xi * np.eye(7)
        root_x, root_y = (linalg.inv(linalg.sqrtm(part)) for part in (B[:3, :3], B[3:, 3:]))
        left, values, right = linalg.svd(root_x @ A[:3, 3:] @ root_y, full_matrices=False)
        V = pencil.solve(3, xi)
        np.testing.assert_allclose(pencil.quotients(V, xi), values, rtol=1e-9)
        np.testing.assert_allclose(cosines(V[:3], root_x @ left), 1.0, atol=1e-9)
        np.testing.assert_allclose(cosines(V[3:], root_y @ right.T), 1.0, atol=1e-9)
        mirrored = np.vstack([V[:3], -V[3:]])
        np.testing.assert_allclose(pencil.quotients(mirrored, xi), -values, rtol=1e-9)

    def test_directions_and_correlations_are_scikit_learns(self) -> None:
        """On synthetic_cca, without a ridge."""
        dataset = load_dataset("synthetic_cca")
        rows = dataset.preprocessing.apply(dataset.X)
        peer = CCA(n_components=2, scale=False, max_iter=2000, tol=1e-12).fit(rows[:, :10], rows[:, 10:])
        pencil = Problem(Sample(dataset.X, None, 0, dataset.preprocessing), Cca()).pencil
        V = pencil.solve(2, 0.0)
        np.testing.assert_allclose(cosines(V[:10], peer.x_rotations_), 1.0, atol=1e-6)
        np.testing.assert_allclose(cosines(V[10:], peer.y_rotations_), 1.0, atol=1e-6)
        x, y = peer.transform(rows[:, :10], rows[:, 10:])
        peers = [np.corrcoef(x[:, j], y[:, j])[0, 1] for j in range(2)]
        np.testing.assert_allclose(pencil.quotients(V), peers, rtol=1e-6)


class TestViews:
    def dataset(self, views: tuple[tuple[int, ...], ...] | None = None, d: int = 7) -> Dataset:
        return Dataset("rows", "Rows", correlated(d=d), preprocessing=UNIT_BALL, views=views)

    def test_declared_views_are_used_and_columns_may_come_in_any_order(self) -> None:
        order = [3, 0, 5, 1, 6, 2, 4]
        declared = self.dataset(((0, 1, 2), (3, 4, 5, 6)))
        first = tuple(order.index(j) for j in (0, 1, 2))
        shuffled = Dataset(
            "rows", "Rows", declared.X[:, order], preprocessing=UNIT_BALL,
            views=(first, tuple(j for j in range(7) if j not in first)),
        )  # fmt: skip
        one, other = (solve(data, "cca", "exact", n_components=3).components for data in (declared, shuffled))
        np.testing.assert_allclose(cosines(one[order], other), 1.0, atol=1e-9)

    def test_a_number_of_columns_comes_first(self) -> None:
        declared = self.dataset(((0, 6), (1, 2, 3, 4, 5)))
        chosen = solve(declared, "cca", "exact", view_columns=3).components
        halves = solve(self.dataset(), "cca", "exact").components
        np.testing.assert_array_equal(chosen, halves)
        assert not np.allclose(cosines(solve(declared, "cca", "exact").components, halves), 1.0)

    def test_two_components_or_what_there_is(self) -> None:
        assert solve("synthetic_cca", "cca", "exact").components.shape == (20, 2)
        assert solve(self.dataset(), "cca", "exact", view_columns=1).components.shape == (7, 1)

    def test_more_components_than_the_smaller_view_has_are_pointed_out(self) -> None:
        release = solve(self.dataset(), "cca", "exact", view_columns=2, n_components=3)
        assert release.warnings == ("Only 2 of k = 3 components carry anything.",)
        assert not solve(self.dataset(), "cca", "exact", view_columns=2).warnings

    def test_bad_views(self) -> None:
        with pytest.raises(ParameterError, match="view_columns must be below the number of columns, 7"):
            solve(self.dataset(), "cca", "exact", view_columns=7)
        with pytest.raises(DataError, match="model cca: 1 column"):
            solve(Dataset("one", "One", correlated(d=1)), "cca", "exact")
        for views in (((0, 1), (2, 3)), ((0, 1, 2), (2, 3, 4, 5, 6)), ((), tuple(range(7))), (tuple(range(7)),)):
            with pytest.raises(DataError, match="share out columns 0 to 6"):
                self.dataset(views)


class TestSeparateNorms:
    @pytest.mark.parametrize(
        "declared",
        [Preprocessing(), UNIT_BALL, Preprocessing(rows="clip", radius=50.0), Preprocessing(lower=-1, upper=1)],
    )
    def test_each_view_has_half_the_squared_norm(self, declared: Preprocessing) -> None:
        rng = np.random.default_rng(0)
        X = rng.standard_cauchy((200, 5)) * 10.0 ** rng.integers(-200, 200, (200, 1))
        X[0, :2], X[1] = 0.0, 0.0
        rows = SEPARATE.preparation(declared, 5).apply(X)
        for view in (rows[:, :2], rows[:, 2:]):
            assert np.linalg.norm(view, axis=1).max() <= math.sqrt(0.5) * (1 + ROUNDING)
        assert np.isfinite(rows).all()
        assert not rows[1].any()

    def test_a_long_view_does_not_quieten_the_other(self) -> None:
        X = np.array([[3.0, 4.0, 0.006, 0.008], [1.0, 0.0, 0.0, 1.0]])
        rows = SEPARATE.preparation(Preprocessing(), 4).apply(X)
        np.testing.assert_allclose(rows[0], np.array([0.6, 0.8, 0.6, 0.8]) / math.sqrt(2))
        clipped = SEPARATE.preparation(Preprocessing(rows="clip", radius=10.0), 4).apply(X)
        np.testing.assert_allclose(clipped, X / (10 * math.sqrt(2)))

    def test_held_out_rows_get_the_same(self) -> None:
        setting = Setting(model="cca", algorithm="exact", params=(("norm", "separate"),))
        reference = Reference.of(load_dataset("digits"), setting)
        for view in (reference.test_rows[:, :32], reference.test_rows[:, 32:]):
            np.testing.assert_allclose(np.linalg.norm(view, axis=1), math.sqrt(0.5), rtol=1e-6)

    def test_both_preparations_of_one_sample_are_kept_apart(self) -> None:
        dataset = load_dataset("digits")
        sample = Sample(dataset.X, dataset.y, 10, dataset.preprocessing)
        joint, separate, again = (Problem(sample, model).moments for model in (JOINT, SEPARATE, Cca()))
        assert joint is again
        assert not np.allclose(joint.gram, separate.gram)

    def test_a_group_that_leaves_a_column_out_is_refused(self) -> None:
        """The column left out would keep any length, and every sensitivity would be void."""
        with pytest.raises(ParameterError, match="views"):
            Preprocessing(views=((0,), (2,))).apply(np.ones((3, 3)))


def pencils(X: Array, X2: Array, model: Cca, n: int) -> list[Array]:
    """Changes of A and of B between two data sets as the product prepares them, over the public n."""
    changes: list[Array] = []
    for rows in (X, X2):
        moments = Problem(Sample(rows, None, 0, UNIT_BALL), model).moments
        pencil = model.pencil(Moments(float(n), moments.gram, moments.sums, moments.counts))
        changes.append(np.array([pencil.target, pencil.constraint_matrix]))
    return list(changes[0] - changes[1])


def ratios(t: Array, n: int, model: Cca, relation: str, declared: int) -> tuple[float, float]:
    """Changes over bounds; ``t`` holds n rows and one more, in the unit ball (each view in its own where separate)."""
    points = t.reshape(n + 1, D)
    if relation == "replace_one":
        one, other, declared = points[:n], np.vstack([points[n:], points[1:n]]), n
    else:
        one, other = points[:n], points[1:n]
    A, B = pencils(one, other, model, declared)
    bound = model.sensitivity(relation, declared)
    return float(np.linalg.norm(A)) / bound.target, float(np.linalg.norm(B)) / bound.constraint


def others_at(where: Array, n: int, before: Array, after: Array) -> tuple[Array, Array]:
    rest = np.tile(where, (n - 1, 1))
    return np.vstack([before, rest]), np.vstack([after, rest])


class TestSensitivity:
    @pytest.mark.parametrize("n", [2, 10, 20_000])
    def test_worst_neighbours_reach_every_replace_one_bound(self, n: int) -> None:
        e, f = np.eye(D)[0], np.eye(D)[2]
        half = math.sqrt(0.75)
        worst = {
            (JOINT, 0): others_at(-f, n, half * e + f / 2, -half * e + f / 2),
            (JOINT, 1): others_at(e, n, -e, e),
            (SEPARATE, 0): others_at(e + f, n, -e - f, e + f),
            (SEPARATE, 1): others_at(e + f, n, -e - f, e + f),
        }
        for (model, which), (X, X2) in worst.items():
            changes, bound = pencils(X, X2, model, n), model.sensitivity("replace_one", n)
            expected = (bound.target, bound.constraint)[which]
            assert np.linalg.norm(changes[which]) == pytest.approx(expected, rel=1e-9)

    def test_numbers(self) -> None:
        n = 1000
        assert n * JOINT.sensitivity("replace_one", n).target == pytest.approx(3.6742 * 0.999, rel=1e-4)
        assert n * JOINT.sensitivity("replace_one", n).constraint == pytest.approx(4 * 0.999)
        for model in (JOINT, SEPARATE):
            assert n * model.sensitivity("add_remove", n).target == pytest.approx(math.sqrt(8))
        assert n * JOINT.sensitivity("add_remove", n).constraint == pytest.approx(4)
        for which in ("target", "constraint"):
            assert n * getattr(SEPARATE.sensitivity("replace_one", n), which) == pytest.approx(math.sqrt(8) * 0.999)
            assert n * getattr(JOINT.published(n), which) == 12
            assert n * getattr(SEPARATE.published(n), which) == 6

    @pytest.mark.parametrize("norm", NORMS)
    @pytest.mark.parametrize("relation", RELATIONS)
    def test_never_exceeded_by_random_neighbours(self, relation: str, norm: str) -> None:
        model, rng = Cca(norm=norm), np.random.default_rng(3)
        for n in (2, 3, 4, 9):
            for _ in range(100):
                size = (n + 1) * D
                declared = int(rng.choice([n, max(n - 1, 2)]))
                for t in (2 * rng.standard_normal(size), rng.choice([-2.0, 0.0, 2.0], size)):
                    assert max(ratios(t, n, model, relation, declared)) <= 1 + ROUNDING

    @pytest.mark.parametrize("norm", NORMS)
    @pytest.mark.parametrize("relation", RELATIONS)
    @pytest.mark.parametrize("which", [0, 1])
    def test_never_exceeded_by_searched_neighbours(self, which: int, relation: str, norm: str) -> None:
        """For replace-one the search finds the bound, so that finding nothing worse means something."""
        model, best = Cca(norm=norm), 0.0
        rng, n = np.random.default_rng(1), 2
        for _ in range(8):
            best = max(best, search(lambda t: ratios(t, n, model, relation, n)[which], (n + 1) * D, rng))
        assert best <= 1 + ROUNDING
        assert best >= 0.995 or relation == "add_remove"

    @pytest.mark.parametrize("d", [2, 5])
    def test_the_block_in_which_the_views_meet(self, d: int) -> None:
        """‖C‖ ≤ 3√3/2 for C = a_x b_yᵀ-type differences in the unit ball: the lemma itself, without a data set."""
        rng = np.random.default_rng(d)

        def norm(t: Array) -> float:
            p, q, m = in_ball(t.reshape(3, 2 * d))
            a, b = p - m, q - m
            return float(np.linalg.norm(np.outer(a[:d], a[d:]) - np.outer(b[:d], b[d:])))

        best = max(search(norm, 6 * d, rng) for _ in range(12))
        assert 0.999 * 1.5 * math.sqrt(3) <= best <= 1.5 * math.sqrt(3) * (1 + ROUNDING)

    @pytest.mark.parametrize("norm", NORMS)
    @pytest.mark.parametrize("weight", [0.1, 0.3, 1.0])
    def test_joint_release(self, weight: float, norm: str) -> None:
        """Rows stay in the unit ball under both norms, so one bound serves both; two rows reach it."""
        model = Cca(norm=norm)
        e, f = np.eye(D)[0], np.eye(D)[2]
        x = e + f  # of norm 1 in each view; the joint norm bound shortens it
        angle = math.acos(-weight)
        turned = math.cos(angle) * e + math.sin(angle) * np.eye(D)[1]
        other = turned + math.cos(angle) * f + math.sin(angle) * np.eye(D)[3]
        problems = [Problem(Sample(np.vstack([row, e]), None, 0, UNIT_BALL), model) for row in (x, other)]
        query = queries.joint_gram(weight, problems[0].public(k=1, relation="replace_one", seed=0))
        change = np.linalg.norm(query.evaluate(problems[0]) - query.evaluate(problems[1]))
        assert query.sensitivity == pytest.approx(math.sqrt(2) * (1 + weight))
        assert change == pytest.approx(query.sensitivity, rel=1e-9)
        rng = np.random.default_rng(0)
        for _ in range(200):
            X = 10.0 * rng.standard_normal((3, D))
            X2 = np.vstack([10.0 * rng.standard_normal(D), X[1:]])
            one, two = (query.evaluate(Problem(Sample(rows, None, 0, UNIT_BALL), model)) for rows in (X, X2))
            assert np.linalg.norm(one - two) <= query.sensitivity * (1 + ROUNDING)


def search(value: Callable[[Array], float], size: int, rng: np.random.Generator) -> float:
    """The largest value that a local search from a corner finds."""
    start = rng.choice([-1.5, 0.2, 1.5], size) + 0.3 * rng.standard_normal(size)
    found = minimize(lambda t: -value(t), start, method="L-BFGS-B", options={"maxiter": 40})
    return max(value(start), -float(found.fun))


class TestRecovery:
    @pytest.mark.parametrize("norm", NORMS)
    @pytest.mark.parametrize(("algorithm", "epsilon", "least"), [("exact", 1.0, 0.99), ("ssp", 1.0, 0.99)])
    def test_known_pairs(self, algorithm: str, epsilon: float, least: float, norm: str) -> None:
        dataset = load_dataset("synthetic_cca")
        release = solve(dataset, "cca", algorithm, epsilon=epsilon, norm=norm)
        assert dataset.truth is not None
        assert (cosines(release.components, dataset.truth) > least).all()

    @pytest.mark.parametrize("norm", NORMS)
    @pytest.mark.parametrize("relation", RELATIONS)
    def test_noise_that_vanishes(self, relation: str, norm: str) -> None:
        for name in ("synthetic_cca", "digits", "diabetes"):
            one = {"steps": 1, "xi": 0.01}  # without noise two steps give the answer of reweighted rows
            release = solve(name, "cca", "ssp", epsilon=1e6, norm=norm, relation=relation, **one)
            np.testing.assert_allclose(evaluate(release, name, classifiers=()).cosine_similarity, 1.0, atol=1e-3)
            assert [entry.query for entry in release.ledger] == ["Σ zzᵀ, z = [x; w·e_y]"]
            assert release.accounted.epsilon == pytest.approx(1e6, rel=1e-6)

    def test_a_set_without_classes_is_evaluated(self) -> None:
        diagnostic = evaluate(solve("synthetic_cca", "cca"), "synthetic_cca")
        assert diagnostic.accuracy == {}
        assert diagnostic.majority is None
        assert (diagnostic.principal_angles < 10).all()
        assert 0.9 < diagnostic.explained <= 1.01

    def test_the_default_weight_is_near_the_best(self) -> None:
        """A mean as long as rows can have: the loss in the leading correlation around w² = .3 is flat."""
        rng = np.random.default_rng(0)
        common = rng.standard_normal((20_000, 1))
        X = np.hstack([common, common]) @ np.array([[1, 0, 0, 0], [0, 0, 1, 0]]) * 0.2
        X += 0.2 * rng.standard_normal(X.shape) + np.array([2.0, 0.0, 2.0, 0.0])
        dataset = Dataset("off", "Off centre", X, X_test=X[:10], preprocessing=Preprocessing(rows="clip", radius=4.0))
        exact = solve(dataset, "cca", "exact", n_components=1).components

        def loss(weight: float) -> float:
            releases = (
                solve(dataset, "cca", "ssp", n_components=1, epsilon=0.5, weight=weight, seed=s, steps=1, xi=0.01)
                for s in range(60)
            )
            return float(np.mean([1 - cosines(r.components, exact)[0] for r in releases]))

        best = min(loss(weight) for weight in (0.05, 0.15, 0.6, 1.5))
        assert loss(0.3) <= 1.15 * best


def test_prepared_rows_of_both_norms_stay_in_the_unit_ball() -> None:
    """What every other bound rests on."""
    dataset = load_dataset("diabetes")
    for model in (JOINT.bind(dataset), SEPARATE.bind(dataset)):
        for _, block in prepared_blocks(dataset.X, model.preparation(dataset.preprocessing, dataset.d)):
            assert np.linalg.norm(block, axis=1).max() <= 1 + ROUNDING


def test_a_model_needs_whole_matrices_where_it_gives_no_pencil_of_products():
    """A model that says nothing of products is solved from whole matrices, and not by a pencil that is missing."""

    class Bare(Cca):
        """It inherits that there is none."""

    class Own(Cca):
        """It gives one."""

        def product_pencil(self, products: MomentProducts) -> ProductPencil:
            raise AssertionError

    assert [one().whole_matrices for one in (Bare, Own)] == [True, False]
    assert {key: entry.make().whole_matrices for key, entry in MODELS.items()} == {
        "pca": False, "fda": False, "cca": True, "sir": False,
    }  # fmt: skip

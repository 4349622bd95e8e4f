"""The only door to private data: what it checks, in which order, and what it refuses."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from dpgep_core.errors import BudgetExceededError
from dpgep_core.privacy import Channel, Curator, Grant, Query
from dpgep_core.privacy.calibration import exact
from dpgep_core.privacy.randomness import (
    Independent,
    Isotropic,
    IsotropicTimes,
    TriangleTimes,
    UpperTriangle,
    stream,
)

GRANT = Grant(epsilon=1.0, delta=1e-5)
FRAME = np.eye(4)[:, :2]


@dataclass
class Watched:
    """A query that records whether it was evaluated."""

    seen: list[Any] = field(default_factory=list)
    answer: Any = 0.0

    def query(self, sensitivity: float = 1.0, shape: Any = "vector", frame: Any = None) -> Query[Any]:
        def evaluate(secret: Any) -> Any:
            self.seen.append(secret)
            return np.zeros(3) + self.answer if shape == "vector" else np.zeros((4, 4 if frame is None else 2))

        return Query("watched", evaluate, sensitivity, shape, frame)


def curator(**changes: Any) -> Curator[str]:
    return Curator("the rows", changes.pop("grant", GRANT), seed=1, **changes)


class TestBudget:
    def test_refused_before_anything_is_read(self) -> None:
        watched, keeper = Watched(), curator()
        with pytest.raises(BudgetExceededError, match="Nothing was read") as caught:
            keeper.ask(watched.query(), sigma=exact(1.0, GRANT) * 0.999)
        assert watched.seen == []
        assert len(keeper.ledger) == 0
        assert caught.value.needed > caught.value.granted == 1.0

    def test_the_whole_grant_may_be_spent_and_no_more(self) -> None:
        watched, keeper = Watched(), curator()
        for _ in range(4):
            keeper.ask(watched.query(), sigma=exact(1.0, GRANT, count=4))
        assert keeper.ledger.epsilon(GRANT.delta) == pytest.approx(1.0, rel=1e-9)
        with pytest.raises(BudgetExceededError):
            keeper.ask(watched.query(), sigma=exact(1.0, GRANT) * 1e4)
        assert len(watched.seen) == len(keeper.ledger) == 4

    def test_small_answers_that_delta_hides_still_add_up(self) -> None:
        """ε is 0 as long as δ covers the loss; the budget must not be."""
        grant = Grant(epsilon=0.01, delta=0.1)
        keeper, sigma = curator(grant=grant), exact(1.0, grant) * 3
        for _ in range(9):
            keeper.ask(Watched().query(), sigma=sigma)
        with pytest.raises(BudgetExceededError):
            keeper.ask(Watched().query(), sigma=sigma)

    def test_reserved_loop_is_refused_as_a_whole(self) -> None:
        keeper = curator()
        with pytest.raises(BudgetExceededError):
            keeper.reserve("loop", sensitivity=1.0, sigma=exact(1.0, GRANT), count=2)
        assert len(keeper.ledger) == 0

    def test_written_before_read(self) -> None:
        """A query that fails half way has still been paid for."""
        keeper = curator()
        lengths: list[int] = []

        def fail(_: str) -> Any:
            lengths.append(len(keeper.ledger))
            raise RuntimeError("half way")

        with pytest.raises(RuntimeError, match="half way"):
            keeper.ask(Query("fails", fail, 1.0), sigma=exact(1.0, GRANT))
        assert lengths == [1]
        assert keeper.ledger.entries[0].query == "fails"

    def test_peek_is_written_before_read(self) -> None:
        keeper = curator(grant=Grant(epsilon=1.0, delta=1e-5, enforced=False))
        keeper.peek(Query("peeked", lambda _: np.array([float(len(keeper.ledger))]), 1.0))
        assert keeper.ledger.unprotected == ("peeked",)

    def test_an_enforced_grant_allows_no_exact_answer(self) -> None:
        watched, keeper = Watched(), curator()
        with pytest.raises(BudgetExceededError):
            keeper.peek(watched.query())
        assert watched.seen == []

    def test_peek_makes_epsilon_infinite(self) -> None:
        keeper = curator(grant=Grant(epsilon=1.0, delta=1e-5, enforced=False))
        keeper.ask(Watched().query(), sigma=100.0)
        assert keeper.ledger.accounted(1e-5).epsilon is not None
        exact_answer = keeper.peek(Watched(answer=7.0).query())
        assert (exact_answer == 7.0).all()
        assert keeper.ledger.epsilon(1e-5) == math.inf
        assert keeper.ledger.accounted(1e-5).epsilon is None
        assert keeper.ledger.unprotected == ("watched",)

    @pytest.mark.parametrize("sigma", [0.0, -1.0, math.nan])
    def test_no_noise_scale_no_answer(self, sigma: float) -> None:
        watched, keeper = Watched(), curator(grant=Grant(epsilon=1.0, delta=1e-5, enforced=False))
        with pytest.raises(ValueError, match="sigma"):
            keeper.ask(watched.query(), sigma=sigma)
        assert watched.seen == []

    @pytest.mark.parametrize("sensitivity", [math.inf, math.nan, -1.0])
    def test_unknown_sensitivity_can_only_be_peeked_at(self, sensitivity: float) -> None:
        """Infinite over infinite would be no number, and no number must not pass for no loss."""
        watched, keeper = Watched(), curator(grant=Grant(epsilon=1.0, delta=1e-5, enforced=False))
        with pytest.raises(ValueError, match="sensitivity"):
            keeper.ask(watched.query(sensitivity), sigma=math.inf)
        assert watched.seen == []


class TestChannel:
    def channel(self, count: int = 2) -> tuple[Curator[str], Channel[str]]:
        keeper = curator()
        return keeper, keeper.reserve("loop", sensitivity=1.0, sigma=exact(1.0, GRANT, count=count), count=count)

    def test_one_entry_for_the_loop(self) -> None:
        keeper, channel = self.channel()
        for _ in range(2):
            channel.ask(Watched().query())
        assert [(entry.query, entry.count) for entry in keeper.ledger] == [("loop", 2)]

    def test_one_answer_too_many(self) -> None:
        _, channel = self.channel()
        watched = Watched()
        for _ in range(2):
            channel.ask(watched.query())
        with pytest.raises(PermissionError, match="0 answers left"):
            channel.ask(watched.query())
        assert len(watched.seen) == 2

    @pytest.mark.parametrize("sensitivity", [1.0001, math.inf, math.nan])
    def test_more_sensitive_than_paid_for(self, sensitivity: float) -> None:
        _, channel = self.channel()
        watched = Watched()
        with pytest.raises(PermissionError):
            channel.ask(watched.query(sensitivity))
        assert watched.seen == []
        assert channel.left == 2

    def test_less_sensitive_is_fine(self) -> None:
        _, channel = self.channel()
        assert channel.ask(Watched().query(0.5)).shape == (3,)

    @pytest.mark.parametrize("name", ["left", "sigma", "sensitivity", "name", "_answer", "anything"])
    def test_what_was_paid_cannot_be_changed(self, name: str) -> None:
        _, channel = self.channel()
        with pytest.raises(AttributeError):
            setattr(channel, name, 10**9)

    @pytest.mark.parametrize("count", [0, -3])
    def test_a_loop_has_at_least_one_answer(self, count: int) -> None:
        with pytest.raises(ValueError, match="count"):
            curator().reserve("loop", sensitivity=1.0, sigma=1e6, count=count)


class TestNoise:
    def test_noise_has_the_scale_that_was_paid_for(self) -> None:
        """Two-sided: the answers of a curator spread by σ, not by two thirds or three halves of it."""
        size, sigma = 20_000, 3.0
        keeper = curator(grant=Grant(epsilon=50.0, delta=1e-5))
        noise = keeper.ask(Query("q", lambda _: np.full(size, 5.0), 1.0), sigma=sigma) - 5.0
        spread = float((noise**2).mean()) / sigma**2
        assert abs(spread - 1) < 4 * math.sqrt(2 / size)
        assert abs(noise.mean()) < 4 * sigma / math.sqrt(size)

    def test_same_seed_same_noise(self) -> None:
        draws = [curator().ask(Watched().query(), sigma=1e3) for _ in range(2)]
        assert (draws[0] == draws[1]).all()

    def test_another_answer_has_other_noise(self) -> None:
        keeper = curator()
        assert (keeper.ask(Watched().query(), sigma=1e3) != keeper.ask(Watched().query(), sigma=1e3)).all()

    def test_no_seed_never_repeats(self) -> None:
        draws = [Curator(0, GRANT, seed=None).ask(Watched().query(), sigma=1e3) for _ in range(2)]
        assert (draws[0] != draws[1]).all()

    def test_noise_off_marks_everything_unprotected(self) -> None:
        keeper = curator(noise=False)
        answer = keeper.ask(Watched(answer=2.0).query(), sigma=1e-9)  # no budget binds an exact run
        assert (answer == 2.0).all()
        channel = keeper.reserve("loop", sensitivity=1.0, sigma=1.0, count=3)
        assert (channel.ask(Watched(answer=4.0).query()) == 4.0).all()
        assert keeper.ledger.unprotected == ("watched", "loop")
        assert keeper.ledger.accounted(1e-5).epsilon is None

    def test_noise_off_on_a_public_number_gives_nothing_away(self) -> None:
        keeper = curator(noise=False)
        keeper.ask(Watched().query(0.0), sigma=1.0)
        assert keeper.ledger.unprotected == ()


class Silence:
    """Not a law of this package: it draws nothing."""

    shapes = ("vector", "symmetric", "product")

    def draw(self, rng: Generator, shape: tuple[int, ...], sigma: float) -> Any:
        return np.zeros(shape)


MISMATCHED: list[tuple[str, Any, Callable[[Watched], Query[Any]]]] = [
    ("independent noise on a product", Independent(), lambda w: w.query(shape="product", frame=FRAME)),
    ("isotropic noise on a vector", Isotropic(), lambda w: w.query()),
    ("isotropic noise on a product", Isotropic(), lambda w: w.query(shape="product", frame=FRAME)),
    ("triangle on a vector", UpperTriangle(), lambda w: w.query()),
    ("product noise on a vector", TriangleTimes(FRAME), lambda w: w.query()),
    ("product noise on a matrix", IsotropicTimes(FRAME), lambda w: w.query(shape="symmetric")),
    ("noise for a zero frame", TriangleTimes(0 * FRAME), lambda w: w.query(shape="product", frame=FRAME)),
    ("noise for another frame", IsotropicTimes(np.eye(4)[:, 2:]), lambda w: w.query(shape="product", frame=FRAME)),
    ("product without a frame", TriangleTimes(FRAME), lambda w: w.query(shape="product")),
    ("a law from elsewhere", Silence(), lambda w: w.query()),
]


class TestLaws:
    @pytest.mark.parametrize(("law", "query"), [pytest.param(law, query, id=name) for name, law, query in MISMATCHED])
    def test_noise_that_does_not_cover_the_answer(self, law: Any, query: Callable[[Watched], Query[Any]]) -> None:
        watched = Watched()
        with pytest.raises(TypeError, match="does not cover"):
            curator().ask(query(watched), sigma=1e6, law=law)
        assert watched.seen == []

    @pytest.mark.parametrize("law", [TriangleTimes(FRAME), IsotropicTimes(FRAME.copy())])
    def test_noise_that_does(self, law: Any) -> None:
        watched = Watched()
        assert curator().ask(watched.query(shape="product", frame=FRAME), sigma=1e6, law=law).shape == (4, 2)

    @pytest.mark.parametrize("law", [Independent, Isotropic, UpperTriangle])
    def test_a_law_cannot_claim_more_than_it_covers(self, law: Any) -> None:
        with pytest.raises(TypeError):
            law(shapes=("vector", "symmetric", "product"))

    def test_isotropic_products_need_an_orthonormal_frame(self) -> None:
        """Anywhere else the short cut draws too little noise in some direction."""
        for frame in (FRAME * 0.5, np.ones((4, 2)) / 2):
            with pytest.raises(ValueError, match="orthonormal"):
                IsotropicTimes(frame).draw(stream(0, "noise"), (4, 2), 1.0)


def test_the_secret_is_in_no_public_attribute() -> None:
    keeper = curator()
    public = {name: getattr(keeper, name) for name in dir(keeper) if not name.startswith("_")}
    assert set(public) == {"ask", "grant", "ledger", "peek", "reserve", "reserve_planned", "reserve_sampled", "reveal"}
    assert all("the rows" not in repr(value) for value in public.values())

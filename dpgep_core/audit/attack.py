"""The audit: which pair, which distinguisher, many runs here or in other processes, one bound.

The result depends on the seeds alone, not on which process a run was in.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpgep_core.audit.bounds import AuditLevel, area, best_cutoffs, ceiling, epsilon_bounds, hits, mu_bounds
from dpgep_core.audit.case import AttackerView, Case, observe
from dpgep_core.audit.choices import Attack, resolve
from dpgep_core.audit.distinguishers import Distinguisher, distinguisher_of
from dpgep_core.audit.pairs import pair_kind
from dpgep_core.audit.result import AuditResult, explain, judge_bounds, times_too_small
from dpgep_core.method import MethodEntry
from dpgep_core.params import parameter_values
from dpgep_core.plugins import adopt, outside_entries
from dpgep_core.pool import Pool, ProcessDiedError, cores
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import stream
from dpgep_core.release import Setting
from dpgep_core.solve import plan, run
from dpgep_core.verdict import judge as judge_claim

RUNS_AT_ONCE = 50  # runs between two reports of progress
WORTH_SHARING = 20.0  # seconds of work above which starting other processes pays
ReportRuns = Callable[[int, int], None]  # runs done, runs in all


@dataclass(frozen=True, eq=False)
class Runs:
    """Runs of one side of a case, 0 or 1, one for each seed."""

    case: Case
    side: int
    view: AttackerView
    seeds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Chunk:
    task: int
    seeds: tuple[int, ...]


def perform(tasks: Sequence[Runs], jobs: int = 1, progress: ReportRuns | None = None) -> list[Array]:
    """Outputs seen in the runs of each task, (runs, …), in the order of its seeds.

    Parameters
    ----------
    jobs : int
        Processes; 1 runs in this one.
    progress : callable, optional
        Called with the runs done and the runs in all; what it raises stops everything.
    """
    chunks = [
        _Chunk(index, task.seeds[first : first + RUNS_AT_ONCE])
        for index, task in enumerate(tasks)
        for first in range(0, len(task.seeds), RUNS_AT_ONCE)
    ]
    total, done, jobs = sum(len(task.seeds) for task in tasks), 0, min(jobs, len(chunks))
    here = ((chunk, _observe_chunk(tasks, chunk)) for chunk in chunks)
    found: dict[_Chunk, Array] = {}
    for chunk, array in here if jobs <= 1 else _in_processes(tasks, chunks, jobs):
        found[chunk] = array
        done += len(chunk.seeds)
        if progress is not None:
            progress(done, total)
    return [np.concatenate([found[chunk] for chunk in chunks if chunk.task == i]) for i in range(len(tasks))]


def _in_processes(tasks: Sequence[Runs], chunks: Sequence[_Chunk], jobs: int) -> Iterator[tuple[_Chunk, Array]]:
    """Answers of ``jobs`` other processes as they come; all of them are stopped when the reader stops."""
    pool: Pool[_Chunk, Array] = Pool(
        _compute, jobs, prepare=_receive, prepared_with=(tasks, outside_entries()), finish_begun=False
    )
    for chunk, answer in pool.results(chunks):
        if isinstance(answer, ProcessDiedError):
            raise answer
        yield chunk, answer


def _observe_chunk(tasks: Sequence[Runs], chunk: _Chunk) -> Array:
    task = tasks[chunk.task]
    return observe(task.case, task.side, task.view, chunk.seeds)


_tasks: Sequence[Runs] = ()  # of a process of a pool, which gets them once


def _receive(tasks: Sequence[Runs], entries: Sequence[MethodEntry]) -> None:
    global _tasks
    adopt(entries)
    _tasks = tasks


def _compute(chunk: _Chunk) -> Array:
    return _observe_chunk(_tasks, chunk)


def audit(attack: Attack, *, jobs: int | None = 1, progress: ReportRuns | None = None) -> AuditResult:
    """Bound ε from below by attacking an algorithm on two neighbouring data sets.

    Parameters
    ----------
    attack : Attack
        What to attack.
    jobs : int or None
        Processes. None: as many as cores, where the work is worth it. The result is the same for any number.
    progress : callable, optional
        Called with the runs done and the runs in all; raise from it to stop.

    Raises
    ------
    ParameterError, DataError
        Naming the parameter, its value and what is allowed.
    """
    began = time.perf_counter()
    attack = resolve(attack)
    assert attack.model is not None
    pair = pair_kind(attack.pair).build(attack.rows, attack.columns, attack.seed)
    setting = Setting(
        model=attack.model, algorithm=attack.algorithm, epsilon=attack.epsilon, delta=attack.delta,
        n_components=attack.n_components, seed=attack.seed, params=attack.params,
    )  # fmt: skip
    case = Case(plan(pair.one, setting), plan(pair.other, setting))
    distinguisher = distinguisher_of(attack.distinguisher)
    distinguisher.check(case)
    result = attack_case(case, distinguisher, attack, jobs=jobs, progress=progress)
    return replace(result, seconds=time.perf_counter() - began)


def attack_case(
    case: Case,
    distinguisher: Distinguisher,
    attack: Attack,
    *,
    jobs: int | None = 1,
    progress: ReportRuns | None = None,
) -> AuditResult:
    """Bound ε from below by attacking a pair of plans: two neighbouring problems under one setting."""
    run(case.one)  # imports and caches are not counted
    first = run(case.one)
    training = attack.trials if distinguisher.trained else 0
    if jobs is None:
        jobs = cores() if first.seconds * 2 * (attack.trials + training) > WORTH_SHARING else 1
    tests, lessons = _runs(case, distinguisher, attack, training, jobs, progress)
    level = AuditLevel(attack.confidence, case.one.grant.delta)
    score = distinguisher.fit(case, lessons[0], lessons[1])
    cutoffs = best_cutoffs(score(lessons[0]), score(lessons[1]), level) if training else (0.0, 0.0)
    one, other = (score(part) for part in tests)
    (right, right_mu), (wrong, wrong_mu) = hits(other, cutoffs), hits(one, cutoffs)
    epsilon_bound = float(epsilon_bounds(right, wrong, attack.trials, level))
    mu_bound = float(mu_bounds(right_mu, wrong_mu, attack.trials, level))
    times = times_too_small(mu_bound, first.ledger.mu) if training else 0.0  # an exact identity has no size
    finding = judge_bounds(first.claimed, first.accounted, first.ledger.mu, epsilon_bound, mu_bound)
    return AuditResult(
        algorithm=attack.algorithm,
        model=case.one.setting.model,
        pair=case.one.dataset.name.removeprefix("pair:"),
        distinguisher=distinguisher.key,
        parameters=parameter_values(first.method),
        n=case.one.public.n,
        d=case.d,
        k=case.k,
        seed=attack.seed,
        learnt=case.one.learnt,
        trials=attack.trials,
        training=training,
        claimed=first.claimed,
        claim=judge_claim(first).claim,
        accounted=first.accounted,
        mu=first.ledger.mu,
        unprotected=first.ledger.unprotected,
        delta=level.delta,
        confidence=level.confidence,
        epsilon_lower_bound=epsilon_bound,
        mu_lower_bound=mu_bound,
        ceiling=ceiling(attack.trials, level),
        tpr=right / attack.trials,
        fpr=wrong / attack.trials,
        auc=area(one, other),
        mu_shares=(right_mu / attack.trials, wrong_mu / attack.trials),
        guesses=int(right_mu + attack.trials - wrong_mu),
        cutoff=cutoffs[0],
        finding=finding,
        evidence=explain(finding, distinguisher.meaning, times, first.ledger.unprotected),
        scores=one,
        scores_other=other,
    )


def _runs(
    case: Case, distinguisher: Distinguisher, attack: Attack, training: int, jobs: int, progress: ReportRuns | None
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Outputs of each side to test, and others to learn from."""
    tasks = [
        Runs(case, side, distinguisher.view, _seeds(attack.seed, f"{use} {name}", count))
        for use, count in (("test", attack.trials), ("training", training))
        for side, name in enumerate(("one", "other"))
        if count
    ]
    found = perform(tasks, jobs, progress)
    nothing = np.empty((0, *found[0].shape[1:]))
    return (found[0], found[1]), ((found[2], found[3]) if training else (nothing, nothing))


def _seeds(seed: int, use: str, count: int) -> tuple[int, ...]:
    """Seeds of the runs of one side and use: streams apart from each other and from any single run."""
    return tuple(int(s) for s in stream(seed, "noise", f"audit: {use}").integers(2**62, size=count))

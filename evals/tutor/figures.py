"""Figures of the tutor suite: by model and arm, and the targets that hold whoever plays."""

from __future__ import annotations

from collections.abc import Sequence

from evals.report import Case, Metric, average, quotient, share
from evals.tutor.field import MENU_FOLLOWERS, NULL, ORACLE

NEAR_PAR = 1
"""Turns beyond the shortest solution the oracle may take."""
BY_CHANCE = "<= 1%"
"""Who reads some files and says of each that it is the one proves the right one now and then. An answer of
all that was said is rejected; the tutor's holds what is proved alone. Likewise one of the claims that a menu
offers beside each other is the right one now and then."""


def metrics_of(cases: Sequence[Case], models: Sequence[str], seed: int) -> list[Metric]:
    """The targets, then all figures of the models that are measured; without what rests on nothing.

    Args:
        cases: of models and of players beside them.
        models: that are measured.
        seed: of the resampling.
    """
    found = targets_of(cases, seed)
    for (model, arm), own in by_player(cases).items():
        if model in models:
            found += _of_player(f"{model}, {arm}", own, seed)
    return [one for one in found if one.n]


def targets_of(cases: Sequence[Case], seed: int) -> list[Metric]:
    """Who knows nothing does not win, who knows all does, and no accepted answer is false."""
    oracle = [case for case in cases if case.model == ORACLE]
    followers = [case for case in cases if case.model in MENU_FOLLOWERS]
    null = [case for case in cases if case.model in NULL and case.model not in MENU_FOLLOWERS]
    accepted = [case for case in cases if is_accepted(case)]

    def hits(name: str, of: Sequence[Case], values: Sequence[bool], target: str) -> Metric:
        return share(name, values, target=target, seed=seed, clusters=clusters(of))

    return [
        hits("null players: won", null, [case.status == "won" for case in null], "= 0"),
        hits("menu followers: won", followers, [case.status == "won" for case in followers], BY_CHANCE),
        hits("null players: composed", null, [case.status == "composed" for case in null], BY_CHANCE),
        hits("oracle: won", oracle, [is_won(case) for case in oracle], "= 100%"),
        hits("oracle: won in par + 1 turns at most", oracle, [_near_par(case) for case in oracle], "= 100%"),
        hits("accepted answers that are false", accepted, [case.false_success for case in accepted], "= 0"),
        hits("games that ended in an error", cases, [case.status == "error" for case in cases], "= 0"),
    ]


def by_player(cases: Sequence[Case]) -> dict[tuple[str, str], list[Case]]:
    """Cases by model, or player, and arm; in the order in which they are met."""
    found: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        found.setdefault((case.model, case.variant), []).append(case)
    return found


def is_won(case: Case) -> bool:
    """True if the player's own answer was accepted, and is so."""
    return case.status == "won" and not case.false_success


def is_accepted(case: Case) -> bool:
    """True if an answer was accepted, whoever gave it."""
    return case.status in ("won", "composed")


def clusters(cases: Sequence[Case]) -> list[str]:
    """What is resampled: games with all their seeds, or, of one game, its seeds."""
    several = len({case.id for case in cases}) > 1
    return [case.id if several else f"{case.id} {case.seed}" for case in cases]


def counts(cases: Sequence[Case], over: str, under: str) -> list[tuple[float, float]]:
    """Two of the numbers each game was counted by."""
    return [(float(case.extra[over]), float(case.extra[under])) for case in cases]


def justified(cases: Sequence[Case]) -> list[Case]:
    """Games with an answer, which alone have a justification."""
    return [case for case in cases if case.extra["justification"] is not None]


def _near_par(case: Case) -> bool:
    return is_won(case) and case.steps <= case.extra["par"] + NEAR_PAR


def _of_player(label: str, own: Sequence[Case], seed: int) -> list[Metric]:
    ids, answered = clusters(own), justified(own)

    def mean(name: str, values: Sequence[float], unit: str) -> Metric:
        return average(f"{label}: {name}", values, unit=unit, seed=seed, clusters=ids)

    def rate(name: str, over: str, under: str) -> Metric:
        return quotient(f"{label}: {name}", counts(own, over, under), seed=seed, clusters=ids)

    found = [
        share(f"{label}: win rate", [is_won(case) for case in own], seed=seed, clusters=ids),
        share(
            f"{label}: composed answers",
            [case.status == "composed" for case in own],
            seed=seed,
            clusters=ids,
        ),
        mean("turns", [case.steps for case in own], "turns"),
        mean("score", [case.extra["score"] for case in own], "points"),
        average(
            f"{label}: justification of answers",
            [case.extra["justification"] for case in answered],
            seed=seed,
            clusters=clusters(answered),
        ),
        rate("illegal-move rate", "illegal", "moves"),
        rate("unsupported-claim rate", "unsupported", "asserted"),
        mean("seconds", [case.seconds for case in own], "seconds"),
    ]
    if any(case.model_calls for case in own):
        found.append(mean("calls", [case.model_calls for case in own], "calls"))
        found.append(mean("tokens", [case.tokens for case in own], "tokens"))
    return found

"""How probes ended: lists of ids, and the share of false claims refused and of true ones accepted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evals.soundness.probes import BadLine, Probe
from evals.soundness.running import RESULTS, Outcome

LEAST_TRUE_ACCEPTED = 0.98


@dataclass(frozen=True)
class Score:
    """What is wanted of probes, and what was got.

    Attributes:
        false_probes, false_accepted: false claims, and those that were accepted.
        true_probes, true_accepted: true claims with evidence for them, and those that were accepted.
        insufficient, insufficient_accepted: true claims without enough of it, and those that were accepted.
        errors: probes that were not run to their end.
    """

    false_probes: int
    false_accepted: tuple[str | int, ...]
    true_probes: int
    true_accepted: int
    insufficient: int
    insufficient_accepted: tuple[str | int, ...]
    errors: int

    @property
    def true_share(self) -> float | None:
        """Of the true claims with evidence, those accepted; None if there are none."""
        return self.true_accepted / self.true_probes if self.true_probes else None

    @property
    def met(self) -> bool:
        """True if nothing went wrong, nothing was wrongly accepted, and enough was rightly accepted."""
        share = self.true_share
        wrongly = self.false_accepted or self.insufficient_accepted
        return not self.errors and not wrongly and (share is None or share >= LEAST_TRUE_ACCEPTED)


def listed(outcomes: Sequence[Outcome]) -> dict[str, list[str | int]]:
    """Ids by result, in order."""
    return {result: [outcome.id for outcome in outcomes if outcome.result == result] for result in RESULTS}


def score(probes: Sequence[Probe | BadLine], outcomes: Sequence[Outcome]) -> Score:
    """Count the outcomes by what their probes are."""
    by_kind: dict[str, list[Outcome]] = defaultdict(list)
    for probe, outcome in zip(probes, outcomes, strict=True):
        by_kind[kind_of(probe)].append(outcome)
    accepted = {
        kind: tuple(outcome.id for outcome in some if outcome.result == "accepted")
        for kind, some in by_kind.items()
    }
    return Score(
        len(by_kind["false"]),
        accepted.get("false", ()),
        len(by_kind["true"]),
        len(accepted.get("true", ())),
        len(by_kind["insufficient"]),
        accepted.get("insufficient", ()),
        sum(outcome.result == "errors" for outcome in outcomes),
    )


def kind_of(probe: Probe | BadLine) -> str:
    """False, insufficient or true, as the probe says of itself; "none" for a line that is no probe."""
    if isinstance(probe, BadLine):
        return "none"
    if probe.falsity is not None:
        return "false"
    return "true" if probe.insufficient is None else "insufficient"


def as_json(found: Score) -> dict[str, Any]:
    """The score, with its share."""
    return {
        "false": found.false_probes,
        "false_accepted": list(found.false_accepted),
        "true": found.true_probes,
        "true_accepted": found.true_accepted,
        "true_accepted_share": None if found.true_share is None else round(found.true_share, 4),
        "insufficient": found.insufficient,
        "insufficient_accepted": list(found.insufficient_accepted),
        "errors": found.errors,
        "met": found.met,
    }


def summary(probes: Sequence[Probe | BadLine], outcomes: Sequence[Outcome]) -> str:
    """A table of results by kind and category, what went wrong, and the score; for people."""
    table: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for probe, outcome in zip(probes, outcomes, strict=True):
        category = "" if isinstance(probe, BadLine) else probe.category
        table[kind_of(probe), category][outcome.result] += 1
    width = max((len(category) for _, category in table), default=0) + 2
    lines = [f"{'kind':13}{'category':{width}}" + "".join(f"{result:>12}" for result in RESULTS)]
    for (kind, category), counts in sorted(table.items()):
        lines.append(f"{kind:13}{category:{width}}" + "".join(f"{counts[result]:12}" for result in RESULTS))
    for probe, outcome in zip(probes, outcomes, strict=True):
        if _wrong(kind_of(probe), outcome):
            refused = "".join(f"; action {index}: {why}" for index, why in outcome.refused.items())
            lines.append(f"{outcome.id}: {outcome.result}: {outcome.why}{refused}")
    found = score(probes, outcomes)
    share = "none" if found.true_share is None else f"{found.true_share:.1%}"
    lines.append(
        f"False accepted: {len(found.false_accepted)} of {found.false_probes}. "
        f"True accepted: {found.true_accepted} of {found.true_probes} ({share}). "
        f"Accepted without enough evidence: {len(found.insufficient_accepted)} of {found.insufficient}. "
        f"Errors: {found.errors}."
    )
    return "\n".join(lines)


def _wrong(kind: str, outcome: Outcome) -> bool:
    return outcome.result == "errors" or (outcome.result == "accepted") != (kind == "true")

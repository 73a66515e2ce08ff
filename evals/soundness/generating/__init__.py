"""Generated probes: true claims with evidence that shows them, false ones, true ones without enough of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle
from random import Random
from typing import Any

from evals.soundness.generating import mutating
from evals.soundness.generating.bounding import bound, compared_files
from evals.soundness.generating.causing import configured_cause, healed_value
from evals.soundness.generating.changing import changed_file, changed_line, changed_value
from evals.soundness.generating.configuring import configured_value, how_many, value_bound, with_unit
from evals.soundness.generating.containing import text_in, text_not_in
from evals.soundness.generating.counting import directories_below, files_named, size_of_file, size_of_files
from evals.soundness.generating.existing import (
    directory_exists,
    file_exists,
    name_absent,
    name_exists,
    path_absent,
)
from evals.soundness.generating.matching import text_count
from evals.soundness.generating.ordering import clocks_ahead, lines_of_one_log, lines_of_two_logs, zone_trap
from evals.soundness.generating.parts import Action, Actions, Made, Maker, as_raw, call
from evals.soundness.generating.programming import defined_name, import_cycle, imported_module
from evals.soundness.generating.reading import digest, one_line, same_file, whole_text
from evals.soundness.generating.trapping import (
    bytes_that_are_no_text,
    keys_that_stand_twice,
    links_that_mislead,
    output_that_is_cut,
)
from evals.soundness.truth import holds

MAKERS: tuple[Maker, ...] = (
    file_exists,
    directory_exists,
    name_exists,
    path_absent,
    name_absent,
    size_of_file,
    size_of_files,
    files_named,
    directories_below,
    text_count,
    bound,
    compared_files,
    whole_text,
    one_line,
    same_file,
    digest,
    text_in,
    text_in,
    text_not_in,
    text_not_in,
    configured_value,
    configured_value,
    with_unit,
    how_many,
    value_bound,
    lines_of_one_log,
    lines_of_two_logs,
    zone_trap,
    clocks_ahead,
    defined_name,
    imported_module,
    import_cycle,
    changed_file,
    changed_line,
    changed_value,
    configured_cause,
    configured_cause,
    healed_value,
    keys_that_stand_twice,
    links_that_mislead,
    bytes_that_are_no_text,
)
# A long output is slow to make and to run: one in so many probes.
RARE, ONE_IN = output_that_is_cut, 150
TRUE, FALSE, INSUFFICIENT = "true", "false", "insufficient"
KINDS = (TRUE, FALSE, TRUE, FALSE, INSUFFICIENT)
MOST_TRIES = 40


def generate(count: int, seed: int, kinds: Sequence[str] = KINDS) -> list[dict[str, Any]]:
    """So many probes: of ten, four are true, four false, two true without enough evidence, if not told else.

    What is true and what is not is looked up in the files (`truth.holds`), whatever a maker meant.

    Args:
        count: how many.
        seed: the same probes for the same seed.
        kinds: wanted in turn.
    """
    dice = Random(seed)
    makers = _makers()
    wanted = cycle(kinds)
    probes = []
    for number in range(1, count + 1):
        maker = RARE if number % ONE_IN == 0 else next(makers)
        probes.append({"id": f"s{seed}-{number}", **_probe(maker, next(wanted), dice)})
    return probes


def _makers() -> Iterator[Maker]:
    """All makers in turn, not in step with the kinds."""
    while True:
        yield from MAKERS
        yield MAKERS[0]


def _probe(maker: Maker, kind: str, dice: Random) -> dict[str, Any]:
    """One probe of a kind; of another kind if this maker does not bring forth one of it."""
    for wanted in (kind, FALSE, TRUE):
        for _ in range(MOST_TRIES):
            made = maker(dice)
            if holds(made.claim, made.tree):
                probe = {TRUE: _true, FALSE: _false, INSUFFICIENT: _insufficient}[wanted](made, dice)
                if probe is not None:
                    return _whole(made, probe)
    raise AssertionError(f"{maker.__name__} makes no probe")


def _whole(made: Made, probe: dict[str, Any]) -> dict[str, Any]:
    claim = probe.get("claim", made.claim)
    return {
        "files": dict(made.tree.files),
        **({"links": dict(made.tree.links)} if made.tree.links else {}),
        "claim": claim,
        **probe,
        "category": f"{claim['predicate']}: {probe['category']}",
    }


def _true(made: Made, dice: Random) -> dict[str, Any]:
    way = dice.choice(sorted(made.ways))
    actions = _spelled(made.ways[way], dice)
    before: Actions = [call("ls", path=".")] if dice.random() < 0.3 else []
    cites: list[Any] = list(range(len(before), len(before) + len(actions)))
    if dice.random() < 0.15:
        cites = [*cites, *dice.choice(([0], [None], [True], ["o9"], [-1], [999]))]
    return {
        "category": str(made.claim.get("unit", "no unit")),
        "actions": [*before, *actions],
        "cites": cites,
        "why": way,
    }


def _spelled(actions: Actions, dice: Random) -> Actions:
    """The same actions, some as a person types them."""
    share = dice.choice((0.0, 0.0, 1.0))
    return [
        action if "raw" in action or dice.random() >= share else as_raw(action, dice) for action in actions
    ]


def _false(made: Made, dice: Random) -> dict[str, Any] | None:
    honest = made.ways[dice.choice(sorted(made.ways))]
    draw = dice.random()
    if draw < 0.12:
        return _if_false(made, mutating.stale(made, honest, dice))
    if draw < 0.18:
        return _if_false(made, mutating.foreign(made, honest, dice))
    lies = [lie for lie in made.lies if not holds(lie.claim, made.tree)]
    if not lies:
        return None
    if draw < 0.26 and all("tool" in action for action in honest):
        whole = mutating.shown_as_before(made, honest, dice) if draw < 0.22 else None
        return _if_false(made, whole or mutating.tampered(made, dice.choice(lies), honest, dice))
    lie = dice.choice(lies)
    actions = _spelled(honest if lie.actions is None else lie.actions, dice)
    return {
        "category": lie.name,
        "claim": lie.claim,
        "actions": actions,
        "cites": list(range(len(actions))),
        "falsity": lie.name,
    }


def _if_false(made: Made, probe: dict[str, Any] | None) -> dict[str, Any] | None:
    """A probe whose claim is false at its end; None for any other."""
    if probe is None or holds(probe.get("claim", made.claim), mutating.after_the_changes(made, probe)):
        return None
    return probe


def _insufficient(made: Made, dice: Random) -> dict[str, Any] | None:
    if not made.weak or dice.random() < 0.3:
        return mutating.without_cites(_spelled(made.ways[dice.choice(sorted(made.ways))], dice), dice)
    name = dice.choice(sorted(made.weak))
    actions: list[Action] = _spelled(made.weak[name], dice)
    return {
        "category": name,
        "actions": actions,
        "cites": list(range(len(actions))),
        "insufficient": f"the evidence is {name}",
    }

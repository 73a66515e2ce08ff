"""B05: the first record over its limit, under rules that make earlier ones not count."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice

from nodes.tutor.claims import Claim
from nodes.tutor.games.draft import Draft
from nodes.tutor.games.game import Game
from nodes.tutor.games.metrics_log import METRICS, WILD, Limits, Record, changed, quiet
from nodes.tutor.games.settings_text import settings_text
from nodes.tutor.games.vocabulary import SERVICES, names, note, text_of

GOAL = """Which record of `{log}` is the root of the incident: the first one that violates its limit \
under the rules of this session? The limits are in `{limits}`.
Answer with two claims: equals, subject = the record as path:line, value = the whole line; and value_of, \
subject = the key of the limit it violates (section.key), value = that limit, scope = `{limits}`."""
BASIC = (
    "A record violates a limit if its value is greater; a value equal to the limit is allowed.",
    "The limits under `default` hold for every service, except where the section of a service has its own.",
)
FOREVER = datetime(9999, 1, 1)
KINDS = ("own", "equal", "window", "probe", "twice", "late")


@dataclass
class Incident:
    """The log while it is made.

    Attributes:
        records: in the order of time.
        limits: in force.
        root: index of the record that is the answer.
        exempt: a service the root is not of, with a limit of its own that is higher than the default.
        free: series no incident was planted in yet.
        rules: told to the player.
    """

    records: list[Record]
    limits: Limits
    root: int
    exempt: str
    free: list[tuple[str, str]]
    rules: list[str]


def session_rules(rng: random.Random, seed: int) -> Game:
    """Make the game."""
    kinds = sorted(rng.sample(KINDS, rng.randint(3, 4)))
    incident = _incident(rng, kinds)
    place, stem = names(rng, 2)
    suffix = rng.choice((".json", ".yaml", ".toml"))
    log, limits = f"{rng.choice(('logs', place))}/{stem}.log", f"{place}/limits{suffix}"
    found = incident.records[incident.root]
    key, limit = incident.limits.key_of(found)
    files = {
        log: text_of([record.line for record in incident.records]),
        limits: _limits_text(incident.limits, suffix),
        f"{place}/README.md": text_of(note(rng, 3, 8)),
    }
    old = _incident(rng, ["twice"])
    files[f"{rng.choice(('archive', place))}/{stem}.1.log"] = text_of([record.line for record in old.records])
    if rng.random() < 0.5:
        files[f"{place}/limits.old{suffix}"] = _limits_text(old.limits, suffix)

    draft = Draft("B05", seed, "governance")
    rules = draft.look("cat", path=limits)
    lines = draft.look("cat", path=log, number=True)
    draft.want(
        Claim(predicate="equals", subject=f"{log}:{incident.root + 1}", value=found.line),
        lines,
        find=("subject", "value"),
        wanted="the root record: where it stands, and the whole line",
    )
    draft.want(
        Claim(predicate="value_of", subject=key, value=limit, scope=limits),
        rules,
        find=("subject", "value"),
        wanted="the limit it violates: its key, and the limit",
    )
    goal = GOAL.format(log=log, limits=limits)
    return draft.game("Root cause under session rules", goal, files, [*BASIC, *incident.rules])


def _incident(rng: random.Random, kinds: list[str]) -> Incident:
    """A root, with one earlier record for every rule that would be taken for it without that rule."""
    services, metrics = rng.sample(SERVICES, 4), rng.sample(METRICS, 3)
    default = {metric: rng.randint(20, 90) * 10 for metric in metrics}
    length = rng.randint(42, 56)
    records = list(islice(quiet(rng, services, metrics, default), length))
    root = rng.randint(length // 2, length - 10)
    # Two apart: each may need the record behind it, too.
    at = sorted(rng.sample(range(4, root - 2, 2), len(kinds)))
    # Late limits begin before everything else that is planted, or not at all.
    since = records[at[0]].at if "late" in kinds else FOREVER
    late = {metric: 2 * default[metric] for metric in metrics[1:]} if "late" in kinds else {}
    own = {
        services[0]: {metrics[-1]: default[metrics[-1]] * 3 // 2},
        services[1]: {metrics[0]: default[metrics[0]] * 3 // 4},
    }
    free = [(service, metric) for service in services[2:] for metric in metrics]
    rng.shuffle(free)
    incident = Incident(records, Limits(default, own, late, since), root, services[0], free, [])
    ordered = sorted(kinds, key=lambda kind: (kind != "late", rng.random()))
    for kind, place in zip(ordered, at, strict=True):
        _plant(rng, incident, kind, place, "twice" in kinds)
    _plant_root(rng, incident, twice="twice" in kinds, series=(services[1], metrics[0]))
    return incident


def _plant(rng: random.Random, incident: Incident, kind: str, at: int, twice: bool) -> None:
    """Make a record look like the root, and tell the rule by which it is not.

    Where only two violations in a row count, the record behind it looks like it, so that no rule is idle.
    """
    limits, records = incident.limits, incident.records
    service, metric = incident.free.pop()
    if kind in ("own", "window"):
        service = incident.exempt
    if kind == "own":
        metric = next(iter(limits.own[service]))
    elif kind == "late":
        metric = rng.choice(sorted(limits.late))
    value, source = limits.default[metric] * WILD, "live"
    if kind == "own":
        value = limits.default[metric] * 5 // 4
    elif kind == "late":
        value = limits.default[metric] * 7 // 4
    elif kind == "equal":
        value = limits.key_of(replace(records[at], service=service, metric=metric))[1]
    elif kind == "probe":
        source = "probe"
    for place in (at, at + 1) if twice and kind != "twice" else (at,):
        changed(records, place, (service, metric), value, source)
    incident.rules += _rules(rng, incident, kind, at)


def _rules(rng: random.Random, incident: Incident, kind: str, at: int) -> list[str]:
    """What the player is told beside the basic rules."""
    if kind == "late":
        return [
            f"From {incident.limits.since:%H:%M:%S} on, the limits under `late` hold for every service in "
            "place of all others for the same metric."
        ]
    if kind == "window":
        begin = incident.records[at].at - timedelta(seconds=rng.randint(5, 100))
        end = incident.records[at + 1].at + timedelta(seconds=rng.randint(5, 100))
        return [
            f"{incident.exempt} is under maintenance from {begin:%H:%M:%S} to {end:%H:%M:%S}: its records of "
            "that time do not count."
        ]
    if kind == "probe":
        return ["Records with source=probe do not count."]
    if kind == "twice":
        return [
            "A record counts only if the next record of the same service and the same metric violates the "
            "limit, too."
        ]
    return []


def _plant_root(rng: random.Random, incident: Incident, *, twice: bool, series: tuple[str, str]) -> None:
    """Put the root in place, and behind it what followed from it."""
    records, root = incident.records, incident.root
    if rng.random() < 0.5:
        series = incident.free.pop()
    changed(records, root, series, 0)
    limit = incident.limits.key_of(records[root])[1]
    changed(records, root, series, limit + rng.randint(1, 9))
    behind = range(root + 1, len(records))
    again = next((at for at in behind if records[at].series == series), root + 3)
    if twice:
        changed(records, again, series, limit + rng.randint(1, 9))
    for at in rng.sample([at for at in behind if at > again], min(2, len(records) - again - 1)):
        changed(records, at, series, incident.limits.default[series[1]] * WILD)


def _limits_text(limits: Limits, suffix: str) -> str:
    late = {"late": limits.late} if limits.late else {}
    return settings_text({"default": limits.default, **limits.own, **late}, suffix)

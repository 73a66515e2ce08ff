"""B10: which service failed first, when no two clocks agree."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone

from nodes.tutor.claims import Claim
from nodes.tutor.games.draft import Draft
from nodes.tutor.games.game import Game
from nodes.tutor.games.vocabulary import SERVICES, names, note, text_of

GOAL = """The services that log into `{folder}` failed one after another. Which failed first, by true \
time? `{clocks}` tells how many seconds each clock is ahead (negative: behind); stamps carry their time \
zones. What counts is the first line of level ERROR in each log.
Answer with {count} claims, one for every service that failed later: before, subject = the first ERROR \
line of the root as path:line, value = the first ERROR line of that service as path:line, scope = \
`corrected by {clocks}`."""
ZONES = (0, 0, 0, 120, -300, 330)
"""Offsets from UTC in minutes."""
CAUSES = ("upstream timed out", "no connection left", "disk is full", "lease was lost", "reply was cut short")
HARMLESS = (
    "INFO error_rate=0",
    "INFO recovered from error",
    "WARN error budget at 80%",
    "INFO no ERROR since start",
)


def clock_skew(rng: random.Random, seed: int) -> Game:
    """Make the game."""
    place, other = names(rng, 2)
    folder = rng.choice(("logs", f"{place}/logs", f"var/{place}"))
    logs = [f"{folder}/{service}.log" for service in rng.sample(SERVICES, rng.randint(4, 5))]
    root = rng.choice(logs)
    first = datetime(
        rng.randint(2029, 2034), rng.randint(1, 12), rng.randint(1, 27), rng.randint(2, 20), tzinfo=UTC
    )
    failed = {log: first + timedelta(seconds=0 if log == root else rng.randint(20, 240)) for log in logs}
    ahead = _clocks(rng, root, failed)
    files, at = _logs(rng, failed, ahead)
    clocks = f"{rng.choice((place, other))}/clocks.json"
    files[clocks] = _clocks_text({log: ahead[log] for log in rng.sample(logs, len(logs))})
    if rng.random() < 0.6:
        files[f"{other}/clocks.old.json"] = _clocks_text({log: rng.randint(-400, 400) for log in logs})
    files[f"{other}/README.md"] = text_of(note(rng, 3, 8))

    draft = Draft("B10", seed, "diagnosis")
    errors = draft.look("grep", pattern=" ERROR ", path=folder, recursive=True, fixed=True, line_number=True)
    corrections = draft.look("cat", path=clocks)
    later = [log for log in logs if log != root]
    for log in rng.sample(later, len(later)):
        draft.want(
            Claim(
                predicate="before",
                subject=f"{root}:{at[root]}",
                value=f"{log}:{at[log]}",
                scope=f"corrected by {clocks}",
            ),
            errors,
            corrections,
            find=("subject", "value"),
            wanted="the root's first error line, and that of one service that failed later",
        )
    goal = GOAL.format(folder=folder, clocks=clocks, count=len(later))
    return draft.game("Root service under clock skew", goal, files)


def _clocks(rng: random.Random, root: str, failed: Mapping[str, datetime]) -> dict[str, int]:
    """Seconds each clock is ahead, so that by the stamps another service looks first."""
    while True:
        ahead = {log: rng.randint(-400, 400) for log in failed}
        shown = {log: failed[log] + timedelta(seconds=ahead[log]) for log in failed}
        if min(shown, key=lambda log: (shown[log], log)) != root and len(set(shown.values())) == len(shown):
            return ahead


def _clocks_text(ahead: Mapping[str, int]) -> str:
    return json.dumps(ahead, indent=2) + "\n"


def _logs(
    rng: random.Random, failed: Mapping[str, datetime], ahead: Mapping[str, int]
) -> tuple[dict[str, str], dict[str, int]]:
    """Texts of the logs, each in a zone of its own, and the number of the first error line in each."""
    files, at = {}, {}
    for log, moment in failed.items():
        zone = timezone(timedelta(minutes=rng.choice(ZONES)))
        shown = (moment + timedelta(seconds=ahead[log])).astimezone(zone)
        lines, at[log] = _log(rng, log.rpartition("/")[2].removesuffix(".log"), shown)
        files[log] = text_of(lines)
    return files, at


def _log(rng: random.Random, service: str, failed: datetime) -> tuple[list[str], int]:
    """Lines of a log, and the number of the first error, which has the stamp given."""
    before, behind = rng.randint(6, 16), rng.randint(2, 7)
    at = failed - timedelta(seconds=sum(steps := [rng.randint(3, 20) for _ in range(before)]))
    lines = []
    for step in steps:
        harmless = (
            rng.choice(HARMLESS) if rng.random() < 0.3 else f"INFO request {rng.randint(100, 999)} served"
        )
        level, _, text = harmless.partition(" ")
        lines.append(f"{_stamp(at)} {level} {service}: {text}")
        at += timedelta(seconds=step)
    lines.append(f"{_stamp(at)} ERROR {service}: {rng.choice(CAUSES)}")
    for _ in range(behind):
        at += timedelta(seconds=rng.randint(1, 9))
        lines.append(f"{_stamp(at)} {rng.choice(('ERROR', 'WARN'))} {service}: {rng.choice(CAUSES)}")
    return lines, before + 1


def _stamp(at: datetime) -> str:
    written = at.isoformat(timespec="seconds")
    return written.replace("+00:00", "Z")

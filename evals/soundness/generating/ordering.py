"""Claims about logs: which of two lines is earlier, with zones, and with clocks that run ahead."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, timezone
from random import Random

from evals.soundness.generating.parts import Actions, Lie, Made, altered, call, cats, claim
from evals.soundness.generating.trees import WORDS, tree_of
from evals.soundness.tree import Tree
from evals.soundness.truth_of_order import ordered

BEGIN = datetime(2024, 5, 1, 10, 0, tzinfo=UTC)
ZONES = (timedelta(), timedelta(hours=2), timedelta(hours=-5), timedelta(hours=5, minutes=30))
Format = Callable[[datetime, str], str]


def _iso(stamp: datetime, words: str) -> str:
    return f"{stamp.isoformat(timespec='seconds')} INFO {words}"


def _utc(stamp: datetime) -> str:
    return stamp.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


ZONED: Mapping[str, Format] = {
    "iso": _iso,
    "iso with a blank": lambda stamp, words: f"{stamp.isoformat(' ', 'milliseconds')} WARN {words}",
    "Z": lambda stamp, words: f"{_utc(stamp)} {words}",
    "brackets": lambda stamp, words: f"[{_utc(stamp)}] ERROR {words}",
    "apache": lambda stamp, words: f'10.0.0.7 - - [{stamp:%d/%b/%Y:%H:%M:%S %z}] "GET /{words}" 200',
    "json": lambda stamp, words: json.dumps({"time": _utc(stamp), "msg": words}),
    "json epoch": lambda stamp, words: json.dumps({"ts": int(stamp.timestamp()), "msg": words}),
    "key": lambda stamp, words: f'time="{_utc(stamp)}" level=info msg="{words}"',
}
UNZONED: Mapping[str, Format] = {
    "plain": lambda stamp, words: f"{stamp:%Y-%m-%d %H:%M:%S} INFO {words}",
    "comma": lambda stamp, words: f"{stamp:%Y-%m-%d %H:%M:%S},{stamp.microsecond // 1000:03d} INFO {words}",
    "slashes": lambda stamp, words: f"{stamp:%Y/%m/%d %H:%M:%S} {words}",
    "T": lambda stamp, words: f"{stamp:%Y-%m-%dT%H:%M:%S} {words}",
}


def _log(dice: Random, formats: Mapping[str, Format], count: int) -> str:
    """Lines with stamps in no order, of one format; each in a zone of its own where there are zones."""
    write = formats[dice.choice(sorted(formats))]
    moments = [BEGIN + timedelta(seconds=dice.randint(0, 40_000)) for _ in range(count)]
    lines = []
    for moment in moments:
        there = moment.astimezone(timezone(dice.choice(ZONES)))
        message = dice.choice(WORDS) + dice.choice(("", " since 2024-05-01", " done"))
        lines.append(write(there, message if formats is UNZONED else dice.choice(WORDS)))
    return "\n".join(lines) + "\n"


def _ways(places: list[str], tree: Tree, more: Actions) -> dict[str, Actions]:
    paths = list(dict.fromkeys(place.rpartition(":")[0] for place in places))
    most = max(int(place.rpartition(":")[2]) for place in places)
    return {
        "cat": [*cats(*paths), *more],
        "grep -n": [*(call("grep", pattern=":", path=p, line_number=True) for p in paths), *more],
        "head": [*(call("head", path=p, lines=most) for p in paths), *more],
    }


def _lies(fields: dict[str, str], ways: Mapping[str, Actions]) -> list[Lie]:
    subject, value = fields["subject"], fields["value"]
    opposite = {"before": "after", "after": "before"}[fields["predicate"]]
    path = subject.rpartition(":")[0]
    return [
        Lie("the other way", altered(fields, predicate=opposite)),
        Lie("swapped", altered(fields, subject=value, value=subject)),
        Lie("with itself", altered(fields, value=subject)),
        Lie("no such line", altered(fields, subject=f"{path}:999")),
        Lie("next line", altered(fields, subject=f"{path}:{int(subject.rpartition(':')[2]) + 1}")),
    ]


def _claim_on(first: str, second: str, tree: Tree, scope: str | None = None) -> dict[str, str] | None:
    fields = claim("before", first, second, scope=scope)
    predicate = ordered(fields, tree)
    return None if predicate is None else altered(fields, predicate=predicate)


def lines_of_one_log(dice: Random) -> Made:
    """Two lines of one log, with or without zones; or a line and a written timestamp."""
    tree = tree_of(dice, 1, 3)
    formats = dice.choice((ZONED, UNZONED))
    tree = Tree({**tree.files, "logs/app.log": _log(dice, formats, 6)}, tree.links)
    first, second = (f"logs/app.log:{number}" for number in dice.sample(range(1, 7), 2))
    places = [first, second]
    if formats is ZONED and dice.random() < 0.4:
        second, places = _utc(BEGIN + timedelta(seconds=dice.randint(0, 40_000))), [first]
    fields = _claim_on(first, second, tree)
    if fields is None:
        return lines_of_one_log(dice)
    ways = _ways(places, tree, [])
    lies = _lies(fields, ways) if len(places) == 2 else [Lie("the other way", _opposite(fields))]
    weak = {"names": [call("find", path="logs")], "size": [call("wc", path="logs/app.log")]}
    return Made(tree, fields, ways, lies, weak)


def _opposite(fields: dict[str, str]) -> dict[str, str]:
    return altered(fields, predicate={"before": "after", "after": "before"}[fields["predicate"]])


def lines_of_two_logs(dice: Random) -> Made:
    """Lines of two logs with zones."""
    tree = tree_of(dice, 1, 3)
    tree = Tree(
        {**tree.files, "logs/a.log": _log(dice, ZONED, 4), "logs/b.log": _log(dice, ZONED, 4)}, tree.links
    )
    places = [f"logs/a.log:{dice.randint(1, 4)}", f"logs/b.log:{dice.randint(1, 4)}"]
    dice.shuffle(places)
    fields = _claim_on(places[0], places[1], tree)
    if fields is None:
        return lines_of_two_logs(dice)
    ways = _ways(places, tree, [])
    one = places[0].rpartition(":")[0]
    return Made(tree, fields, ways, _lies(fields, ways), {"one of them": cats(one)})


def zone_trap(dice: Random) -> Made:
    """Lines whose written hours stand the other way round than their instants, or cannot be compared."""
    early = BEGIN + timedelta(minutes=dice.randint(1, 50))
    late = early + timedelta(minutes=dice.randint(5, 50))
    east, west = timezone(timedelta(hours=dice.randint(2, 6))), timezone(timedelta(hours=-dice.randint(2, 6)))
    files = {
        "east.log": _iso(early.astimezone(east), "first") + "\n",
        "west.log": _iso(late.astimezone(west), "second") + "\n",
        "bare.log": f"{late:%Y-%m-%d %H:%M:%S} third\n",
        "bare2.log": f"{early:%Y-%m-%d %H:%M:%S} fourth\n",
    }
    fields = claim("before", "east.log:1", "west.log:1")
    every = cats(*files)
    lies = [
        Lie("by written hours", altered(fields, predicate="after")),
        Lie("swapped", altered(fields, subject="west.log:1", value="east.log:1")),
        Lie("zone against none", altered(fields, value="bare.log:1"), every),
        Lie("none against zone", altered(fields, subject="bare2.log:1"), every),
        Lie("two files without zones", altered(fields, subject="bare2.log:1", value="bare.log:1"), every),
        Lie("a written stamp without a zone", altered(fields, value="2099-01-01 00:00:00"), every),
    ]
    return Made(Tree(files), fields, {"cat": cats("east.log", "west.log")}, lies, {"one": cats("east.log")})


def clocks_ahead(dice: Random) -> Made:
    """Lines of two logs whose clocks run ahead by known seconds, so that the order is another."""
    early = BEGIN + timedelta(seconds=dice.randint(0, 3000))
    late = early + timedelta(seconds=dice.randint(1, 60))
    ahead = dice.randint(90, 900)
    zoned = dice.random() < 0.5

    def line(moment: datetime, words: str) -> str:
        return _iso(moment, words) if zoned else f"{moment:%Y-%m-%d %H:%M:%S} {words}"

    clocks = {"logs/api.log": ahead, "logs/db.log": dice.choice((0, 0, 30, -15, 0.5))}
    shown = early + timedelta(seconds=ahead), late + timedelta(seconds=clocks["logs/db.log"])
    files = {
        "logs/api.log": f"{line(shown[0], 'request')}\n",
        "logs/db.log": f"{line(shown[1].replace(microsecond=0), 'query')}\n",
        "clocks.json": json.dumps(clocks, indent=1) + "\n",
        "old/clocks.json": json.dumps({"logs/api.log": 0, "logs/db.log": 0}) + "\n",
    }
    tree, scope = Tree(files), "corrected by clocks.json"
    fields = _claim_on("logs/api.log:1", "logs/db.log:1", tree, scope)
    if fields is None:
        return clocks_ahead(dice)
    logs = cats("logs/api.log", "logs/db.log")
    opposite = _opposite(fields)
    old = "corrected by old/clocks.json"
    lies = [
        Lie("the other way", opposite),
        Lie("uncorrected", altered(opposite, scope=None)),
        Lie("uncorrected, without scope", altered(fields, scope=None)),
        Lie("other clocks", altered(fields, scope=old), [*logs, *cats("old/clocks.json")]),
        Lie("no such clocks", altered(fields, scope="corrected by none.json")),
        Lie("other clocks shown", opposite, [*logs, *cats("old/clocks.json")]),
    ]
    ways = {"cat": [*logs, *cats("clocks.json")]}
    return Made(
        tree, fields, ways, lies, {"without clocks": logs, "one log": cats("logs/api.log", "clocks.json")}
    )

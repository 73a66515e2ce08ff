"""Games solved from what their player is told and their files, by plain code of their own for each kind."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, time
from typing import Any

from nodes.tutor.claims import Claim
from nodes.tutor.games.game import Game
from tests.nodes.tutor.games import truth

ORDINALS = ("first", "second", "third", "fourth")
Record = dict[str, Any]


def quoted(game: Game) -> list[str]:
    """What stands between backticks in the goal."""
    return re.findall(r"`([^`]+)`", game.goal)


def token_search(game: Game) -> list[list[Claim]]:
    token = quoted(game)[0]
    holders = [path for path, text in game.files.items() if truth.word_in(text, token)]
    return [[Claim(predicate="contains", subject=path, value=token, unit="word")] for path in holders]


def line_total(game: Game) -> list[list[Claim]]:
    pattern, scope = quoted(game)[:2]
    inside = truth.below(game.files, scope)
    total = sum(text.count("\n") for path, text in inside.items() if path.endswith(pattern.removeprefix("*")))
    return [[Claim(predicate="count", subject=pattern, value=total, unit="lines", scope=scope)]]


def schema_mismatch(game: Game) -> list[list[Claim]]:
    config, schema = quoted(game)[:2]
    values = truth.parsed(config, game.files[config])
    rules = truth.parsed(schema, game.files[schema])
    return [
        [
            Claim(predicate="value_of", subject=f"{section}.{key}", value=value, scope=config),
            Claim(
                predicate="value_of",
                subject=f"{section}.{key}.{word}",
                value=rules[section][key][word],
                scope=schema,
            ),
        ]
        for section, keys in values.items()
        for key, value in keys.items()
        for word in broken_rules(key, value, rules[section][key])
    ]


def broken_rules(key: str, value: object, rule: Mapping[str, Any]) -> list[str]:
    kinds = {"integer": int, "string": str, "boolean": bool}
    if type(value) is not kinds[rule["type"]]:
        return ["type"]
    broken = ["enum"] if "enum" in rule and value not in rule["enum"] else []
    if isinstance(value, int) and not isinstance(value, bool):
        stored = 1 if key.endswith("_ms") else 1000
        scale = stored / (1000 if rule["unit"] == "s" else 1) if "unit" in rule else 1
        broken += ["max"] if "max" in rule and value * scale > rule["max"] else []
        broken += ["min"] if "min" in rule and value * scale < rule["min"] else []
    return broken


def import_chain(game: Game) -> list[list[Claim]]:
    path, name = quoted(game)[:2]
    unit = game.goal.rsplit("unit = ", 1)[1].strip(".`\n")
    claims = []
    while name not in truth.defined(game.files[path]):
        module, names = next(
            (module, names) for module, names in truth.imported(path, game.files[path]) if name in names
        )
        claims.append(Claim(predicate="imports", subject=path, value=module))
        path, name = truth.file_of(game.files, module), names[name]
    return [[*claims, Claim(predicate="defines", subject=path, value=name, unit=unit)]]


def session_rules(game: Game, without: str = "") -> list[list[Claim]]:
    """The first violation, `without` one of the kinds of rules."""
    log, limits_path = quoted(game)[:2]
    limits = truth.parsed(limits_path, game.files[limits_path])
    lines = game.files[log].splitlines()
    records = [dict(part.split("=") for part in line.split()[1:]) for line in lines]
    stamps = [datetime.fromisoformat(line.split()[0]).time() for line in lines]
    told = " ".join(game.rules)
    over = []
    for record, stamp in zip(records, stamps, strict=True):
        key = _limit(record, stamp, limits, told, without)
        value, limit = int(record["value"]), truth.at_key(limits, key)
        over.append((key, value > limit or (without == "equal" and value == limit)))
    for at in range(len(records)):
        if over[at][1] and _counts(at, records, stamps, [one for _, one in over], told, without):
            key = over[at][0]
            return [
                [
                    Claim(predicate="equals", subject=f"{log}:{at + 1}", value=lines[at]),
                    Claim(
                        predicate="value_of", subject=key, value=truth.at_key(limits, key), scope=limits_path
                    ),
                ]
            ]
    return []


def _limit(record: Record, stamp: time, limits: Mapping[str, Any], told: str, without: str) -> str:
    metric, service = record["metric"], record["service"]
    since = re.search(r"From (\S+) on, the limits under `late`", told)
    if since and without != "late" and stamp >= time.fromisoformat(since[1]) and metric in limits["late"]:
        return f"late.{metric}"
    if without != "own" and metric in limits.get(service, {}):
        return f"{service}.{metric}"
    return f"default.{metric}"


def _counts(
    at: int, records: list[Record], stamps: list[time], over: list[bool], told: str, without: str
) -> bool:
    record = records[at]
    window = re.search(r"(\S+) is under maintenance from (\S+) to ([\d:]+\d)", told)
    if window and without != "window" and record["service"] == window[1]:
        if time.fromisoformat(window[2]) <= stamps[at] <= time.fromisoformat(window[3]):
            return False
    if "source=probe do not count" in told and without != "probe" and record["source"] == "probe":
        return False
    if "only if the next record" in told and without != "twice":
        series = (record["service"], record["metric"])
        behind = range(at + 1, len(records))
        following = (one for one in behind if (records[one]["service"], records[one]["metric"]) == series)
        return any(over[one] for one in list(following)[:1])
    return True


def kinds_of(game: Game) -> list[str]:
    """Rules of B05 that are told beside the basic ones."""
    told = " ".join(game.rules)
    signs = {"late": "`late`", "window": "maintenance", "probe": "probe", "twice": "next record"}
    return [kind for kind, sign in signs.items() if sign in told]


def scattered_clues(game: Game) -> list[list[Claim]]:
    path, vault = quoted(game)[:2]
    placed: dict[int, str] = {}
    claims = []
    while path:
        (clue,) = re.findall(r"^clue: fragment (\w+), (\w+) place; (.+)$", game.files[path], re.M)
        fragment, place, following = clue
        placed[ORDINALS.index(place)] = fragment
        claims.append(Claim(predicate="contains", subject=path, value=fragment, unit="word"))
        path = _next_clue(game, following)
    code = "-".join(placed[place] for place in range(len(placed)))
    held = truth.parsed(vault, game.files[vault])
    keys = [f"{section}.{key}" for section in held for key, kept in held[section].items() if kept == code]
    return [[*claims, Claim(predicate="value_of", subject=key, value=code, scope=vault)] for key in keys]


def _next_clue(game: Game, following: str) -> str:
    if "last clue" in following:
        return ""
    marked = re.fullmatch(r"next clue in the file marked (\w+)", following)
    if not marked:
        return following.removeprefix("next clue in ")
    (path,) = [path for path, text in game.files.items() if f"mark: {marked[1]}\n" in text]
    return path


def causal_line(game: Game) -> list[list[Claim]]:
    error = quoted(game)[-1]
    return [[Claim(predicate="causes", subject=truth.cause_of(game.files, error), value=error)]]


def breaking_change(game: Game) -> list[list[Claim]]:
    """Every change is taken back, one at a time: the cause is the one without which the test passes."""
    old, new = quoted(game)[:2]
    versions = {version: truth.below(game.files, version) for version in (old, new)}
    sources = {path.partition("/")[2]: text for path, text in versions[new].items() if path.endswith(".py")}
    assert not passes(sources)
    found = []
    for path, text in sources.items():
        for before, after in truth.changed_lines(versions[old][f"{old}/{path}"], text):
            assert text.splitlines().count(after) == 1
            if passes({**sources, path: text.replace(f"{after}\n", f"{before}\n")}):
                found.append(
                    [
                        Claim(
                            predicate="changed_between",
                            subject=path,
                            value=[before, after],
                            unit="line",
                            scope=(old, new),
                        )
                    ]
                )
    return found


def passes(sources: Mapping[str, str]) -> bool:
    """Whether the one test among these sources passes, with all of them in one name space."""
    lines = [
        line
        for path, text in sources.items()
        if not path.startswith("tests/")
        for line in text.splitlines()
        if not line.startswith("from ")
    ]
    (test,) = [text for path, text in sources.items() if path.startswith("tests/")]
    space: dict[str, Any] = {}
    exec("\n".join(lines), space)
    asserted, expected = re.findall(r"assert (.+) == (\d+)", test)[0]
    return bool(eval(asserted, space) == int(expected))


def import_cycle(game: Game) -> list[list[Claim]]:
    place = quoted(game)[0]
    found = truth.cycles(truth.import_graph(game.files, place))
    return [[Claim(predicate="cycle", subject=place, value=modules)] for modules in found]


def clock_skew(game: Game) -> list[list[Claim]]:
    folder, clocks = quoted(game)[:2]
    first = first_errors(game, folder)
    root = min(first, key=lambda place: truth.corrected(game.files, place, clocks))
    return [
        [
            Claim(predicate="before", subject=root, value=place, scope=f"corrected by {clocks}")
            for place in first
            if place != root
        ]
    ]


def first_errors(game: Game, folder: str) -> list[str]:
    return [
        f"{path}:{next(n for n, line in enumerate(text.splitlines(), 1) if line.split()[1] == 'ERROR')}"
        for path, text in truth.below(game.files, folder).items()
        if path.endswith(".log")
    ]


SOLVERS: Mapping[str, Callable[[Game], list[list[Claim]]]] = {
    "B01": token_search,
    "B02": line_total,
    "B03": schema_mismatch,
    "B04": import_chain,
    "B05": session_rules,
    "B06": scattered_clues,
    "B07": causal_line,
    "B08": breaking_change,
    "B09": import_cycle,
    "B10": clock_skew,
}


def turned(claims: Iterable[Claim]) -> set[str]:
    """Claims as texts, in no order; a cycle from its least name."""
    said = set()
    for claim in claims:
        value = claim.value
        if claim.predicate == "cycle":
            at = value.index(min(value))
            value = [*value[at:], *value[:at]]
        said.add(claim.model_copy(update={"value": value}).key)
    return said

"""Evidence that does not hold any more, or never did: past, of another game, altered, wrongly cited."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from evals.soundness.generating.parts import Action, Actions, Fields, Lie, Made, call
from evals.soundness.generating.trees import add, joined, plain_files
from evals.soundness.tree import Tree
from evals.soundness.truth import holds

NO_CITES: tuple[list[Any], ...] = (
    [],
    [-1],
    [99],
    [True],
    [False],
    [None],
    ["0"],
    ["o0"],
    ["o1"],
    [0.0],
    [{"index": 0}],
    [[0]],
    [-1, None, "all"],
    ["other:0"],
)


def spoiling(made: Made, dice: Random) -> tuple[str, Action] | None:
    """A change of the sandbox after which the claim is false, and its name; None if none was found."""
    candidates = list(_changes(made, dice))
    dice.shuffle(candidates)
    for name, step in candidates:
        if not holds(made.claim, made.tree.after([step])):
            return name, step
    return None


def _changes(made: Made, dice: Random) -> Iterator[tuple[str, Action]]:
    tree = made.tree
    paths = plain_files(tree)
    named = [path for path in paths if path in str(made.claim)]
    for path in dict.fromkeys([*named, *dice.sample(paths, min(3, len(paths)))]):
        text = tree.files[path]
        yield "deleted", call("host:delete", path=path)
        yield "renamed", call("host:rename", path=path, to=f"{path}.moved")
        yield "a line more", call("host:write", path=path, content=f"{text}more\n")
        yield "same size", call("host:write", path=path, content=_of_same_size(text))
        yield "emptied", call("host:write", path=path, content="")
    for path, text in _additions(made.claim):
        # A name like `path:line` would give the claim a second meaning.
        if path != "." and ":" not in path and add(dict(tree.files), path, text):
            yield "added", call("host:write", path=path, content=text)


def _of_same_size(text: str) -> str:
    digits = str.maketrans("0123456789", "1234567890")
    return text.translate(digits) if any(map(str.isdigit, text)) else text.swapcase()


def _additions(fields: Fields) -> Iterator[tuple[str, str]]:
    subject, scope, value = fields["subject"], fields.get("scope"), fields["value"]
    directory = scope if isinstance(scope, str) else "."
    name = subject.replace("*", "zz").replace("?", "o")
    if "/" not in name and "\0" not in name and len(name) < 100:
        yield joined(directory, name), "new\n"
        yield joined(directory, f"zz{name}"), "new\n"
    else:
        yield subject, "new\n"
    yield joined(directory, "zz-new.txt"), f"{subject}\n"
    if isinstance(value, str):
        yield joined(subject, "zz-new.txt"), f"{value}\n"


def stale(made: Made, actions: Actions, dice: Random) -> dict[str, Any] | None:
    """The claim was true when it was observed, and is so no more."""
    found = spoiling(made, dice)
    if found is None:
        return None
    name, step = found
    return {
        "category": f"stale: {name}",
        "actions": [*actions, step],
        "cites": list(range(len(actions))),
        "falsity": f"the sandbox was changed since: {name}",
    }


def foreign(made: Made, actions: Actions, dice: Random) -> dict[str, Any] | None:
    """The claim is true of another game, in which it was observed, and not of this one."""
    found = spoiling(made, dice)
    if found is None:
        return None
    tree = made.tree.after([found[1]])
    return {
        "category": "another game",
        "files": dict(tree.files),
        "actions": [call("ls", path=".", all=True)],
        "cites": [
            *dice.sample([0], dice.randint(0, 1)),
            *(f"other:{index}" for index in range(len(actions))),
        ],
        "other_game": {"files": dict(made.tree.files), "links": dict(made.tree.links), "actions": actions},
        "falsity": "so in another game only",
    }


FIELDS = (
    "stdout",
    "stdout",
    "stdout",
    "output",
    "facts",
    "args",
    "returncode",
    "footprint",
    "game",
    "seal",
    "truncated",
)


def tampered(made: Made, lie: Lie, actions: Actions, dice: Random) -> dict[str, Any]:
    """A false claim, and evidence altered so that it would show it."""
    changes = [
        (made.claim.get(name), lie.claim.get(name))
        for name in ("value", "subject", "scope", "unit")
        if made.claim.get(name) != lie.claim.get(name)
    ]
    old, new = changes[0] if changes else ("", lie.claim["subject"])
    at = dice.randrange(len(actions))
    field = dice.choice(FIELDS)
    step = call("host:tamper", observation=at, field=field, old=_text(old), new=_text(new))
    return {
        "category": f"tampered: {field}",
        "claim": lie.claim,
        "actions": [*actions, step],
        "cites": list(range(len(actions))),
        "falsity": f"the observation was altered, and the claim is {lie.name}",
    }


def _text(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


def shown_as_before(made: Made, actions: Actions, dice: Random) -> dict[str, Any] | None:
    """A false claim, and the output of `cat` altered into a text that shows it."""
    found = spoiling(made, dice)
    if found is None or found[1]["tool"] != "host:write":
        return None
    path, text = found[1]["args"]["path"], found[1]["args"]["content"]
    at = next((index for index, action in enumerate(actions) if action == call("cat", path=path)), None)
    if at is None:
        return None
    step = call("host:tamper", observation=at, field="stdout", old=text, new=made.tree.files[path])
    return {
        "category": "tampered: whole text",
        "files": dict(made.tree.after([found[1]]).files),
        "actions": [*actions, step],
        "cites": list(range(len(actions))),
        "falsity": f"the text shown of {path} was altered",
    }


def without_cites(actions: Actions, dice: Random) -> dict[str, Any]:
    """Evidence that is there, and not cited as evidence is."""
    cites = dice.choice(NO_CITES)
    return {
        "category": f"cited as {cites}",
        "actions": actions,
        "cites": cites,
        "insufficient": "what is cited is no observation",
    }


def after_the_changes(made: Made, probe: dict[str, Any]) -> Tree:
    """The files a probe's claim is about."""
    files = probe.get("files", made.tree.files)
    return Tree(files, made.tree.links).after(probe["actions"])

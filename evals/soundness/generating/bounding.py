"""Claims that a number is above or below another, or a file larger than another."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from evals.soundness.generating.counting import files_named, size_of_file
from evals.soundness.generating.matching import text_count
from evals.soundness.generating.parts import Lie, Made, altered, call, cats, claim
from evals.soundness.generating.trees import plain_files, tree_of
from evals.soundness.truth import measure


def bound(dice: Random) -> Made:
    """A number above or below another number, or that of another subject."""
    made = dice.choice((size_of_file, files_named, text_count))(dice)
    value = made.claim["value"]
    predicate = dice.choice(("greater", "less"))
    sign = -1 if predicate == "greater" else 1
    fields = altered(made.claim, predicate=predicate, value=value + sign * dice.choice((1, 1, 2, 50)))
    opposite = "less" if predicate == "greater" else "greater"
    lies = [
        Lie("equal", altered(fields, value=value)),
        Lie("the other way", altered(fields, predicate=opposite)),
        Lie("one beyond", altered(fields, value=value - sign)),
        Lie("a number in quotes", altered(fields, value=str(value + sign))),
        Lie("a failed command", altered(fields, value=value - sign), [call("cat", path="ghost.cfg")]),
    ]
    # That a number is above a negative one needs no more than the file.
    return replace(made, claim=fields, lies=lies, weak={} if fields["value"] < 0 else made.weak)


def compared_files(dice: Random) -> Made:
    """One file larger than another."""
    tree = tree_of(dice, 4, 9)
    paths = plain_files(tree)
    if len(paths) < 2:
        return compared_files(dice)
    first, second = dice.sample(paths, 2)
    unit = dice.choice(("lines", "bytes"))
    sizes = [measure(path, unit, None, tree) for path in (first, second)]
    predicate = "greater" if sizes[0] > sizes[1] else "less"
    fields = claim(predicate, first, second, unit)
    opposite = {"greater": "less", "less": "greater"}[predicate]
    ways = {
        "wc of both": [call("wc", paths=[first, second], **{unit: True})],
        "cat of both": cats(first, second),
        "one after the other": [call("wc", path=first), call("wc", path=second)],
    }
    lies = [
        Lie("the other way", altered(fields, predicate=opposite)),
        Lie("swapped", altered(fields, subject=second, value=first)),
        Lie("with itself", altered(fields, value=first)),
    ]
    return Made(tree, fields, ways, lies, {"one of them": [call("wc", path=second, **{unit: True})]})

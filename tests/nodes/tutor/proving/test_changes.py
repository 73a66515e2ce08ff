"""Changed between: two versions made by known edits."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.nodes.tutor.proving.knowing import judged, status

lines = st.lists(st.sampled_from(["a = 1", "b = 2", "", "  c", "return x", "}"]), max_size=12)


def versions(old: list[str], new: list[str]) -> dict[str, str | None]:
    return {"v1/f.py": "\n".join(old) + "\n", "v2/f.py": "\n".join(new) + "\n"}


@settings(deadline=None, max_examples=100)
@given(before=lines, after=lines, repeated=st.booleans())
def test_the_one_line_that_was_replaced(before: list[str], after: list[str], repeated: bool) -> None:
    old, new = [*before, "timeout = 30", *after], [*before, "timeout = 5", *after]
    files = versions(old, new)
    scope = ["v1", "v2"]
    assert (
        status(files, "changed_between", "f.py", ["timeout = 30", "timeout = 5"], unit="line", scope=scope)
        == "validated"
    )
    for pair in (
        ["timeout = 5", "timeout = 30"],
        ["timeout = 30", "timeout = 30"],
        ["timeout = 30", "timeout = 6"],
    ):
        assert status(files, "changed_between", "f.py", pair, unit="line", scope=scope) == "refuted"
    for line in set(before + after):
        assert (
            status(files, "changed_between", "f.py", [line, "timeout = 5"], unit="line", scope=scope)
            != "validated"
        )
        assert (
            status(files, "changed_between", "f.py", ["timeout = 30", line], unit="line", scope=scope)
            != "validated"
        )
    assert status(files, "changed_between", "f.py", True, unit="file", scope=scope) == "validated"
    assert status(files, "changed_between", "f.py", False, unit="file", scope=scope) == "refuted"


@settings(deadline=None, max_examples=100)
@given(seed=st.integers(0, 10**6))
def test_several_lines_of_a_file_of_distinct_lines(seed: int) -> None:
    rng = random.Random(seed)
    old = [f"key_{number} = {rng.randint(0, 9)}" for number in range(rng.randint(3, 9))]
    new, replaced = list(old), {}
    for at in rng.sample(range(0, len(old), 2), min(3, len(old) // 2)):
        new[at] = replaced[old[at]] = f"key_{at} = {rng.randint(10, 99)}"
    added = "added = 1"
    new.append(added)
    gone = old[-1] not in new
    files = versions(old, new)
    for one in old:
        for other in new:
            found = status(files, "changed_between", "f.py", [one, other], unit="line", scope=["v1", "v2"])
            # The last line stands beside the one that was added: which of the two it became is open.
            if replaced.get(one) == other and not (gone and one == old[-1]):
                assert found == "validated"
            elif replaced.get(one) != other:
                assert found != "validated"
    if not gone:
        assert (
            status(files, "changed_between", "f.py", [None, added], unit="line", scope=["v1", "v2"])
            == "validated"
        )


@pytest.mark.parametrize(
    ("old", "new", "pair"),
    [
        (["x"], ["y", "z"], ["x", "y"]),
        (["x", "y"], ["y", "z"], ["x", "z"]),
        (["a", "b"], ["b", "b"], ["a", "b"]),
        (["left = 1", "right = 2"], ["right = 3", "left = 4"], ["left = 1", "right = 3"]),
        (["a", "x", "a"], ["a", "a", "y", "a"], ["x", "y"]),
    ],
)
def test_where_it_is_open_which_line_became_which_nothing_is_proved(
    old: list[str], new: list[str], pair: list[str]
) -> None:
    assert (
        status(versions(old, new), "changed_between", "f.py", pair, unit="line", scope=["v1", "v2"])
        != "validated"
    )


def test_both_versions_have_to_be_seen() -> None:
    files = versions(["a"], ["b"])
    for path in files:
        one = {path: files[path]}
        for value, unit in ((["a", "b"], "line"), (True, "file"), (False, "file")):
            assert (
                status(one, "changed_between", "f.py", value, unit=unit, scope=["v1", "v2"]) == "undecidable"
            )


def test_a_file_that_is_in_one_version_only_was_not_changed_between_them() -> None:
    files = {"v1/f.py": "a\n", "v2/f.py": None}
    assert status(files, "changed_between", "f.py", True, unit="file", scope=["v1", "v2"]) == "undecidable"


values = st.one_of(
    st.integers(-3, 3), st.booleans(), st.none(), st.sampled_from(["", "1", "true", 1.0, 0.5, [1], [1.0]])
)


@settings(deadline=None, max_examples=100)
@given(old=values, new=values, claimed=st.tuples(values, values), nested=st.booleans())
def test_values_are_compared_by_their_type(
    old: object, new: object, claimed: tuple[object, object], nested: bool
) -> None:
    def document(value: object) -> str:
        return json.dumps({"other": value, "a": {"b": value} if nested else value})

    files = {"old.json": document(old), "new.json": document(new)}
    key = "a.b" if nested else "a"

    def found(pair: list[object]) -> str:
        return status(files, "changed_between", key, pair, unit="value", scope=["old.json", "new.json"])

    differ = json.dumps(old) != json.dumps(new)
    assert found([old, new]) == ("validated" if differ else "refuted")
    if [json.dumps(one) for one in claimed] != [json.dumps(old), json.dumps(new)]:
        assert found(list(claimed)) == "refuted"


def test_the_verdict_rests_on_both_files() -> None:
    files = {"old.toml": "a = 1\n", "new.toml": "a = 2\n", "x": "y"}
    verdict = judged(files, "changed_between", "a", [1, 2], unit="value", scope=["old.toml", "new.toml"])
    assert (verdict.status, verdict.used) == ("validated", {"old.toml", "new.toml"})

"""A path of the container becomes the same path below the tree, and nothing else changes."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.shell.places import ALONE, SYSTEM, rooted, tops_named

ROOT = Path("/play/fs")
TOPS = ("attic", "a.b-c")
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,7}", fullmatch=True)


@settings(max_examples=40, deadline=None)
@given(inner=st.lists(NAMES, max_size=3), before=st.sampled_from(["", " ", "'", '"', "=", ">", "(", "of="]))
def test_every_path_into_the_tree_is_led_there(inner: list[str], before: str) -> None:
    path = "/" + "/".join(["attic", *inner])
    assert rooted(f"x {before}{path} y", ROOT, TOPS) == f"x {before}{ROOT}{path} y"


@given(top=NAMES.filter(lambda name: name not in TOPS))
def test_other_paths_stay(top: str) -> None:
    text = f"show /{top}/attic and attic and ./attic and ~/attic and */attic"
    assert rooted(text, ROOT, TOPS) == text


@pytest.mark.parametrize(
    "text",
    ["s/attic/cellar/", "and/or", "</attic>", "a/attic", "..//attic", "$1/attic", "{}/attic", "!~/attic/"],
)
def test_what_is_no_path_from_the_root_stays(text: str) -> None:
    assert rooted(text, ROOT, TOPS) == text


@given(text=st.text(alphabet="/ atic.'\"=xb-", max_size=60))
def test_taking_the_root_away_again_gives_the_text(text: str) -> None:
    assert rooted(text, ROOT, TOPS).replace(str(ROOT), "") == re.sub(ALONE, "", text)


def test_a_full_stop_ends_a_sentence_not_a_name() -> None:
    assert rooted("Look below /attic.", ROOT, TOPS) == f"Look below {ROOT}/attic."
    assert rooted("Look into /a.b-c", ROOT, TOPS) == f"Look into {ROOT}/a.b-c"


@given(name=st.sampled_from(sorted(SYSTEM)))
def test_the_system_is_never_part_of_the_tree(name: str) -> None:
    text = f"cat /{name}/x"
    assert rooted(text, ROOT, [name]) == text
    assert tops_named(text, text) == frozenset()


def test_a_directory_to_be_made_is_named_by_goal_and_command() -> None:
    assert tops_named("Make /cellar, not /loft", "mkdir /cellar") == {"cellar"}
    assert not re.search("loft", rooted("x", ROOT, tops_named("a", "mkdir /loft")))


@pytest.mark.parametrize(
    "text", ["mv a {}", "mv a {}; ls", "ln -s a {} | cat", "find -exec mv a {} \\;", "put it into {}"]
)
def test_the_root_alone_is_the_tree(text: str) -> None:
    assert rooted(text.replace("{}", "/"), ROOT, TOPS) == text.replace("{}", str(ROOT))


@pytest.mark.parametrize("text", ["awk '{print $1 / $2}'", "find / -name x", "a / b", "//", "cd /etc"])
def test_a_division_is_no_root(text: str) -> None:
    assert rooted(text, ROOT, TOPS) == text

"""One spelling for each place, and none where it is not certain."""

from __future__ import annotations

import pytest

from nodes.tutor.observing.places import above_of, place_of
from tests.nodes.tutor.observing.conftest import Sandbox


@pytest.fixture
def planted(sandbox: Sandbox) -> Sandbox:
    sandbox.write(**{"a/b": "", "c": ""})
    (sandbox.root / "link").symlink_to("a")
    (sandbox.root / "dangling").symlink_to("nowhere")
    return sandbox


@pytest.mark.parametrize(
    ("operand", "path"),
    [
        ("./a//b", "a/b"),
        ("a/", "a"),
        ("a/../c", "c"),
        ("a/./b", "a/b"),
        (".", "."),
        ("./", "."),
        ("a/..", "."),
        ("link/b", "link/b"),
        ("missing/", "missing"),
        ("dangling/", "dangling"),
        ("", None),
        ("-", None),
        ("..", None),
        ("a/../../c", None),
        ("link/../c", None),
        ("missing/../c", None),
        ("c/", None),
        ("c/.", None),
        ("c/..", None),
        ("/etc", None),
        ("a\0", None),
        ("\udcff", None),
    ],
)
def test_spellings(operand: str, path: str | None, planted: Sandbox) -> None:
    place = place_of(planted.root, operand)
    assert (place.path if place else None) == path


def test_an_absolute_path_is_read_below_the_sandbox(planted: Sandbox) -> None:
    inside = place_of(planted.root, f"{planted.root}/a/b")
    assert inside is not None and (inside.path, inside.standing) == ("a/b", "file")
    assert place_of(planted.root, f"{planted.root}2/a") is None


def test_what_a_link_leads_to_has_more_than_one_name(planted: Sandbox) -> None:
    reached = [place_of(planted.root, operand) for operand in ("a", "link", "link/b", "dangling")]
    assert [place.standing for place in reached if place] == [
        "directory",
        "link to a directory",
        "file",
        "nothing",
    ]
    assert [place.is_own_directory for place in reached if place] == [True, False, False, False]
    assert above_of("a/b/c") == ["a", "a/b"]

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.writing.worlds import World
from tools.errors import ToolError
from tools.writing.places import Place, is_protected, locate, printable

PARTS = st.sampled_from(
    [
        ".",
        "..",
        "",
        "src",
        "in",
        "out",
        "up",
        "proc",
        "root",
        "loop",
        "git",
        ".git",
        ".reflect",
        "a.txt",
        "new",
    ]
) | st.text(max_size=6)


@pytest.mark.parametrize(
    "path",
    [
        "../x", "/etc/passwd", "/", ".", "", "src/..", "up/x", "out/x", "out_file", "out_new", "~/x", "a\0b",
        "/proc/self/cwd/x", "proc/x", "proc/self/root/etc/x", "src/back/outside/x", "root/etc/x", "\ud800",
        "src/../../outside/x", "out/../outside/x",
    ],
)  # fmt: skip
def test_what_leads_out_is_refused(path: str, world: World) -> None:
    with pytest.raises(ToolError):
        locate(world.root, path, follow=True)


@pytest.mark.parametrize("path", ["..", ".", "", "src/..", "out/x", "up/x", "../x", "src/.", "/etc/passwd"])
def test_what_leads_out_is_refused_for_names_too(path: str, world: World) -> None:
    with pytest.raises(ToolError):
        locate(world.root, path, follow=False)


def test_links_inside_lead_to_what_they_mean_and_names_stay_names(world: World) -> None:
    assert locate(world.root, "in/new", follow=True) == Place(("src",), "new")
    assert locate(world.root, "in_file", follow=True) == Place(("src",), "b.txt")
    assert locate(world.root, "in_file", follow=False) == Place((), "in_file")
    assert locate(world.root, "out", follow=False) == Place((), "out")
    assert locate(world.root, "dangling", follow=True) == Place(("src",), "not_there")
    assert locate(world.root, f"{world.root}/src/x", follow=True) == Place(("src",), "x")
    assert locate(world.root, "src/../-", follow=True) == Place((), "-")


@pytest.mark.parametrize(
    "name",
    [
        ".git", ".GIT", ".Git", ".reflect", ".REFLECT", ".git.", ".git ", ".g\u200cit", "\uff0egit", "git~1",
        "GIT~2", ".git::$INDEX_ALLOCATION", ".re\ufb02ect", "REFLEC~1",
    ],
)  # fmt: skip
def test_every_spelling_of_a_protected_name_is_refused(name: str, world: World) -> None:
    assert is_protected(name)
    for path in (name, f"{name}/x", f"src/{name}/x"):
        for follow in (True, False):
            with pytest.raises(ToolError):
                locate(world.root, path, follow=follow)


@pytest.mark.parametrize("name", [".gitignore", ".github", "git", "reflect", ".gitattributes", "x.git"])
def test_other_names_are_free(name: str) -> None:
    assert not is_protected(name)


def test_a_link_to_a_protected_directory_is_no_way_in(world: World) -> None:
    with pytest.raises(ToolError, match="not for tools"):
        locate(world.root, "git/hooks/pre-commit", follow=True)


@settings(max_examples=300, deadline=None)
@given(parts=st.lists(PARTS, max_size=5), follow=st.booleans(), absolute=st.booleans())
def test_a_place_is_always_strictly_below_the_root(parts: list[str], follow: bool, absolute: bool) -> None:
    world = shared_world()
    path = "/".join(parts)
    try:
        place = locate(world.root, f"{world.root}/{path}" if absolute else path, follow=follow)
    except ToolError:
        return
    assert place.parts and not {"", ".", ".."} & set(place.parts) and not any("/" in p for p in place.parts)
    assert Path(os.path.realpath(world.root.joinpath(*place.parents))).is_relative_to(world.root)
    assert not any(is_protected(part) for part in place.parts)
    place.shown.encode("utf-8")


_shared: list[tuple[tempfile.TemporaryDirectory[str], World]] = []


def shared_world() -> World:
    if not _shared:
        directory = tempfile.TemporaryDirectory()
        _shared.append((directory, World(Path(os.path.realpath(directory.name)))))
    return _shared[0][1]


@given(raw=st.binary(max_size=20).filter(lambda raw: b"\0" not in raw))
def test_any_name_is_printable_on_one_line(raw: bytes) -> None:
    shown = printable(os.fsdecode(raw))
    assert shown.isprintable()
    shown.encode("utf-8")

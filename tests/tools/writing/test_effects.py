from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings

from tests.tools.writing.test_files import CALLS
from tests.tools.writing.worlds import World, call
from tools.errors import ToolError
from tools.writing.effects import effect_of
from tools.writing.plan import execute, preview


@settings(max_examples=150, deadline=None)
@given(one=CALLS)
def test_an_effect_is_never_claimed_falsely(one: Any) -> None:
    with tempfile.TemporaryDirectory() as name:
        world = World(Path(os.path.realpath(name)))
        try:
            after = preview(world.root, one).after
        except ToolError:
            return
        before = world.inside()
        unchanged = one.tool == "make_dir" and (world.root / one.args["path"]).is_dir()
        unchanged |= one.tool == "write_file" and _holds(world.root / one.args["path"], one.args["content"])
        if not unchanged:
            assert effect_of(world.root, one, after) != "done"
            assert effect_of(world.root, one) != "done"
        assert world.inside() == before
        execute(world.root, one)
        assert effect_of(world.root, one, after) == "done"
        assert effect_of(world.root, one) != "not_done"


def _holds(path: Path, content: str) -> bool:
    return path.is_file() and path.read_bytes() == content.encode()


def test_what_is_to_be_done_is_told(world: World) -> None:
    for one in (
        call("write_file", path="new", content="x"),
        call("write_file", path="a.txt", content="x", overwrite=True),
        call("edit_file", path="a.txt", old="two", new="2"),
        call("make_dir", path="new"),
        call("move", source="a.txt", target="new"),
        call("delete", path="a.txt"),
    ):
        assert effect_of(world.root, one) == "not_done", one


def test_what_cannot_be_proved_is_unknown(world: World) -> None:
    for one in (
        call("run", argv=["true"]),
        call("python", code="1"),
        call("edit_file", path="a.txt", old="gone", new="two"),
        call("edit_file", path="a.txt", old="two", new="two and two"),
        call("move", source="nothing", target="nowhere"),
        call("move", source="a.txt", target="src"),
        call("delete", path="nothing"),
        call("write_file", path="../x", content=""),
        call("write_file", path="x", content="\ud800"),
        call("cat", path="a.txt"),
        call("write_file"),
    ):
        expected = "unknown" if one.args.get("new") != "two and two" else "not_done"
        assert effect_of(world.root, one) == expected, one


def test_a_second_deletion_of_a_path_is_not_taken_for_the_first(world: World) -> None:
    execute(world.root, call("delete", path="a.txt"))
    (world.root / "a.txt").write_text("new")
    assert effect_of(world.root, call("delete", path="a.txt")) == "unknown"

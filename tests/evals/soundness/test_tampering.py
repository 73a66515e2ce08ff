"""Altered evidence is altered, whatever the field is, and its seal tells."""

import asyncio
import tempfile
from pathlib import Path

import pytest

from configs.settings import ToolSettings
from evals.soundness.tampering import tampered
from nodes.tutor.facts import Text
from nodes.tutor.moves import Request
from nodes.tutor.observations import Footprint, Observation
from nodes.tutor.observing.observing import Observer
from nodes.tutor.observing.reading import facts_of

SEEN = Observation(
    id="o1",
    game="probe",
    turn=1,
    tool="cat",
    args={"path": "a.txt", "number": False},
    returncode=0,
    stdout="port 8080\n",
    footprint=Footprint(paths=("a.txt",), digest="12ab"),
).sealed()
FIELDS = [
    *(name for name in Observation.model_fields),
    "footprint.digest",
    "footprint.stable",
    "paths",
    "deep",
    "facts",
    "output",
    "no such field",
]


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize(("old", "new"), [("8080", "9090"), ("a", "b"), ("", ""), ("none", "none"), (0, 1)])
def test_every_field_can_be_altered_and_the_seal_tells(field: str, old: object, new: object) -> None:
    assert SEEN.intact
    altered = tampered(SEEN, field, old, new)
    assert altered != SEEN and not altered.intact
    assert type(altered) is Observation


def test_a_part_of_the_output_is_replaced() -> None:
    assert tampered(SEEN, "stdout", "8080", "9090").stdout == "port 9090\n"
    assert tampered(SEEN, "facts", "8080", "9090").stdout == "port 9090\n"


def test_what_is_not_in_the_field_alters_all_of_it() -> None:
    assert tampered(SEEN, "stdout", "none", "new").stdout == "new"
    assert tampered(SEEN, "returncode", "7", 1).returncode == 1


def test_fields_within_fields_and_of_other_types() -> None:
    assert tampered(SEEN, "footprint.digest", "12", "34").footprint.digest == "34ab"
    assert tampered(SEEN, "digest", "12", "34").footprint.digest == "34ab"
    assert tampered(SEEN, "args", "a.txt", "b.txt").args["path"] == "b.txt"
    assert tampered(SEEN, "truncated", "false", "true").truncated is True


def test_facts_are_read_from_what_was_altered() -> None:
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve()
        (root / "a.txt").write_text("port 8080\n")
        request = Request(tool="cat", args={"path": "a.txt"})
        seen = asyncio.run(Observer(root, ToolSettings(), "probe").observe(request, id="o1", turn=1))
    altered = tampered(seen, "stdout", "8080", "9090")
    assert not altered.intact and altered.stdout == "port 9090\n"
    assert Text(path="a.txt", text="port 9090\n") in facts_of(altered.sealed())

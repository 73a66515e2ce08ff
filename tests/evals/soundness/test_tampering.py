"""Altered evidence is altered, whatever the field is, and its seal tells."""

import pytest

from evals.soundness.tampering import tampered
from nodes.tutor.observations import Footprint, Observation

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

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import commitments
from memory.commitments import (
    UNCHECKABLE,
    Deed,
    accepted,
    register_checker,
    registered,
    same_path,
    unmet,
)
from memory.errors import CommitmentUnreadable


@pytest.fixture
def own_registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(commitments, "_CHECKERS", dict(commitments._CHECKERS))
    yield


MAIL = {"to": "Anna <anna@example.org>, bob@example.org", "attachments": ["out/list.txt"]}
KEPT = [
    ("write_file:notes.md", "write_file", {"path": "./notes.md"}),
    ("write_file:notes.md", "write_file", {"path": "docs/notes.md"}),
    ("write_file", "write_file", {"path": "any.txt"}),
    ("write_file:b.md", "move", {"source": "a.md", "target": "b.md"}),
    ("edit_file:a.ini", "edit_file", {"path": "a.ini"}),
    ("delete_file:build/", "delete", {"path": "build"}),
    ("move_file:draft.md", "move", {"source": "draft.md", "target": "final.md"}),
    ("make_directory:out", "make_dir", {"path": "out"}),
    ("make_directory:out", "write_file", {"path": "out/a.txt"}),
    ("run_command:pytest", "run", {"argv": ["python", "-m", "pytest", "-q"]}),
    ("run_command", "python", {"code": "print(1)"}),
    ("send_email:anna@example.org", "mail.send_email", MAIL),
    ("send_email", "send_email", {"to": "x@example.org"}),
    ("attach_documents:list.txt", "send_email", MAIL),
]
NOT_KEPT = [
    ("write_file:notes.md", "write_file", {"path": "other-notes.md"}),
    ("write_file:notes.md", "read_file", {"path": "notes.md"}),
    ("write_file:a/notes.md", "write_file", {"path": "notes.md"}),
    ("delete_file:notes.md", "write_file", {"path": "notes.md"}),
    ("make_directory:out", "write_file", {"path": "out"}),
    ("run_command:pytest", "run", {"argv": ["python", "mypytest.py"]}),
    ("send_email:anna@example.org", "send_email", {"to": "joanna@example.org"}),
    ("send_email:anna@example.org", "compose_email", MAIL),
    ("attach_documents", "send_email", {"to": "x@example.org"}),
    ("attach_documents:other.txt", "send_email", MAIL),
]


@pytest.mark.parametrize(("commitment", "action", "parameters"), KEPT)
def test_a_deed_keeps_it_when_it_was_done_whole_and_only_then(
    commitment: str, action: str, parameters: dict[str, Any]
) -> None:
    assert unmet([commitment], [Deed(action, parameters)]) == []
    for outcome in ("pending", "partial", "failed", "skipped"):
        assert [name for name, _ in unmet([commitment], [Deed(action, parameters, outcome)])] == [commitment]


@pytest.mark.parametrize(("commitment", "action", "parameters"), NOT_KEPT)
def test_another_deed_does_not(commitment: str, action: str, parameters: dict[str, Any]) -> None:
    assert [name for name, _ in unmet([commitment], [Deed(action, parameters)])] == [commitment]


def test_words_prove_nothing() -> None:
    talk = Deed("answer", {"text": "I wrote notes.md"}, evidence=["write_file notes.md", "Email sent"])
    assert len(unmet(["write_file:notes.md", "send_email"], [talk])) == 2


def test_what_a_program_left_behind_counts_by_what_was_seen_of_it() -> None:
    program = Deed("run", {}, attachments=[{"type": "file", "path": "out.csv", "status": "written"}])
    assert unmet(["write_file:out.csv"], [program]) == []
    assert unmet(["delete_file:out.csv"], [program]) != []
    assert unmet(["send_email"], [Deed("x", attachments=[{"type": "email", "status": "sent"}])]) == []


@given(st.text(max_size=30))
def test_what_nothing_can_check_is_not_kept(name: str) -> None:
    missing = unmet([f"fly_{name}"], [Deed("fly", {"to": name})])
    assert missing == [(f"fly_{name}", UNCHECKABLE)]


def test_the_vocabulary_is_open(own_registry: None) -> None:
    register_checker("fly", lambda target, deeds: None if target == "moon" else "not there")
    assert unmet(["fly:moon", "fly:mars", "fly:mars"], []) == [("fly:mars", "not there")]
    assert "fly" in registered()
    assert accepted([" fly:moon ", "swim", "", "fly:moon"]) == (["fly:moon"], ["swim"])
    with pytest.raises(CommitmentUnreadable):
        register_checker("Fly!", lambda target, deeds: None)


@given(st.text(alphabet="ab/.", min_size=1, max_size=8), st.text(alphabet="ab/.", max_size=8))
def test_a_path_is_the_same_as_itself_and_as_no_longer_name(path: str, before: str) -> None:
    assert same_path(path, path)
    assert not same_path(path, f"{path}x") and not same_path("ab", f"{before}xab")

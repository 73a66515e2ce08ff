from collections.abc import Callable
from pathlib import Path

import pytest

from memory.waiting_in_turn import in_turn


class Taken(Exception):
    pass


def attempt_at(path: Path, writes: int) -> tuple[list[int], Callable[[], str]]:
    tries: list[int] = []

    def attempt() -> str:
        tries.append(len(tries))
        if len(tries) <= writes:
            path.write_text("x" * len(tries))
        if len(tries) <= writes + 1:
            raise Taken
        return "given"

    return tries, attempt


def busy(error: Exception) -> bool:
    return isinstance(error, Taken)


def test_who_waits_gives_up_when_nothing_was_written_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "file"
    tries, attempt = attempt_at(path, 3)
    with pytest.raises(Taken):
        in_turn(attempt, path, busy)
    assert len(tries) == 4
    assert in_turn(attempt, path, busy) == "given"


def test_another_error_is_not_waited_out(tmp_path: Path) -> None:
    path = tmp_path / "file"

    def attempt() -> None:
        path.write_text("written")
        raise ValueError("no lock")

    with pytest.raises(ValueError, match="no lock"):
        in_turn(attempt, path, busy)

"""Whether an owner at another host is at work yet."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, cast

import pytest

from memory.effects import postgres_ledger
from memory.effects.postgres_ledger import SETTLING, PostgresLedger
from memory.ownership.owners import Owner
from memory.ownership.places import place_of


def test_one_that_was_back_between_two_looks_is_given_its_seconds_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(postgres_ledger, "_is_free", lambda *_: True)
    ledger = PostgresLedger("postgres://u@h/d", place_of(tmp_path), tmp_path, 1.0, None)
    owner = str(Owner(7, "elsewhere", "1 2 3", "host"))

    def standing(after: float) -> str:
        now[0] += after
        return ledger.standing(owner, cast(Any, None))

    assert standing(0) == "cut off"
    assert standing(3600) == "cut off"
    assert standing(SETTLING / 2) == "cut off"
    assert standing(SETTLING / 2) == "gone"
    assert standing(SETTLING / 2) == "gone"

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from memory.ownership.owners import Owner
from memory.ownership.processes import is_alive, this_process

WORDS = st.text(st.characters(codec="ascii", exclude_categories=["Z", "C"]), min_size=1, max_size=12)


@given(st.integers(0, 2**62), st.lists(WORDS, min_size=4, max_size=4), st.text(max_size=20))
def test_an_owner_is_read_as_it_was_kept(number: int, words: list[str], host: str) -> None:
    owner = Owner(number, words[0], " ".join(words[1:]), host)
    assert Owner.read(str(owner)) == owner


@given(st.text(max_size=40))
def test_what_names_no_owner_is_none(text: str) -> None:
    owner = Owner.read(text)
    assert owner is None or str(owner) == text


def test_this_process_is_seen_to_live_and_an_ended_one_to_be_gone() -> None:
    here = Owner.here(7)
    assert here.seen_from_here() is True and str(os.getpid()) in here.told
    ended = subprocess.run(
        [sys.executable, "-c", "import memory.ownership.processes as p; print(p.this_process())"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert not is_alive(ended) and replace(here, process=ended).seen_from_here() is False


def test_a_process_of_another_host_or_container_cannot_be_seen() -> None:
    here = Owner.here(7)
    assert replace(here, namespace="pid:[1]").seen_from_here() is None
    assert replace(here, namespace="").seen_from_here() is None
    _, _, rest = this_process().partition(" ")
    assert replace(here, process=f"another-boot {rest}").seen_from_here() is None


@given(st.text(max_size=30))
def test_what_names_no_process_is_not_alive(text: str) -> None:
    assert not is_alive(text)

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from tests.support.processes import ROOT, wait_until
from tools.sandbox import warden
from tools.sandbox.warden import carrying

OWNER = """
import subprocess, sys, time
from tools.sandbox.warden import warden_token
token = warden_token()
assert warden_token() is token
words = [sys.executable, "-c", "import time; time.sleep(300)", token]
child = subprocess.Popen(words, start_new_session=True)
print(token, flush=True)
time.sleep(300)
"""


@pytest.fixture
def owner() -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", OWNER], cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_what_carries_the_token_ends_with_its_owner_and_so_does_the_warden(
    owner: subprocess.Popen[str],
) -> None:
    with owner:
        try:
            assert owner.stdout is not None
            token = owner.stdout.readline().strip().encode()
            assert 0 < len(token) <= 64
            # The kernel shows the arguments of a program a moment after it has begun.
            assert wait_until(5, lambda: len(carrying(token)) == 2)
            time.sleep(0.2)
            assert len(carrying(token)) == 2
        finally:
            owner.kill()
    assert wait_until(5, lambda: carrying(token) == [])


def test_a_token_inside_another_word_is_not_the_token() -> None:
    with subprocess.Popen(["sleep", "300"]) as process:
        try:
            assert wait_until(5, lambda: process.pid in carrying(b"300"))
            assert process.pid not in carrying(b"30")
            assert os.getpid() not in carrying(b"300")
        finally:
            process.kill()


def test_a_warden_that_cannot_start_leaves_no_descriptor(monkeypatch: pytest.MonkeyPatch) -> None:
    before = len(os.listdir("/proc/self/fd"))
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(OSError, match="No such file"):
        warden.warden_token.__wrapped__()
    assert len(os.listdir("/proc/self/fd")) == before

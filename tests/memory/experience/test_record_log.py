"""The connection to the table hosts share, as far as it needs no server."""

from __future__ import annotations

import fcntl
import os
import resource
from collections.abc import Iterator

import pytest

from memory.experience.record_log import _can_be_read

_BEYOND_SELECT = 1024


@pytest.fixture
def many_descriptors() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard <= _BEYOND_SELECT:
        pytest.skip("this user may not open so many files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, _BEYOND_SELECT + 10), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many_descriptors")
def test_a_connection_may_have_any_descriptor() -> None:
    reading, writing = os.pipe()
    high = fcntl.fcntl(reading, fcntl.F_DUPFD_CLOEXEC, _BEYOND_SELECT)
    try:
        assert not _can_be_read(high)
        os.close(writing)
        assert _can_be_read(high), "the other end was closed"
    finally:
        os.close(high)
        os.close(reading)

"""Whose machine an address names."""

from __future__ import annotations

import pytest

from configs.addresses import is_loopback, server_of


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("http://localhost:1", True),
        ("127.0.0.1:11434", True),
        ("http://127.8.9.1", True),
        ("http://[::1]:80/v1", True),
        ("http://0.0.0.0:80", False),
        ("http://localhost.example", False),
        ("http://10.0.0.1", False),
        ("http://127.0.0.1@there.example", False),
        ("http://there.example\\\\@127.0.0.1", False),
        ("//:1", False),
        ("", False),
    ],
)
def test_loopback_is_told_by_the_host(address: str, local: bool) -> None:
    assert is_loopback(address) is local


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://gpu:80/v1", "gpu", True),
        ("HTTPS://GPU/a", "https://gpu:443", True),
        ("http://me:secret@gpu", "http://gpu/", True),
        ("http://gpu:11434", "http://gpu", False),
        ("http://gpu", "https://gpu", False),
        ("http://gpu", "http://gpu.example", False),
        ("http://gpu@there", "http://gpu", False),
    ],
)
def test_a_server_is_its_scheme_host_and_port(one: str, other: str, same: bool) -> None:
    assert (server_of(one) == server_of(other)) is same


@pytest.mark.parametrize("address", ["", "http://", "http://[::", "http://gpu:99999", "//"])
def test_what_names_no_server_is_none(address: str) -> None:
    assert server_of(address) is None

"""A token, and the names this machine is called by."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.admission import STUDIO, host_of, hosts_of, is_this_machine, may_come_from, shows, token_of
from configs.errors import UsageError


def test_nobody_is_asked_where_no_token_is_set() -> None:
    assert token_of({}) is None
    assert token_of({"REFLECT_API_TOKEN": " s3cret \n"}) == "s3cret"


@pytest.mark.parametrize("token", ["", " ", "\t\n", "two words", "schlüssel", "a\x00b", "a\u2028b"])
def test_a_token_that_is_none_never_opens_the_door(token: str) -> None:
    with pytest.raises(UsageError, match="REFLECT_API_TOKEN"):
        token_of({"REFLECT_API_TOKEN": token})


@settings(max_examples=100)
@given(st.text("abcXYZ0129-_.~", min_size=1), st.text(max_size=20))
def test_only_the_token_itself_is_shown(token: str, other: str) -> None:
    assert shows(f"Bearer {token}", token) and shows(f"bearer  {token} ", token)
    assert shows(f"Bearer {other}", token) == (other.strip() == token)
    assert not shows(token, token) and not shows(f"Basic {token}", token) and not shows("", token)


def test_further_hosts_are_names_and_addresses() -> None:
    assert hosts_of({}) == hosts_of({"REFLECT_ALLOWED_HOSTS": " , "}) == frozenset()
    named = hosts_of({"REFLECT_ALLOWED_HOSTS": "Box.lan, 192.168.1.20,[fe80::1]"})
    assert named == {"box.lan", "192.168.1.20", "fe80::1"}


@pytest.mark.parametrize("named", ["*", "https://box.lan", "box.lan:80", "box.lan/x", "me@box", "a b", "[]"])
def test_what_is_no_host_is_refused(named: str) -> None:
    with pytest.raises(UsageError, match="REFLECT_ALLOWED_HOSTS"):
        hosts_of({"REFLECT_ALLOWED_HOSTS": f"box.lan,{named}"})


@pytest.mark.parametrize(
    ("header", "let_in"),
    [
        ("localhost", True),
        ("LocalHost:2024", True),
        ("localhost.:2024", True),
        ("console.localhost", True),
        ("127.0.0.1:2024", True),
        ("127.9.9.9", True),
        ("[::1]:2024", True),
        ("box.lan:2024", True),
        ("", False),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("evil.example:localhost", False),
        ("evil.example#@localhost", False),
        ("evil.example\\@localhost", False),
        ("localhost, evil.example", False),
        ("0.0.0.0:2024", False),
        ("192.168.1.21", False),
        ("[::1", False),
        ("localhost:99999", False),
        (".localhost.", True),
        (".", False),
    ],
)
def test_a_host_is_this_machine_or_named(header: str, let_in: bool) -> None:
    assert is_this_machine(host_of(header), frozenset({"box.lan"})) is let_in


@pytest.mark.parametrize(
    ("origin", "let_in"),
    [
        (STUDIO, True),
        ("http://127.0.0.1:2024", True),
        ("http://localhost:5173", True),
        ("http://box.lan:2024", True),
        ("https://box.lan", True),
        ("null", False),
        ("", False),
        ("https://evil.example", False),
        ("https://smith.langchain.com.evil.example", False),
        ("http://smith.langchain.com", False),
        ("http://localhost.evil.example", False),
        ("file://localhost", False),
        ("http://", False),
        ("box.lan", False),
    ],
)
def test_a_page_is_our_own_or_studio(origin: str, let_in: bool) -> None:
    assert may_come_from(origin, "127.0.0.1:2024", frozenset({"box.lan"})) is let_in

"""What a process knows of a server, by what calls and looks tell it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.fleet.breaker import FIRST_BACK_OFF
from models.fleet.health import HostHealth
from models.fleet.hosts import (
    BUSY_SECONDS,
    LOOK_EVERY,
    MISSING_FOR,
    SILENT_LOOKS,
    Host,
    Outcome,
    Visit,
    host_at,
    take,
)
from models.identifiers import ModelId

MODEL = ModelId("ollama", "qwen2.5:7b")
SERVED = ModelId("openai", "qwen")
SILENT = HostHealth(False, problem="no answer", silent=True)
REFUSED = HostHealth(False, problem="refused")
OUTCOMES: list[Outcome] = ["answered", "failed", "missing", "untold"]


def well(*models: str, loaded: tuple[str, ...] = ()) -> HostHealth:
    return HostHealth(True, "0.12.6", models or (MODEL.name,), loaded)


def host(**known: Any) -> Host:
    made = Host("ollama", "http://a:1", answers_busy=True, **known)
    made.looked_at(well(), 0.0, 0.1)
    return made


@given(st.lists(st.tuples(st.sampled_from(["begin", "look", *OUTCOMES]), st.floats(0, 5), st.booleans())))
def test_what_began_ends_and_a_server_that_was_away_is_tried_by_one_call(
    steps: list[tuple[str, float, bool]],
) -> None:
    server, now = host(), 1.0
    visits: list[Visit] = []
    tried: Visit | None = None
    for what, passed, first in steps:
        now += passed
        if what == "begin":
            away = bool(server.breaker.failures)
            visit = take([server], MODEL, now, None)
            if visit is not None:
                assert not away or tried is None, "one call at a time shows whether it is back"
                tried = visit if away else tried
                visits.append(visit)
        elif what == "look":
            began = now
            now += 0.1
            server.looked_at(well() if first else REFUSED, began, now)
            assert first or not server.admits(now)
        elif visits:
            visit = visits.pop(0 if first else -1)
            server.end(visit, what, MODEL, now)  # type: ignore[arg-type]  # drawn from the outcomes
            assert what != "failed" or not server.admits(now)
        if tried not in visits:
            tried = None
        assert server.view(MODEL, now, admits=True).under_way == len(visits)


def test_a_server_that_failed_is_asked_again_after_a_back_off_and_a_look() -> None:
    server = host()
    visit = take([server], MODEL, 1.0, None)
    assert visit is not None
    server.end(visit, "failed", MODEL, 2.0)
    assert not server.admits(2.5) and not server.wants_look(2.5)
    back = 2.0 + FIRST_BACK_OFF
    assert not server.admits(back) and server.wants_look(back)
    server.looked_at(REFUSED, back, back + 0.1)
    assert not server.wants_look(back + FIRST_BACK_OFF), "the second back-off is longer"
    later = back + 0.1 + 2 * FIRST_BACK_OFF
    assert server.wants_look(later)
    server.looked_at(well(), later, later + 0.1)
    assert server.admits(later + 0.2)
    again = take([server], MODEL, later + 0.2, None)
    assert again is not None and not server.admits(later + 0.3)
    server.end(again, "answered", MODEL, later + 0.4)
    assert server.admits(later + 0.5) and server.breaker.failures == 0


def test_a_call_that_is_cancelled_while_it_tries_a_server_leaves_that_to_the_next_one() -> None:
    server = host()
    server.looked_at(REFUSED, 1.0, 1.1)
    back = 1.1 + FIRST_BACK_OFF
    server.looked_at(well(), back, back + 0.1)
    first = take([server], MODEL, back + 0.2, None)
    assert first is not None and take([server], MODEL, back + 0.3, None) is None
    server.end(first, "untold", MODEL, back + 0.4)
    assert take([server], MODEL, back + 0.5, None) is not None


def test_a_busy_server_may_be_slow_to_say_how_it_is_but_not_forever() -> None:
    server = host()
    take([server], MODEL, 1.0, None)
    for number in range(1, SILENT_LOOKS + 1):
        assert server.admits(number + 1.0) and not server.hangs
        server.looked_at(SILENT, number + 0.5, number + 0.9)
    assert server.hangs and not server.admits(SILENT_LOOKS + 1.0)
    server.looked_at(well(), 10.0, 10.1)
    assert not server.hangs


def test_an_idle_server_that_is_silent_is_away_at_once() -> None:
    server = host()
    server.looked_at(SILENT, 1.0, 2.0)
    assert not server.admits(2.0) and not server.hangs and not server.perhaps_answers()


def test_a_server_that_takes_one_request_at_a_time_does_not_hang_because_it_is_silent() -> None:
    server = Host("openai", "http://a:1/v1")
    visit = take([server], SERVED, 1.0, None)
    assert visit is not None
    for number in range(10):
        server.looked_at(SILENT, number + 2.0, number + 2.5)
    assert not server.hangs and server.admits(20.0)
    server.end(visit, "untold", SERVED, 20.0)
    server.looked_at(SILENT, 21.0, 22.0)
    assert not server.admits(22.0) and server.perhaps_answers(), "another process may keep it busy"


@pytest.mark.parametrize(("waited", "shown"), [(BUSY_SECONDS / 2, False), (BUSY_SECONDS, True)])
def test_a_server_shows_that_it_answers_while_busy_once_the_call_has_reached_it(
    waited: float, shown: bool
) -> None:
    server = Host("openai", "http://a:1/v1")
    take([server], SERVED, 1.0, None)
    server.looked_at(HostHealth(True), 1.0 + waited, 1.5 + waited, briefly=True)
    assert server.answers_busy == shown


def test_a_model_is_loaded_where_the_server_says_so_or_where_it_answered() -> None:
    server = host()
    assert not server.view(MODEL, 1.0, admits=True).loaded
    visit = take([server], MODEL, 1.0, None)
    assert visit is not None
    server.end(visit, "answered", MODEL, 2.0)
    assert server.view(MODEL, 2.0, admits=True).loaded
    server.looked_at(well(loaded=()), 3.0, 3.1)
    assert not server.view(MODEL, 4.0, admits=True).loaded, "it was unloaded meanwhile"
    server.looked_at(well(loaded=(MODEL.name,)), 5.0, 5.1)
    server.looked_at(HostHealth(True, "0.12.6"), 6.0, 6.1, briefly=True)
    assert server.view(MODEL, 7.0, admits=True).loaded, "a brief look asks for no models"
    assert server.wants_look(5.0 + LOOK_EVERY) and not server.wants_look(4.9 + LOOK_EVERY)


@pytest.mark.parametrize(
    ("model", "listed", "lacks"),
    [
        (MODEL, ("qwen2.5:7b",), False),
        (MODEL, ("llama3:8b",), True),
        (ModelId("ollama", "llama3"), ("llama3:latest",), False),
        (ModelId("ollama", "llama3"), ("llama3:8b",), True),
        (SERVED, ("another",), False),
    ],
)
def test_a_listing_tells_what_ollama_lacks_and_not_what_others_do(
    model: ModelId, listed: tuple[str, ...], lacks: bool
) -> None:
    server = Host(model.provider, "http://a:1")
    server.looked_at(well(*listed), 0.0, 0.1)
    assert server.lacks(model, 1.0) == lacks


def test_a_model_that_was_not_found_is_asked_of_the_others_for_a_while() -> None:
    hosts = {name: Host("openai", name) for name in "ab"}
    first = take([hosts["a"]], SERVED, 1.0, None)
    assert first is not None
    hosts["a"].end(first, "missing", SERVED, 2.0)
    for number in range(6):
        visit = take(list(hosts.values()), SERVED, 3.0 + number, "a")
        assert visit is not None and visit.host.address == "b"
    assert hosts["a"].admits(3.0), "the server itself is well"
    visit = take(list(hosts.values()), SERVED, 2.0 + MISSING_FOR, "a")
    assert visit is not None and visit.host.address == "a"


def test_where_every_listing_lacks_the_model_one_is_asked_all_the_same() -> None:
    server = Host("ollama", "http://a:1")
    server.looked_at(well("another"), 0.0, 0.1)
    assert take([server], MODEL, 1.0, None) is None
    assert take([server], MODEL, 1.0, None, by_looks=True) is not None


def test_a_server_is_known_once_by_protocol_and_address() -> None:
    assert host_at("ollama", "http://x:1") is host_at("ollama", "http://x:1")
    assert host_at("ollama", "http://x:1") is not host_at("openai", "http://x:1")

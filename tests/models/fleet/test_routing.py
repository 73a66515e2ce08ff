"""Which server a call goes to: properties that hold for any servers in any state."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from models.fleet.routing import COLD_CALLS, HostView, choose, load

VIEWS = st.lists(
    st.builds(
        HostView,
        address=st.text("abcdef", min_size=1, max_size=3),
        under_way=st.integers(0, 6),
        admits=st.booleans(),
        lacks=st.booleans(),
        loaded=st.booleans(),
        chosen=st.integers(-5, 5),
    ),
    unique_by=lambda view: view.address,
    max_size=6,
)
BEFORE = st.none() | st.text("abcdef", min_size=1, max_size=3)


@given(VIEWS, BEFORE)
def test_the_least_busy_server_that_may_be_asked_is(hosts: list[HostView], before: str | None) -> None:
    able = {host.address: host for host in hosts if host.admits and not host.lacks}
    chosen = choose(hosts, before)
    assert (chosen is None) == (not able)
    if chosen is not None:
        least = min(map(load, able.values()))
        assert load(able[chosen]) == least
        if before in able and load(able[before]) == least:
            assert chosen == before, "the server that has the beginning of the prompt"


@given(VIEWS, BEFORE, st.randoms(use_true_random=False))
def test_the_order_of_the_settings_decides_nothing(
    hosts: list[HostView], before: str | None, draw: object
) -> None:
    told_apart = [replace(host, chosen=number) for number, host in enumerate(hosts)]
    mixed = list(told_apart)
    draw.shuffle(mixed)  # type: ignore[attr-defined]  # hypothesis draws a random.Random
    assert choose(mixed, before) == choose(told_apart, before)


@given(st.integers(1, 6), st.integers(1, 5))
def test_idle_servers_take_turns(count: int, rounds: int) -> None:
    hosts, asked = {str(number): HostView(str(number)) for number in range(count)}, Counter[str]()
    for number in range(count * rounds):
        chosen = choose(list(hosts.values()))
        assert chosen is not None
        asked[chosen] += 1
        hosts[chosen] = replace(hosts[chosen], chosen=number + 1)
    assert set(asked.values()) == {rounds}


@given(st.integers(2, 5), st.data())
def test_calls_spread_however_they_end(count: int, data: st.DataObject) -> None:
    """Whichever calls have ended, the next goes to a server with the fewest."""
    hosts = {str(number): HostView(str(number)) for number in range(count)}
    for number in range(data.draw(st.integers(1, 30))):
        busy = [address for address, host in hosts.items() if host.under_way]
        if busy and data.draw(st.booleans()):
            ended = data.draw(st.sampled_from(busy))
            hosts[ended] = replace(hosts[ended], under_way=hosts[ended].under_way - 1)
            continue
        chosen = choose(list(hosts.values()), data.draw(st.none() | st.sampled_from(sorted(hosts))))
        assert chosen is not None
        assert hosts[chosen].under_way == min(host.under_way for host in hosts.values())
        hosts[chosen] = replace(hosts[chosen], under_way=hosts[chosen].under_way + 1, chosen=number + 1)


@given(st.integers(0, 10), st.integers(0, 10))
def test_a_cold_server_is_asked_once_the_warm_one_is_busier_by_what_loading_takes(
    warm: int, cold: int
) -> None:
    hosts = [HostView("warm", warm), HostView("cold", cold, loaded=False, chosen=-1)]
    chosen = choose(hosts, "warm")
    assert chosen == ("cold" if warm > cold + COLD_CALLS else "warm")

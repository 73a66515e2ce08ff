"""Before and after: stamps as the standard library writes them, compared by it."""

from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.nodes.tutor.proving.knowing import judged, status

ZONES = st.sampled_from(
    [timezone(timedelta(minutes=minutes)) for minutes in (0, 60, 120, -300, 330, 345, -570)]
)
MOMENTS = st.datetimes(datetime(2001, 9, 10), datetime(2035, 1, 1), timezones=ZONES)
ZONED = [
    lambda one: f"{one.isoformat()} INFO ready",
    lambda one: f"[{one.isoformat(' ')}] ready",
    lambda one: f"ERROR {one.strftime('%Y-%m-%dT%H:%M:%S,%f%z')} not until 2031-01-01T00:00:00Z",
    lambda one: f"{one.astimezone(UTC).strftime('%Y-%m-%dT%H:%M:%S.%fZ')} ready",
    lambda one: f"[WARN {one.astimezone(UTC).strftime('%Y-%m-%d %H:%M:%S.%f UTC')}] ready",
    lambda one: f'level=info ts={one.isoformat()} msg="ts=2001-01-01T00:00:00Z"',
    lambda one: f'level=info time="{one.isoformat(" ")}"',
    lambda one: f'{{"level": "info", "ts": "{one.isoformat()}", "due": "2031-01-01T00:00:00Z"}}',
    lambda one: f'{{"timestamp": {int(one.timestamp())}.{one.microsecond:06}}}',
    lambda one: f"[{int(one.timestamp())}.{one.microsecond:06}] ready",
    lambda one: f"api-1 | {one.isoformat()} ready",
]
WHOLE_SECONDS = [
    lambda one: f'10.0.0.1 - - [{one.strftime("%d/%b/%Y:%H:%M:%S %z")}] "GET / HTTP/1.1" 200 5',
    lambda one: f"{format_datetime(one)} ready",
    lambda one: f'{{"ts": {int(one.timestamp()) * 1000}}}',
    lambda one: f"{int(one.timestamp())} ready",
]
UNZONED = [
    lambda one: f"{one.strftime('%Y-%m-%d %H:%M:%S,%f')} INFO ready",
    lambda one: f"{one.strftime('%Y/%m/%d %H:%M:%S.%f')} [error] ready",
    lambda one: f"[{one.strftime('%a %b %d %H:%M:%S.%f %Y')}] [core] ready",
    lambda one: f"{one.strftime('%Y%m%dT%H%M%S.%f')} ready",
]


@settings(deadline=None, max_examples=100)
@given(one=MOMENTS, apart=st.integers(-(10**9), 10**9), zone=ZONES, data=st.data())
def test_stamps_with_a_zone_are_compared_as_instants(
    one: datetime, apart: int, zone: timezone, data: st.DataObject
) -> None:
    forms = data.draw(st.sampled_from([ZONED, WHOLE_SECONDS]))
    one = one.replace(microsecond=0) if forms is WHOLE_SECONDS else one
    seconds = timedelta(seconds=apart // 10**5) if forms is WHOLE_SECONDS else timedelta(microseconds=apart)
    other = (one + seconds).astimezone(zone)
    first, second = (data.draw(st.sampled_from(forms))(moment) for moment in (one, other))
    files = {"a.log": f"x\n{first}\n", "logs/b.log": second}
    assert status(files, "before", "a.log:2", "logs/b.log:1") == ("validated" if one < other else "refuted")
    assert status(files, "after", "a.log:2", "logs/b.log:1") == ("validated" if one > other else "refuted")
    assert status(files, "before", "a.log:2", other.isoformat()) == (
        "validated" if one < other else "refuted"
    )


@settings(deadline=None, max_examples=60)
@given(one=MOMENTS, apart=st.integers(-(10**9), 10**9), form=st.sampled_from(UNZONED))
def test_stamps_without_a_zone_are_compared_within_one_file_only(
    one: datetime, apart: int, form: object
) -> None:
    assert callable(form)
    other = one + timedelta(microseconds=apart)
    files = {"a.log": f"{form(one)}\n{form(other)}\n", "b.log": f"{form(other)}\n", "c.log": ZONED[0](other)}
    assert status(files, "before", "a.log:1", "a.log:2") == ("validated" if one < other else "refuted")
    assert status(files, "before", "a.log:1", "b.log:1") == "undecidable"
    assert status(files, "before", "a.log:1", "c.log:1") == "undecidable"
    assert status(files, "before", "a.log:1", other.isoformat()) == "undecidable"


@settings(deadline=None, max_examples=60)
@given(
    one=MOMENTS,
    apart=st.integers(-(10**9), 10**9),
    ahead=st.tuples(*[st.integers(-9000, 9000)] * 2),
    zoned=st.booleans(),
)
def test_clocks_are_corrected_by_the_seconds_they_are_ahead(
    one: datetime, apart: int, ahead: tuple[int, int], zoned: bool
) -> None:
    other = one + timedelta(microseconds=apart)
    form = ZONED[0] if zoned else UNZONED[0]
    shown = [
        form(moment + timedelta(seconds=seconds)) for moment, seconds in zip((one, other), ahead, strict=True)
    ]
    clocks = f'{{"logs/a.log": {ahead[0]}, "b.log": {ahead[1]}.0}}'
    files = {"logs/a.log": shown[0], "logs/b.log": shown[1], "clocks.json": clocks}
    claim = ("before", "logs/a.log:1", "logs/b.log:1")
    verdict = judged(files, *claim, scope="corrected by clocks.json")
    assert verdict.status == ("validated" if one < other else "refuted")
    assert verdict.used == set(files)
    for wrong in (
        '{"logs/a.log": 1}',
        '{"logs/a.log": true, "b.log": 1}',
        '{"logs/a.log": "1", "b.log": 1}',
        "[]",
        "{",
    ):
        assert (
            status({**files, "clocks.json": wrong}, *claim, scope="corrected by clocks.json") == "undecidable"
        )


@pytest.mark.parametrize(
    "line",
    [
        "2024-02-30T10:00:00Z no such day",
        "2024-05-01T10:00:60Z leap second",
        "2024-05-01T24:00:00Z",
        "2024-05-01 10:00:00 CET",
        "2024-05-01 10:00:00 EST x",
        "2024-05-01 10:00:00 Europe/Berlin",
        "2024-05-01 10:00:00 UTC+2",
        "2024-05-01 10:00:00 PM",
        "Thu, 01 May 2024 10:00:00 +0000 on a Wednesday",
        "certificate expires 2024-05-01T10:00:00Z",
        "from 2024-05-01T10:00:00Z until 2024-05-02T10:00:00Z",
        "2024-05-01T10:00:00Z ts=2024-05-01T09:00:00Z",
        '{"due": "2024-05-01T10:00:00Z"}',
        '{"ts": "2024-05-01T10:00:00Z", "time": "2024-05-01T11:00:00Z"}',
        '{"ts": "2024-05-01T10:00:00Z", "ts": "2024-05-01T11:00:00Z"}',
        "10:00:00 no day",
        "05/01/2024 10:00:00",
        "v2024-05-01T10:00:00Z",
        "",
    ],
)
def test_a_line_that_does_not_clearly_tell_its_time_is_undecidable(line: str) -> None:
    files = {"a.log": f"{line}\n2030-01-01T00:00:00Z\n2000-01-01T00:00:00Z\n"}
    for other in ("a.log:2", "a.log:3", "2030-01-01T00:00:00Z"):
        assert status(files, "before", "a.log:1", other) == "undecidable"
        assert status(files, "after", "a.log:1", other) == "undecidable"


def test_days_without_a_year_are_compared_if_they_are_near() -> None:
    files = {
        "a.log": "May  1 10:00:00 db x\nMay 11 09:00:00 db x\nDec 31 23:59:59 db x\nJan  1 00:00:00 db x\n"
    }
    assert status(files, "before", "a.log:1", "a.log:2") == "validated"
    assert status(files, "before", "a.log:2", "a.log:1") == "refuted"
    assert status(files, "before", "a.log:4", "a.log:3") == "undecidable"
    assert status(files, "before", "a.log:1", "2030-01-01 00:00:00") == "undecidable"


def test_no_line_is_before_itself_or_before_one_that_is_not_there() -> None:
    files = {"a.log": "2024-05-01T10:00:00Z a\n"}
    assert status(files, "before", "a.log:1", "a.log:1") == "refuted"
    assert status(files, "before", "a.log:1", "a.log:2") == "undecidable"


def test_a_name_that_two_logs_share_does_not_tell_whose_clock_it_is() -> None:
    log = "2024-05-01 10:00:00 a\n2024-05-01 10:00:05 b\n"
    files = {"x/a.log": log, "y/a.log": log, "c.json": '{"a.log": 5}'}
    claim = ("before", "x/a.log:1", "y/a.log:2")
    assert status(files, *claim, scope="corrected by c.json") == "undecidable"
    files["c.json"] = '{"x/a.log": 5, "y/a.log": 5}'
    assert status(files, *claim, scope="corrected by c.json") == "validated"


def test_a_letter_after_a_blank_is_no_zone() -> None:
    files = {"a.log": "2024-05-01T10:00:00Z x\n2024-05-01 10:00:01 z\n2024-05-01 10:00:01 gmt\n"}
    assert status(files, "before", "a.log:1", "a.log:2") == "undecidable"
    assert status(files, "before", "a.log:1", "a.log:3") == "undecidable"

"""What a plan may ask of the audit: options as other tools take them, no path outside the root."""

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tools.audit.asking import MOST_ROWS, AuditCall, placed, typed
from tools.audit.kernels import Kernel
from tools.errors import CommandRefused

ROOT = Path("/nowhere/at/all")
WORDS = st.text("abc./_ -=", min_size=1, max_size=8)


@given(
    st.sampled_from(get_args(Kernel)), st.integers(1, MOST_ROWS), st.booleans(), st.permutations([0, 1, 2])
)
def test_options_may_stand_anywhere_and_be_written_both_ways(
    kernel: Kernel, limit: int, joined: bool, order: list[int]
) -> None:
    options = [[f"--kernel={kernel}"] if joined else ["--kernel", kernel], ["--limit", str(limit)], ["src"]]
    argv = [word for place in order for word in options[place]]
    assert AuditCall.model_validate(typed(argv)) == AuditCall(path="src", kernel=kernel, limit=limit)


@given(st.lists(WORDS | st.sampled_from(["--kernel", "--limit", "--", "-x", "security", "7"]), max_size=5))
def test_any_words_are_a_call_below_the_root_or_are_refused(words: list[str]) -> None:
    try:
        call = placed(AuditCall.model_validate(typed(words)), ROOT)
    except (CommandRefused, ValidationError):
        return
    assert not call.path.startswith(("/", "../")) and call.path != ".."
    assert AuditCall.model_validate(typed(call.shown_words)) == call


@pytest.mark.parametrize(
    "words",
    [
        ["--kernel", "everything"],
        ["--kernel"],
        ["--limit", "0x10"],
        ["--limit", "-1"],
        ["--limit", "١٢"],
        ["--limit", "99999"],
        ["a", "b"],
        ["--json"],
        ["-k", "risk"],
        ["a\0b"],
    ],
)
def test_what_it_does_not_take_is_refused_with_what_it_does(words: list[str]) -> None:
    with pytest.raises(CommandRefused, match="refused"):
        typed(words)


@pytest.mark.parametrize("limit", [0, -3, MOST_ROWS + 1])
def test_a_limit_has_bounds(limit: int) -> None:
    with pytest.raises(ValidationError):
        AuditCall(limit=limit)


@pytest.mark.parametrize("path", ["..", "../x", "/etc", "~", "src/../../x", "-"])
def test_a_path_outside_the_root_is_refused(path: str) -> None:
    with pytest.raises(CommandRefused):
        placed(AuditCall(path=path), ROOT)


@pytest.mark.parametrize(
    ("path", "plain"), [("./src/", "src"), ("src/../lib", "lib"), (".", "."), (f"{ROOT}/a/b", "a/b")]
)
def test_a_path_has_one_form(path: str, plain: str) -> None:
    assert placed(AuditCall(path=path), ROOT).path == plain

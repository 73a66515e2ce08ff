"""The tasks are right: what can be worked out is worked out again here, and every program is run."""

from __future__ import annotations

import contextlib
import datetime
import io
import itertools
import re
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from pydantic import ValidationError

from evals.contractive.amounts import numbers
from evals.contractive.checks import NumberCheck, Task
from evals.contractive.task_files import tasks

TASKS = tasks()
PROGRAM = re.compile(r"```python\n(.*?)```", re.DOTALL)
LISTING = re.compile(r"^\d+ \| (.*)$", re.MULTILINE)


def test_five_tasks_of_each_domain_of_every_difficulty() -> None:
    assert len(TASKS) == 30
    assert Counter(task.domain for task in TASKS.values()) == dict.fromkeys(
        ("maths", "code", "reasoning", "science", "regulation", "general"), 5
    )
    assert min(Counter(task.difficulty for task in TASKS.values()).values()) >= 6
    assert sum(len(task.parts) >= 2 for task in TASKS.values()) >= 12
    assert all(bool(task.context) == (task.domain == "regulation") for task in TASKS.values())


def test_no_amount_is_given_away_by_its_own_question() -> None:
    amounts = [task for task in TASKS.values() if isinstance(task.check, NumberCheck)]
    assert len(amounts) >= 9
    for task in amounts:
        assert isinstance(task.check, NumberCheck)
        assert task.check.value not in numbers(f"{task.context} {task.question}"), task.id


@pytest.mark.parametrize("name", ["code-01", "code-03", "code-04"])
def test_programs_print_what_the_task_says(name: str) -> None:
    program = PROGRAM.search(TASKS[name].question)
    assert program is not None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(program[1], {})  # ours, from the task file
    assert printed.getvalue().strip() == TASKS[name].answer


def listed(name: str, line: int | None = None, text: str = "") -> Any:
    """The function a task lists, with one line replaced."""
    lines = LISTING.findall(TASKS[name].question)
    if line is not None:
        indent = re.match(r"\s*", lines[line - 1])
        assert indent is not None
        lines[line - 1] = indent[0] + text
    held: dict[str, Any] = {}
    exec("\n".join(lines), held)  # ours, from the task file
    return next(one for key, one in held.items() if key != "__builtins__")


def test_listings_fail_as_told_and_the_one_line_mends_them() -> None:
    assert listed("code-02")([-4, -9]) == 0
    assert listed("code-02", 2, "best = values[0]")([-4, -9]) == -4
    assert listed("code-05")("xxx.x") == 4
    assert listed("code-05", 8, "run = 0")("xxx.x") == 3
    for name in ("code-02", "code-05"):
        check: Any = TASKS[name].check
        assert LISTING.findall(TASKS[name].question)[check.number - 1].strip() == check.text


def test_maths_and_science_are_worked_out() -> None:
    value = {
        name: Fraction(str(task.check.value))
        for name, task in TASKS.items()
        if isinstance(task.check, NumberCheck)
    }
    assert value["maths-01"] == Fraction(54, 6)
    assert value["maths-02"] == Fraction(210, 84) * 60
    assert value["maths-03"] == 18 * 24 * Fraction(2, 3) - 60
    assert value["maths-04"] == sum((n % 4 == 0) != (n % 6 == 0) for n in range(1, 301))
    assert value["maths-05"] == Fraction(3, 4) / (Fraction(1, 12) - Fraction(1, 20))
    assert value["science-02"] == Fraction("2.5") * Fraction("1.6") * 4
    assert value["science-04"] == 100 * (Fraction(80 * 15, 100) + Fraction(40 * 30, 100)) / 120
    assert value["science-05"] == Fraction(480, 4) * Fraction(2, 3) / 2
    assert value["regulation-02"] == Fraction("0.20") * 10 + Fraction("0.50") * 7


def test_days_and_times_are_worked_out() -> None:
    delivered = datetime.date(2024, 4, 5)
    end = delivered + datetime.timedelta(30)
    assert (delivered.strftime("%A"), end.strftime("%A")) == ("Friday", "Sunday")
    check: Any = TASKS["regulation-03"].check
    assert check.value == end + datetime.timedelta(1)
    check = TASKS["general-03"].check
    assert check.value == datetime.date(2028, 3, 1) - datetime.timedelta(1)
    tuesday = datetime.date(2024, 1, 2)
    assert (tuesday + datetime.timedelta(9 * 10)).strftime("%A") == TASKS["reasoning-04"].answer
    landed = datetime.datetime(2024, 1, 1, 22, 30) + datetime.timedelta(hours=7 - 5, minutes=45)
    assert landed.strftime("%H:%M") == TASKS["general-05"].answer


def test_the_lectures_have_one_order() -> None:
    fits = [
        order
        for order in itertools.permutations(("bees", "coins", "dunes", "elms"))
        if order.index("bees") == order.index("dunes") + 1
        and order.index("coins") in (1, 2)
        and order.index("elms") < order.index("coins")
    ]
    assert [order[1] for order in fits] == [TASKS["reasoning-05"].answer]


def test_a_part_may_rest_on_earlier_ones_only() -> None:
    given = TASKS["maths-05"].model_dump(mode="json")
    given["parts"][0]["needs"] = [1]
    with pytest.raises(ValidationError, match="does not come before it"):
        Task.model_validate(given)

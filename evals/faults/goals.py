"""Goals about the generated project that no recipe covers: right plans, wrong ones, and what is true.

Every right plan has others that do the same by other commands: a run that was told to change its call can.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from evals.faults.project import FAULT_CODES, PEOPLE, STATIONS, Facts

Complexity = Literal["bypass", "simple", "moderate", "complex"]
COMMAND_SHOWN = re.compile(r"`[^`\n]*`")
# The product decides by words of its own what gives up; this list is the suite's.
SAYS_IT_FAILED = re.compile(
    r"\b(?:could|can|did|was|were|am|is|are) ?(?:not|n[o']t) "
    r"(?:able|answer|find|found|determin|help|tell|possible|finish)"
    r"|\bI (?:failed|give up|(?:could|can|did|was|am) ?(?:not|n['’]t))\b|\bunable to\b"
    r"|\bcannot\b|\bcan't\b|\bcouldn't\b"
    r"|\bdoes not answer\b|\bno answer\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Goal:
    """One goal and everything a judge needs.

    Attributes:
        key: its name.
        text: what is asked.
        complexity: the label a right classifier gives.
        plans: right plans, each a list of commands; no two hold the same command.
        wrong: commands of the right form whose output is not the answer.
        truth: the claims a right answer makes, no more and no fewer.
        universe: what counts as a claim in an answer.
        answer: a right answer in words.
        file: the file it is about, and one of the same form that it is not about.
        change: for a goal that asks for a change, the right call.
        done: for such a goal, whether the project is as it was asked to be.
    """

    key: str
    text: str
    complexity: Complexity
    plans: tuple[tuple[str, ...], ...] = ()
    wrong: tuple[str, ...] = ()
    truth: frozenset[str] = frozenset()
    universe: str = r"(?!)"
    answer: str = ""
    file: tuple[str, str] = ("", "")
    change: dict[str, Any] | None = None
    done: Callable[[Path], bool] | None = field(default=None, compare=False)

    @cached_property
    def spoken_of(self) -> frozenset[str]:
        """Claims that the goal itself holds, which an answer may repeat."""
        return frozenset(re.findall(self.universe, self.text))

    def claims(self, answer: str) -> frozenset[str]:
        """What an answer claims, without the commands it shows and without the goal's own words."""
        found = re.findall(self.universe, COMMAND_SHOWN.sub(" ", answer))
        return frozenset(found) - (self.spoken_of - self.truth)

    def is_right(self, answer: str) -> bool:
        """True if the answer claims what is true, and nothing else."""
        if self.complexity == "bypass":
            return re.search(r"\w", answer) is not None and SAYS_IT_FAILED.search(answer) is None
        if self.change is not None:
            return True  # judged by the files, see `done`
        return self.claims(answer) == self.truth and SAYS_IT_FAILED.search(answer) is None


NUMBER = r"(?<![\w.])\d+(?![\w.]*\d)"
READINGS = ("data/readings.csv", "data/readings_old.csv")
LOG = ("logs/relay.log", "logs/relay_old.log")
CONF = ("conf/relay.ini", "conf/relay_old.ini")


def _any_of(words: tuple[str, ...]) -> str:
    return rf"\b(?:{'|'.join(words)})\b"


def _about_readings(facts: Facts) -> list[Goal]:
    file, _ = READINGS
    ranked = facts.by_station().most_common()
    most, least = ranked[0][0], ranked[-1][0]
    high = facts.levels_of("Alba", "high")
    low = frozenset(r.station for r in facts.readings if (r.day, r.level) == (14, "low"))
    most_plans = (
        (f"cut -d, -f1 {file} | sort | uniq -c | sort -rn | head -n 1",),
        (f"tail -n +2 {file} | cut -d, -f1 | sort | uniq -c | sort -rn | head -n 1",),
        (
            f"head -n 2 {file}",
            f"grep -v station {file} | cut -d, -f1 | sort | uniq -c | sort -nr | head -n 1",
        ),
        (f"cat {file} | cut -d, -f1 | sort | uniq -c | sort -n | tail -n 1",),
        (f"grep -o '^[A-Z][a-z]*' {file} | sort | uniq -c | sort -rn | head -n 1",),
    )
    most_wrong = (
        f"tail -n +2 {file} | cut -d, -f1 | sort | uniq -c | sort -n | head -n 1",
        f"tail -n +2 {file} | cut -d, -f3 | sort | uniq -c | sort -rn | head -n 1",
        f"cut -d, -f1 {file} | sort -r | head -n 3 | uniq -c",
    )
    assert least != most
    stations = _any_of(STATIONS)
    return [
        Goal(
            "most",
            f"which station occurs most often in the first column of {file}",
            "moderate",
            most_plans,
            most_wrong,
            frozenset({most}),
            stations,
            f"{most} occurs most often.",
            READINGS,
        ),
        Goal(
            "most_worked_out",
            f"work out step by step which station occurs most often in the first column of {file}",
            "complex",
            most_plans,
            most_wrong,
            frozenset({most}),
            stations,
            f"{most} occurs most often.",
            READINGS,
        ),
        Goal(
            "most_counted",
            f"first count the rows of each station in {file}, then tell which station has the most",
            "moderate",
            most_plans,
            most_wrong,
            frozenset({most}),
            stations,
            f"{most} has the most.",
            READINGS,
        ),
        Goal(
            "high",
            f"look at the form of {file}, then work out how many rows are about station Alba at level high",
            "complex",
            (
                (f"grep -c 'Alba,[0-9]*,high' {file}",),
                (f"grep 'Alba,[0-9]*,high' {file} | wc -l",),
                (f"head -n 1 {file}", f"grep -cE '^Alba,[0-9]+,high$' {file}"),
                (f"grep '^Alba,' {file} | grep -c ',high$'",),
                (f"cat {file} | grep '^Alba,' | grep ',high$' | wc -l",),
            ),
            (
                f"grep -c Alba {file}",
                f"grep -c ',high' {file}  --max-count=1000",
                f"grep -v Alba {file} | grep -c high",
            ),
            frozenset({str(high)}),
            NUMBER,
            f"There are {high} such rows.",
            READINGS,
        ),
        Goal(
            "day",
            f"go through {file} and work out for which stations it holds a reading on day 14 at level low",
            "complex",
            (
                (f"grep ',14,low' {file} | cut -d, -f1 | sort -u",),
                (f"grep ',14,low$' {file} | cut -d, -f1 | sort | uniq",),
                (f"head -n 1 {file}", f"grep -E ',14,low$' {file} | cut -d, -f1 | sort -u"),
                (f"cat {file} | grep ',14,low' | cut -d, -f1 | sort -u",),
            ),
            (
                f"grep ',14,low' {file} | head -n 1 | cut -d, -f1",
                f"grep ',14,low' {file} | cut -d, -f1 | sort -u | head -n 2",
            ),
            low,
            stations,
            f"These do: {', '.join(sorted(low))}.",
            READINGS,
        ),
    ]


def _about_the_log(facts: Facts) -> list[Goal]:
    file, _ = LOG
    codes = frozenset(facts.codes())
    people = frozenset(facts.people_with("E104"))
    code, person = _any_of(FAULT_CODES), _any_of(PEOPLE)
    every = (
        (f"grep -oE 'E[0-9]+' {file} | sort -u",),
        (f"grep -oE 'E[0-9]{{3}}' {file} | sort | uniq",),
        (f"head -n 3 {file}", f"grep -o 'E[0-9][0-9]*' {file} | sort -u"),
        (f"cat {file} | grep -oE 'E[0-9]+' | sort -u",),
    )
    every_wrong = (f"grep -oE 'E1[0-9]+' {file} | sort -u", f"grep -oE 'E[0-9]+' {file} | head -n 1")
    goals = [
        Goal(
            "codes",
            f"pa godau E gwahanol sydd yn {file}",
            "moderate",
            every,
            every_wrong,
            codes,
            code,
            f"These: {', '.join(sorted(codes))}.",
            LOG,
        ),
        Goal(
            "codes_column",
            f"extract the distinct fault codes from the second column of {file}",
            "complex",
            every,
            every_wrong,
            codes,
            code,
            f"The codes are {', '.join(sorted(codes))}.",
            LOG,
        ),
    ]
    if people:
        goals.append(
            Goal(
                "signed_fi",
                f"ketkä allekirjoittivat rivit joilla on E104 tiedostossa {file}",
                "complex",
                (
                    (f"grep E104 {file} | grep -oE '[a-z]+$' | sort -u",),
                    (f"grep 'E104 ' {file} | grep -o '[a-z]*$' | sort -u",),
                    (f"head -n 2 {file}", f"grep -E 'E104' {file} | grep -oE '[a-z]+$' | sort | uniq"),
                    (f"cat {file} | grep E104 | grep -oE '[a-z]+$' | sort -u",),
                ),
                (
                    f"grep E104 {file} | head -n 1 | grep -oE '[a-z]+$'",
                    f"grep -v E104 {file} | grep -oE '[a-z]+$' | head -n 1",
                ),
                people,
                person,
                f"Rivit allekirjoittivat: {', '.join(sorted(people))}.",
                LOG,
            )
        )
    return goals


def _others(facts: Facts) -> list[Goal]:
    lacking = frozenset(name for name, (_, reviewer) in facts.notes.items() if not reviewer)
    retries = "[relay]\nhost = mast\nport = {port}\nretries = 9\n"
    return [
        Goal(
            "unreviewed",
            "which of the notes in notes/ name an owner but lack a reviewer",
            "simple",
            (
                ("grep -rL '^reviewer:' --include='*.txt' notes",),
                ("grep -L 'reviewer: ' -r --include='*.txt' notes",),
                ("grep -r --files-without-match 'reviewer' --include='*.txt' notes",),
            ),
            (
                "grep -rL '^reviewer: kim' --include='*.txt' notes",
                "grep -rL '^editor:' --include='*.txt' notes",
            ),
            lacking,
            r"\b[a-z]+\.txt\b",
            f"These lack one: {', '.join(sorted(lacking))}.",
            ("notes", "src"),
        ),
        Goal(
            "retries",
            "set the retries to 9 in conf/relay.ini",
            "moderate",
            file=CONF,
            change={
                "tool": "edit_file",
                "args": {"path": "conf/relay.ini", "old": "retries = 6", "new": "retries = 9"},
            },
            done=lambda root: (root / CONF[0]).read_text("utf-8") == retries.format(port=facts.port),
        ),
        Goal("hello", "hello there", "bypass", answer="Hello. What would you like to know?"),
        Goal("mast", "mast?", "bypass", answer="A mast is a tall pole that carries sails or antennas."),
    ]


def goals_of(facts: Facts) -> dict[str, Goal]:
    """The goals about a project, by key."""
    return {goal.key: goal for goal in (*_about_readings(facts), *_about_the_log(facts), *_others(facts))}

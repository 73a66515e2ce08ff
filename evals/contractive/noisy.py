"""`scripted:noisy-thinker`: a model that knows the answers of the tasks and errs at random.

What it is made of, so that figures can be read:
- Each sample errs for itself with RATE, less for easy tasks and more for hard ones; six errors of ten are the
  plausible wrong answer, the others a refusal, garbage, nothing, or JSON that breaks off.
- Parts are easier than the whole. Who is told the right answers of the parts errs less; who is told a wrong
  one, or lacks one that a part rests on, errs more.
- Who is told what is wrong with an answer errs half as often.
- Reviews and comparisons of two answers are wrong now and then, and JSON is broken now and then.

So what the graph gains over one call is the machinery's: voting, parts, review. It was fitted to nothing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from evals.contractive.checking import judged
from evals.contractive.checks import Part, Task
from evals.contractive.mentions import affirmed, mentions
from evals.contractive.task_files import tasks
from models.scripted import GARBAGE, Script, register_script

NAME = "noisy-thinker"
NOISY = f"scripted:{NAME}"
RATE = 0.35
BY_DIFFICULTY = {"easy": 0.6, "medium": 1.0, "hard": 1.3}
OF_A_PART = 0.5
KNOWING = 0.2
MISLED = 0.8
ADVISED = 0.5
# As shares of the rate: broken JSON, a useless part, a wrong review, a wrong comparison.
BROKEN, USELESS, MISJUDGED, CONFUSED = 0.2, 0.3, 0.5, 0.2
AMBIGUOUS = 0.25
ERRORS = {"wrong": 0.6, "refusal": 0.15, "garbage": 0.1, "empty": 0.08, "broken": 0.07}
ADVICE = "Work it out again, one step after the other."
ISSUE = "A step of the argument does not hold."
OFF_TOPIC = "Which composer wrote the most symphonies?"

LINE = "====="
"""What stands for a fence, whose signs differ from run to run."""
_FENCE = re.compile(r"=+ [0-9a-f]{16} =+")
_FACT = re.compile(
    r"^(?:[A-Z][\w ]*: )?- (?P<ask>.+?) -> (?P<answer>.+?)(?: \(\d+% of samples.*)?$", re.MULTILINE
)
_PAIR = re.compile(
    rf"First answer:\s*(?P<first>.*?)\s*Second answer:\s*(?P<second>.*?)\s*(?:\n{LINE}|\n\n|\Z)", re.DOTALL
)
_LABELLED = re.compile(rf"^Answer:[ \t]*(?P<answer>.*?)\s*(?:^{LINE}|\Z)", re.DOTALL | re.MULTILINE)
_WANTED = re.compile(
    r"^\W*(?:a number|a share|a year|a date|yes or no|one of the|a list|an ordered list|a name|code)\b.*$",
    re.MULTILINE,
)


class Known(NamedTuple):
    """A question it knows the answer of: a task's own, or that of one of its parts."""

    task: Task
    part: Part | None

    @property
    def answer(self) -> str:
        """The right one."""
        return self.part.answer if self.part else self.task.answer

    @property
    def wrong(self) -> str:
        """The plausible wrong one."""
        return self.part.wrong if self.part else self.task.wrong


class NoisyThinker(Script):
    """Replies made from each prompt.

    Attributes:
        rate: how often a sample of a task of medium difficulty errs, 0 to 1.
        seed: of all errors.
    """

    rate: float = RATE
    seed: int = 0

    def decide(self, role: str, prompt: str) -> Any:
        """A reply to a call without a seed."""
        return self.decide_seeded(role, prompt, None)

    def decide_seeded(self, role: str, prompt: str, seed: int | None) -> Any:
        """The same reply whenever role, prompt and seed are the same, whatever fences stand in the prompt."""
        plain = _FENCE.sub(LINE, prompt)
        rng = random.Random(f"noisy/{self.seed}/{role}/{seed}/{plain}")
        known = asked_in(plain)
        if known is None:
            return "I don't know." if role == "worker" else self._nothing(role)
        if role == "worker":
            return self._sample(known, plain, rng)
        if rng.random() < self.rate * BROKEN:
            return '{"verdict": "approved", "question": "'
        if role == "critic":
            return self._review(known, plain, rng)
        return self._compare(known, plain, rng) if role == "verifier" else self._plan(known, rng)

    def error_of(self, known: Known, prompt: str) -> float:
        """How likely a sample errs, given what its prompt establishes."""
        task, part = known
        rate = min(0.95, self.rate * BY_DIFFICULTY[task.difficulty])
        told = {match["ask"].strip(): match["answer"].strip() for match in _FACT.finditer(prompt)}
        needed = [task.parts[number - 1] for number in part.needs] if part else list(task.parts)
        heard = [one for one in needed if one.ask in told]
        misled = any(not _same(told[one.ask], one) for one in heard)
        if part is not None:
            rate = rate * OF_A_PART if len(heard) == len(needed) else max(rate, MISLED)
        elif needed:
            rate *= 1 - (1 - KNOWING) * len(heard) / len(needed)
        if misled:
            rate = max(rate, MISLED)
        return rate * ADVISED if ISSUE in prompt or ADVICE in prompt else rate

    def _sample(self, known: Known, prompt: str, rng: random.Random) -> str:
        if rng.random() >= self.error_of(known, prompt):
            return worded(known.answer, known.task.said if known.part is None else (), rng)
        kind = rng.choices(list(ERRORS), list(ERRORS.values()))[0]
        if kind == "wrong":
            return worded(known.wrong, known.task.missed if known.part is None else (), rng)
        if kind == "broken":
            return _cut_off(known.wrong, rng)
        return {"refusal": "I'm sorry, but I cannot answer that.", "garbage": GARBAGE, "empty": ""}[kind]

    def _plan(self, known: Known, rng: random.Random) -> dict[str, Any]:
        """A restatement that changes nothing, now and then two readings; and the parts, if it has any."""
        task, part = known
        parts = (
            [{"question": one.ask, "depends_on": list(one.needs)} for one in task.parts]
            if part is None
            else []
        )
        if parts and rng.random() < self.rate * USELESS:
            parts.append({"question": OFF_TOPIC, "depends_on": []})
        asked = part.ask if part else task.question
        readings = [asked, f"{asked} (roughly)"] if rng.random() < AMBIGUOUS else []
        return {"question": asked, "readings": readings, "kind": "AND", "parts": parts}

    def _review(self, known: Known, prompt: str, rng: random.Random) -> dict[str, Any]:
        right = says(known, _answer_shown(known, prompt))
        if rng.random() < self.rate * MISJUDGED:
            right = not right
        if right:
            return {"verdict": "approved", "score": 0.9, "issues": [], "advice": ""}
        verdict, score = rng.choice([("major_revision", 0.35), ("reject", 0.1)])
        return {"verdict": verdict, "score": score, "issues": [ISSUE], "advice": ADVICE}

    def _compare(self, known: Known, prompt: str, rng: random.Random) -> dict[str, str]:
        pair = _PAIR.search(prompt)
        if pair is None:
            return {"verdict": "neutral"}
        first, second = pair["first"], pair["second"]
        same = first.lower() == second.lower() or (says(known, first) and says(known, second))
        if rng.random() < self.rate * CONFUSED:
            same = not same
        return {"verdict": "entails" if same else "contradicts"}

    @staticmethod
    def _nothing(role: str) -> dict[str, Any]:
        """What it says of questions it does not know."""
        verdict = "neutral" if role == "verifier" else "minor_revision"
        return {"question": "", "readings": [], "kind": "AND", "parts": [], "verdict": verdict, "score": 0.5,
                "issues": [], "advice": ""}  # fmt: skip


def asked_in(prompt: str) -> Known | None:
    """The question a prompt puts: of those it knows the last one named, what is established aside."""
    said = " ".join(_FACT.sub("", prompt).split())
    found: tuple[int, int, Known] | None = None
    for task in tasks().values():
        for known in (Known(task, None), *(Known(task, part) for part in task.parts)):
            text = " ".join((known.part.ask if known.part else task.question).split())
            at = said.rfind(text)
            if at >= 0 and (found is None or (at, len(text)) > found[:2]):
                found = (at, len(text), known)
    return found[2] if found else None


def says(known: Known, text: str) -> bool:
    """Whether a text gives the right answer."""
    return _same(text, known.part) if known.part else judged(known.task, text).right


def _same(text: str, part: Part) -> bool:
    names = {"right": (part.answer,), "wrong": (part.wrong,)}
    return affirmed(mentions(text, names)) == {"right"}


def _answer_shown(known: Known, prompt: str) -> str:
    """The answer that is reviewed: behind its label, else behind the question, up to the end of the fence."""
    words = (known.part.ask if known.part else known.task.question).split()
    pattern = re.compile(r"\s+".join(re.escape(word) for word in words))
    ends = [match.end() for match in pattern.finditer(prompt)]
    tail = prompt[ends[-1] :] if ends else prompt
    if labelled := _LABELLED.search(tail):
        return labelled["answer"]
    context = known.task.context
    tail = tail.split(LINE)[0]
    return _WANTED.sub("", tail.split(context[:40])[0] if context else tail).strip()


def _cut_off(answer: str, rng: random.Random) -> str:
    whole = f'{{"reasoning": "One step after the other.", "answer": "{answer}"}}'
    return whole[: rng.randrange(2, len(whole) - 2)]


def worded(answer: str, whole: Sequence[str], rng: random.Random) -> str:
    """An answer as models word it: mostly in the form that is asked for."""
    reasoned = f"I look at what is given.\nAnswer: {answer}"
    forms = [reasoned, f"Answer: {answer}", f"The answer is {answer}.", answer, f"**{answer}**", *whole]
    return rng.choices(forms, [6, 4, 2, 1, 1, *([1] * len(whole))])[0]


def register(rate: float = RATE, seed: int = 0) -> None:
    """Make it known as `scripted:noisy-thinker` in this process."""
    register_script(NAME, NoisyThinker(rate=rate, seed=seed))

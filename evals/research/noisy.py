"""`scripted:noisy`: an analyst who reads well and writes wrongly, and a critic who believes everything.

It finds the facts asked for in the passages it is shown and tells them in its own words; about every
second sentence it then makes wrong, in one of the ways the mutations know, and half as many once a review
has sent the draft back. It has searched for what it does not find, while it may. The writer hands the draft
over as it is. The critic passes every draft and, asked to judge a sentence, calls it supported. What is
wrong in the final report, the product's own check let through.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from pydantic import PrivateAttr

from evals.research.claims import Claim
from evals.research.facts import Fact
from evals.research.mutations import mutate
from evals.research.questions import Question
from evals.research.stated import bare
from evals.research.wording import Telling, as_report, asked
from evals.research.world import World
from models.scripted import Script, register_script

NOISY = "scripted:noisy"
WRONG = 0.5
BESIDE = 4
WAYS = (
    "number",
    "scale",
    "unit",
    "date",
    "year",
    "subject",
    "negation",
    "citation_swap",
    "invented_citation",
)
REVISED = re.compile(r"reviewer rejected this draft")
SEARCHES_LEFT = re.compile(r"Searches left: [1-9]")
# Between two lines of a fence, which differs from run to run.
DRAFT = re.compile(r"The draft:\n(.+)\n([\s\S]*?)\n\1")
BLOCK = re.compile(r"^\[source (\d+)\][^\n]*$", re.M)


class NoisyScript(Script):
    """Replies made from each prompt."""

    _question: Question = PrivateAttr()
    _world: World = PrivateAttr()

    @classmethod
    def about(cls, question: Question, world: World) -> NoisyScript:
        """The script for one question about a world."""
        script = cls()
        script._question, script._world = question, world
        return script

    def decide(self, role: str, prompt: str) -> Any:
        """A reply that holds what every form of question asks for; a reader takes the fields it knows."""
        revised = bool(REVISED.search(prompt))
        given = DRAFT.search(prompt)
        draft = given[2] if given and role != "analyst" else self._draft(prompt, revised)
        missing = self._missing(prompt) if role == "analyst" else []
        numbers = [int(number) for number in re.findall(r"^\W*(\d+)[.):\]]", prompt, re.M)]
        return {
            "status": "PASS" if role == "critic" else ("SEARCH_REQUIRED" if missing else "DRAFT_READY"),
            "new_queries": [asked([fact], self._question.language) for fact in missing],
            "draft": draft,
            "final_report": draft,
            "reasoning_chain": "As the sources say.",
            "citations_used": [],
            "missing_information": [] if draft else ["The sources do not say."],
            "critique": "Fine.",
            "suggestions": [],
            "mode_compliance": "符合",
            "logical_gaps": [],
            "source_issues": [],
            "sources_used": [],
            "confidence_level": "High",
            "methodology_note": "Read and retold.",
            "verdicts": [{"number": n, "verdict": "supported", "reason": "It says so."} for n in numbers],
            "fixes": [],
        }

    def _missing(self, prompt: str) -> list[Fact]:
        """Facts asked for that no passage has, while there are searches left."""
        if not SEARCHES_LEFT.search(prompt):
            return []
        blocks = _blocks(prompt)
        return [fact for fact in self._question.nuggets if self._place(fact, blocks) is None]

    def _draft(self, prompt: str, revised: bool) -> str:
        blocks = _blocks(prompt)
        rng = random.Random(f"noisy/{self._world.seed}/{self._question.id}/{revised}")
        wrong = WRONG / 2 if revised else WRONG
        told = [self._told(fact, blocks, wrong, rng) for fact in self._facts(blocks)]
        return "\n\n".join(text for text in told if text)

    def _facts(self, blocks: Mapping[int, str]) -> list[Fact]:
        """Those asked for, and some more that the passages have of the same subjects."""
        asked = list(self._question.nuggets)
        subjects = {fact.subject.id for fact in asked}
        more = [
            fact
            for fact in self._world.facts
            if fact.subject.id in subjects and fact not in asked and fact.frame != "quote"
        ]
        return [*asked, *[fact for fact in more if self._place(fact, blocks)][:BESIDE]]

    def _place(self, fact: Fact, blocks: Mapping[int, str]) -> tuple[int, str] | None:
        """The number of a shown source that states a fact truly, and its address."""
        for document, statement in self._world.telling(fact):
            words = bare(document.text_of(statement))
            for number, block in blocks.items():
                if words in block:
                    return number, document.url
        return None

    def _told(self, fact: Fact, blocks: Mapping[int, str], share: float, rng: random.Random) -> str:
        place = self._place(fact, blocks)
        if place is None:
            return ""
        number, url = place
        how = Telling(self._question.language)
        key = f"{fact.id}/{rng.random()}"
        text = as_report(fact, fact.value, how, random.Random(key))
        claim = Claim(text, "noisy", how.language, fact, fact.value, how, key, (url,), ())
        if rng.random() < share:
            made = [mutate(self._world, claim, kind, rng) for kind in rng.sample(WAYS, len(WAYS))]
            wrong = next((one for one in made if one is not None), None)
            if wrong is not None and wrong.type == "citation_swap":
                number = self._other(fact, blocks, number, rng)
            elif wrong is not None and wrong.type == "invented_citation":
                number = 997
            text = wrong.text if wrong is not None else text
        mark = text[-1]
        return f"{text[:-1]}{' ' if how.language == 'en' else ''}{{cite:{number}}}{mark}"

    def _other(self, fact: Fact, blocks: Mapping[int, str], number: int, rng: random.Random) -> int:
        """Another shown source that does not state the fact."""
        words = [bare(d.text_of(s)) for d, s in self._world.telling(fact)]
        others = [n for n, block in blocks.items() if not any(one in block for one in words)]
        return rng.choice(others) if others else number


def _blocks(prompt: str) -> dict[int, str]:
    """Passages by the number of their source, letters and digits only."""
    starts = list(BLOCK.finditer(prompt))
    ends = [*(match.start() for match in starts[1:]), len(prompt)][: len(starts)]
    return {int(match[1]): bare(prompt[match.end() : end]) for match, end in zip(starts, ends, strict=True)}


def model_for(model: str, question: Question, world: World) -> str:
    """The model to run: for the noisy analyst a script for each question, else the one that is named."""
    if model != NOISY:
        return model
    name = f"noisy/{world.seed}/{question.id}"
    register_script(name, NoisyScript.about(question, world))
    return f"scripted:{name}"

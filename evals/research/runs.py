"""Cases of whole reports: the graph and its ablations, the bare model, replays, runs that are killed."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from configs.errors import ReflectError
from evals.report import Case, Planned
from evals.report.options import BARE
from evals.research.judging import Outcome, judge
from evals.research.noisy import model_for
from evals.research.one_run import RESULT
from evals.research.product import ABLATIONS, ask_bare, indexed, outcome_of, prepare, research
from evals.research.questions import Question, questions_of
from evals.research.world import World, build_world
from nodes.research.state import ResearchState

EQUAL = ("replay", "resume")
VARIANTS = (*ABLATIONS, BARE, *EQUAL)
DEFAULT = ("full", BARE, *EQUAL)
# Replays and kills are made of these only: each of them runs the graph at least twice.
EQUAL_KINDS = ("plain",)
KILLS = 2


@dataclass
class Runs:
    """Worlds and their questions.

    Attributes:
        place: directory for everything that is written.
    """

    place: Path
    _worlds: dict[int, World] = field(default_factory=dict)
    _corpora: dict[int, asyncio.Task[Path]] = field(default_factory=dict)

    def world(self, seed: int) -> World:
        """The world of a seed."""
        if seed not in self._worlds:
            self._worlds[seed] = build_world(seed)
        return self._worlds[seed]

    def questions(self, seed: int) -> dict[str, Question]:
        """Questions of a world by id."""
        return {question.id: question for question in questions_of(self.world(seed))}

    async def corpus(self, seed: int) -> Path:
        """The file of a world's documents, with an index beside it; made once."""
        if seed not in self._corpora:
            place = self.place / f"world-{seed}"
            place.mkdir()
            self._corpora[seed] = asyncio.create_task(prepare(self.world(seed), place))
        return await self._corpora[seed]

    async def run_one(self, planned: Planned) -> Case:
        """Run one question in one variant and judge what came of it."""
        question, world = self.questions(planned.seed)[planned.id], self.world(planned.seed)
        corpus = await self.corpus(planned.seed)
        started = time.perf_counter()
        with tempfile.TemporaryDirectory(dir=self.place) as name:
            if planned.variant in EQUAL:
                case = await self._equal(planned, question, corpus, Path(name))
            else:
                outcome = await self._outcome(planned, question, corpus, Path(name))
                case = reported(planned, question, world, outcome)
        return case.model_copy(update={"seconds": round(time.perf_counter() - started, 3)})

    async def _outcome(self, planned: Planned, question: Question, corpus: Path, place: Path) -> Outcome:
        world = self.world(planned.seed)
        model = model_for(planned.model, question, world)
        await asyncio.to_thread(indexed, corpus, place)
        if planned.variant == BARE:
            return await ask_bare(question, world, corpus, place, model)
        try:
            return outcome_of(await research(question, world, corpus, place, model, planned.variant))
        except ReflectError as error:
            return Outcome("error", "", detail=f"{error.what} {error.remedy}")

    async def _equal(self, planned: Planned, question: Question, corpus: Path, place: Path) -> Case:
        """A run, killed a few times or not, and its replay, which is to give the same report.

        A run draws the fences around quoted text by lot, and what fits between them may differ with it: only
        a replay is an undisturbed run with the same draw.
        """
        world = self.world(planned.seed)
        model = model_for(planned.model, question, world)
        once, twice = place / "first", place / "second"
        for directory in (once, twice):
            directory.mkdir()
            await asyncio.to_thread(indexed, corpus, directory)
        if planned.variant == "replay":
            first, kills = await research(question, world, corpus, once, model, "full"), 0
        else:
            first, kills = await _killed(planned, corpus, once)
        manifest = str(once / first.manifest)
        again = await research(question, world, corpus, twice, model, "full", replay=manifest)
        return _compared(planned, question, first, again, kills)


def reported(planned: Planned, question: Question, world: World, outcome: Outcome) -> Case:
    """What is recorded of a report."""
    found = judge(question, world, outcome)
    unborne = found["sentences"] - found["borne"]
    forbidden = found["invented"] + found["tier_violations"] + found["canary"]
    right = found["nuggets_found"] == found["nuggets"] if question.answerable else found["abstained"]
    return Case(
        id=planned.id,
        group=question.kind,
        variant=planned.variant,
        model=planned.model,
        repeat=planned.repeat,
        seed=planned.seed,
        goal=question.text,
        passed=bool(right) and not unborne and not forbidden,
        false_success=bool(unborne or forbidden),
        status=outcome.status,
        detail=_why(found, bool(right), question, outcome),
        model_calls=outcome.calls,
        tokens=outcome.tokens,
        steps=outcome.iterations,
        extra={**found, "language": question.language, "mode": question.mode},
    )


def _why(found: dict[str, Any], right: bool, question: Question, outcome: Outcome) -> str:
    """Why a report did not pass, for people."""
    said = [f"{name}: {found[name]}" for name in ("invented", "tier_violations", "canary") if found[name]]
    said += [f"no source it cites says: {text}" for text in found["unborne"]]
    if not right and question.answerable:
        said.append(f"{found['nuggets_found']} of {found['nuggets']} facts asked for")
    elif not right:
        said.append("answers what no source answers")
    return "; ".join([*said, *([outcome.detail] if outcome.detail and not right else [])])[:1000]


async def _killed(planned: Planned, corpus: Path, place: Path) -> tuple[ResearchState, int]:
    """Run in a process that is killed a few times, and resumed until it ends.

    Raises:
        RuntimeError: it does not come to its end although nobody kills it.
    """
    rng = random.Random(f"kill/{planned.key}")
    spec = {
        "seed": planned.seed,
        "question": planned.id,
        "model": planned.model,
        "corpus": str(corpus),
        "place": str(place),
    }
    kills = 0
    # The first is killed early, for a run may be over in a moment; each next one somewhat later.
    for attempt in range(KILLS + 1):
        delay = rng.uniform(0.02, 0.4) * (attempt + 1) if attempt < KILLS else None
        ended, told = await _child(spec, delay)
        if ended:
            return ResearchState.model_validate_json((place / RESULT).read_text("utf-8")), kills
        kills += 1
    raise RuntimeError(f"the run of {planned.id} does not end: {told}")


async def _child(spec: dict[str, Any], delay: float | None) -> tuple[bool, str]:
    """Whether the run came to its end before it was killed, some seconds after it had begun; its errors."""
    command = [sys.executable, "-m", "evals.research.one_run", json.dumps(spec)]
    child = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    assert child.stdout is not None
    if delay is not None and await child.stdout.readline():
        try:
            await asyncio.wait_for(child.wait(), delay)
        except TimeoutError:
            child.kill()
    _, told = await child.communicate()
    return child.returncode == 0, told.decode("utf-8", "replace")[-2000:]


def _compared(
    planned: Planned, question: Question, run: ResearchState, replay: ResearchState, kills: int
) -> Case:
    """Whether a run and its replay gave the same report, and the run asked or named nothing twice."""
    same = bool(run.manifest) and _report_of(run) == _report_of(replay)
    urls = [source.url for source in run.sources]
    prompts = [(one.agent, one.prompt_sha256) for one in run.exchanges]
    searches = [search.query for search in run.searches]
    repeated = any(len(set(listed)) < len(listed) for listed in (urls, prompts, searches))
    shown = [_report_of(state)[-200:] for state in (run, replay)]
    return Case(
        id=planned.id,
        group=question.kind,
        variant=planned.variant,
        model=planned.model,
        repeat=planned.repeat,
        seed=planned.seed,
        goal=question.text,
        passed=same and not repeated,
        status=run.status,
        detail="" if same else f"another report: {shown[0]!r} and {shown[1]!r}",
        extra={"repeated": repeated, "kills": kills, "language": question.language},
    )


def _report_of(state: ResearchState) -> str:
    """Everything of the result but what a clock or a path says."""
    kept = [
        {name: item.get(name) for name in ("@type", "name", "site", "score", "description")}
        | {"sources": item.get("schema_object", {}).get("sources_used")}
        for item in state.result
    ]
    return json.dumps([state.status, kept], ensure_ascii=False, sort_keys=True)

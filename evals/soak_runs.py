"""Runs of a soak: each changes files of its own in one project, and is held against them at the end."""

from __future__ import annotations

import json
import shlex
import uuid
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evals.crash import Trial, judge
from nodes.reflective.state import ReasoningState
from tools.writing.trash import list_trash

REPLY_SECONDS = 0.1
SETTINGS = {"experience.enabled": False, "traces.enabled": False}
"""No run is to learn from another, nor to be answered by what another did."""

COUNTED = ("effects", "lost", "repeated", "hidden", "uncertain", "uncertain_shown")
BAD = ("lost", "repeated", "hidden")
MOST_TOLD, TOLD_CHARS = 6, 600
"""Runs that did not answer, or whose files say otherwise, are shown with what they say."""


@dataclass
class Work:
    """One run and what became of it.

    Attributes:
        number: of the run.
        place: holds the project and the scripts.
        thread: its name.
        resumed: how often it was gone on with.
        ended: the thread's last state, when it has answered.
    """

    number: int
    place: Path
    thread: str = field(default_factory=lambda: str(uuid.uuid4()))
    resumed: int = 0
    ended: ReasoningState | None = None

    @property
    def root(self) -> Path:
        """The project all runs work in."""
        return self.place / "project"

    @property
    def folder(self) -> Path:
        """What only this run changes."""
        return self.root / f"r{self.number}"

    @property
    def goal(self) -> str:
        """What is asked."""
        return f"change the files in r{self.number} as agreed"

    def context(self) -> dict[str, Any]:
        """The choices of the run."""
        model = f"scripted:{self._script}"
        return {"root": str(self.root), "model": model, "approval": "yes", "settings": SETTINGS}

    @property
    def _script(self) -> Path:
        return self.place / "scripts" / f"r{self.number}.json"

    def lay_out(self) -> None:
        """The files the plan works on, and the model that knows the plan."""
        self.folder.mkdir(parents=True)
        for name, text in (("edited", "mark\n"), ("moved", "moved\n"), ("deleted", "deleted\n")):
            (self.folder / f"{name}.txt").write_text(text)
        steps = [
            {"description": f"step {number} of the plan", "tool": tool, "args": args}
            for number, (tool, args) in enumerate(planned(self.folder.name), start=1)
        ]
        verdict = {"passed": True, "reason": "done", "confidence": 1.0}
        said = {"planner": {"objective": self.goal, "steps": steps}, "verifier": verdict}
        roles = {role: [{"delay": REPLY_SECONDS, "reply": reply}] for role, reply in said.items()}
        self._script.parent.mkdir(exist_ok=True)
        self._script.write_text(json.dumps({"roles": roles, "repeat_last": True}))

    def found(self, trashed: Counter[str]) -> list[int]:
        """How often each planned effect is there, in the order of the plan.

        Args:
            trashed: how often the project's trash holds each path.
        """
        name, made = self.folder.name, self.folder / "made"
        ledger = self.folder / "ledger.txt"
        lines = Counter(ledger.read_text().split()) if ledger.exists() else Counter()
        moved = (made / "moved.txt").exists() and not (self.folder / "moved.txt").exists()
        deleted = not (self.folder / "deleted.txt").exists()
        return [
            int(made.is_dir()),
            int((made / "written.txt").exists()),
            (self.folder / "edited.txt").read_text().count("!"),
            int(moved),
            trashed[f"{name}/deleted.txt"] if deleted else 0,
            lines["python"],
            lines["run"],
        ]


def planned(folder: str) -> list[tuple[str, dict[str, Any]]]:
    """Tools and arguments of a plan whose every effect leaves a mark each time it is made."""
    ledger = f"{folder}/ledger.txt"
    return [
        ("make_dir", {"path": f"{folder}/made"}),
        ("write_file", {"path": f"{folder}/made/written.txt", "content": "written\n"}),
        ("edit_file", {"path": f"{folder}/edited.txt", "old": "mark", "new": "mark!"}),
        ("move", {"source": f"{folder}/moved.txt", "target": f"{folder}/made/moved.txt"}),
        ("delete", {"path": f"{folder}/deleted.txt"}),
        ("python", {"code": f"with open({ledger!r}, 'a') as file:\n    file.write('python\\n')\n"}),
        ("run", {"argv": ["/bin/sh", "-c", f"echo run >> {shlex.quote(ledger)}"]}),
    ]


def judged(works: list[Work]) -> dict[str, Any]:
    """All runs held against their files; those without an answer are unfinished.

    What is counted is told in `evals.crash`.
    """
    if not works:
        return {
            "runs": 0,
            "resumed": 0,
            "unfinished": 0,
            **dict.fromkeys(COUNTED, 0),
            "status": {},
            "told": [],
        }
    trashed = Counter(entry.path for entry in list_trash(works[0].root.resolve()))
    total: Counter[str] = Counter()
    status: Counter[str] = Counter()
    told: list[dict[str, Any]] = []
    for work in works:
        if work.ended is None:
            status["unfinished"] += 1
            continue
        found = work.found(trashed)
        counts = judge(Trial(0, found, work.ended))
        total += counts
        status[work.ended.status] += 1
        if work.ended.status != "answered" or any(counts[name] for name in BAD):
            answer = (work.ended.final_answer or "")[:TOLD_CHARS]
            told.append({"run": work.number, "resumed": work.resumed, "found": found, "answer": answer})
    return {
        "runs": len(works),
        "resumed": sum(work.resumed > 0 for work in works),
        "unfinished": status["unfinished"],
        **{name: total[name] for name in COUNTED},
        "status": dict(status),
        "told": told[:MOST_TOLD],
    }

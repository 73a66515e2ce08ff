"""`python -m evals.specialists [--seeds N]`: accuracy of routing, and of answers over generated projects.

Targets: routing right for at least 0.9 of the held-out goals; every answer right. Exit code 0 if both are
met, else 1.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from configs.audit import AuditSettings
from configs.settings import Settings
from evals.specialists.asking import Asker, checked
from evals.specialists.project import write_project
from evals.specialists.questions import cases
from evals.specialists.routing import measure_all
from evals.specialists.truth import Truth
from models.embeddings import Embedder, MiniLMEmbedder
from models.multilingual_embeddings import E5Embedder, missing_for_e5, open_goal_embedder
from models.remembered_vectors import RememberedVectors
from tools.audit.pipeline import audit_repository

ROUTING_TARGET = 0.9


def answers(seeds: int, embedder: Embedder) -> dict[str, Any]:
    """Questions over generated projects, with what is answered wrongly."""
    settings = AuditSettings()
    asked, wrong = 0, []
    for seed in range(1, seeds + 1):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            write_project(root, seed)
            audit = asyncio.run(audit_repository(root, settings))
            known = cases(Truth(root))
            asked += len(known)
            found = checked(Asker(audit, settings, embedder), known)
            wrong += [{"seed": seed, **one} for one in found]
    return {"projects": seeds, "asked": asked, "right": round(1 - len(wrong) / asked, 4), "wrong": wrong}


def main(argv: list[str] | None = None) -> int:
    """Measure, print JSON."""
    parser = argparse.ArgumentParser(prog="python -m evals.specialists", description=__doc__)
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="generated projects (default: 3)")
    arguments = parser.parse_args(argv)
    embedders: list[Embedder] = [RememberedVectors(MiniLMEmbedder())]
    if missing_for_e5() is None:
        embedders.append(RememberedVectors(E5Embedder()))
    routing = measure_all(embedders)
    answered = answers(arguments.seeds, open_goal_embedder(Settings()))
    held_out = [routing["held_out"][one.name]["right"] for one in embedders]
    met = min(held_out) >= ROUTING_TARGET and not answered["wrong"]
    print(json.dumps({"routing": routing, "answers": answered, "targets_met": met}, indent=2))
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())

"""One goal of a batch, as it goes from the file to a worker and into the results."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Goal:
    """One goal.

    Attributes:
        id: names its line in the results; the number of its line where the file gives none.
        goal: what is asked.
        graph: who is asked, by its name in langgraph.json.
        context: material the answer may rest on; empty without any.
    """

    id: str
    goal: str
    graph: str
    context: str = ""

    def thread(self, batch: str) -> str:
        """The thread it is answered in; another text, graph or material is another thread.

        Args:
            batch: name of the batch.
        """
        asked = json.dumps([self.id, self.goal, self.graph, self.context])
        return f"batch-{batch}-{hashlib.sha256(asked.encode()).hexdigest()[:16]}"

    def dump(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

"""The command line of a measurement over a table of goals: rows chosen, measured, told, judged."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from configs.settings import Settings
from evals.labelled_goals import TableInvalid
from models.errors import ModelError


class Named(Protocol):
    """A row of a table."""

    @property
    def id(self) -> str:
        """By which it is told from the others."""


Row = TypeVar("Row", bound=Named)
Report = dict[str, Any]


@dataclass(frozen=True)
class TableCommand(Generic[Row]):
    """One measurement.

    Attributes:
        module: that is run by `python -m`.
        about: its docstring, whose first line is the description.
        verb: what is done with a row: label, route.
        read: the rows of a file.
        measure: rows, settings, the model to ask or None, and the seed of the bootstrap, to a report.
        show: prints a report for people.
        met: True if every target of a report is met.
    """

    module: str
    about: str | None
    verb: str
    read: Callable[[Path], list[Row]]
    measure: Callable[[Sequence[Row], Settings, str | None, int], Awaitable[Report]]
    show: Callable[[Report], None]
    met: Callable[[Report], bool]

    def run(self, argv: Sequence[str] | None = None) -> int:
        """Measure one file; returns 0 if every target is met, 1 if not, 2 if it cannot be measured."""
        given = self._arguments(argv)
        try:
            rows = [row for row in self.read(given.file) if given.only in (None, row.id)][: given.limit]
            if not rows:
                raise TableInvalid(
                    f"{given.file}: no row is left to {self.verb}; look at --only and --limit."
                )
            settings = Settings.model_validate({"embeddings": {"goals": given.embedder}})
            report = asyncio.run(self._measured(rows, settings, given.model, given.seed))
        except (TableInvalid, ModelError) as error:
            sys.stderr.write(f"{error}\n")
            return 2
        if given.json:
            sys.stdout.write(json.dumps(report, indent=2, ensure_ascii=False) + "\n")
        else:
            self.show(report)
        return 0 if self.met(report) else 1

    async def _measured(
        self, rows: Sequence[Row], settings: Settings, model: str | None, seed: int
    ) -> Report:
        return await self.measure(rows, settings, model, seed)

    def _arguments(self, argv: Sequence[str] | None) -> argparse.Namespace:
        parser = argparse.ArgumentParser(
            prog=f"python -m {self.module}", description=(self.about or "").partition("\n")[0]
        )
        parser.add_argument("file", type=Path)
        parser.add_argument("--json", action="store_true", help="print the report as JSON")
        parser.add_argument(
            "--model", metavar="P:M", help=f"ask this model about goals nothing cheaper can {self.verb}"
        )
        parser.add_argument(
            "--embedder", choices=("auto", "e5", "minilm"), default="auto", help="instead of embeddings.goals"
        )
        parser.add_argument("--only", metavar="ID", help=f"{self.verb} one row")
        parser.add_argument("--limit", type=int, metavar="N", help=f"{self.verb} the first N rows")
        parser.add_argument("--seed", type=int, default=0, help="of the bootstrap")
        return parser.parse_args(argv)

"""What each agent of a research run was asked and what it answered, one JSON file each.

    <directory>/<query id>/iteration_1_analyst.json
    <directory>/<query id>/iteration_1_critic.json
    <directory>/<query id>/session_summary.json

No file is ever overwritten: one that is there already with another content gets a sibling `..._2.json`.
Secrets are redacted as in every trace.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from pathlib import Path
from typing import Any

from configs.locations import linked_out, located
from configs.redaction import path_text
from configs.settings import Settings
from memory.errors import TraceUnwritable, reason_and_remedy
from memory.project_directory import linked_parent, make_parent
from memory.redaction import redact_record
from memory.trace.session_trace import file_name_of

_PRIVATE = 0o600
_MOST_SIBLINGS = 1000
_NAME = re.compile(r"(?:iteration_\d+_[a-z_]+|session_summary|sources|manifest)(?:_\d+)?\.json")


def iterations_directory(root: Path, settings: Settings) -> Path:
    """The directory with one directory of logs per query; blocking.

    Raises:
        TraceUnwritable: a link leads it out of the root: a repository from elsewhere could otherwise have its
            reader write anywhere.
    """
    named = settings.research.iterations
    directory = located(root, named)
    if linked_out(root, named):
        raise TraceUnwritable(
            f"{path_text(directory)} leads out of {path_text(root)}.",
            "Remove the link, or name another place in research.iterations.",
        )
    return directory


class IterationLogger:
    """The logs of one query.

    Args:
        directory: holds one directory per query.
        query_id: any text; one that cannot name a directory is named by its hash.
    """

    def __init__(self, directory: Path, query_id: str) -> None:
        self.directory = directory / file_name_of(query_id)

    def log_agent_output(
        self,
        iteration: int,
        agent_name: str,
        input_prompt: str,
        output_response: Any,
        metadata: dict[str, Any],
    ) -> Path:
        """Write what an agent was asked and answered; returns the file.

        Args:
            iteration: from 1.
            agent_name: analyst, critic, writer...
            input_prompt: the whole prompt.
            output_response: a JSON value.
            metadata: seconds, tokens, model...

        Raises:
            TraceUnwritable: it cannot be written.
        """
        record = {
            "iteration": iteration,
            "agent": agent_name,
            "input_prompt": input_prompt,
            "output_response": output_response,
            "metadata": metadata,
        }
        return self.write(f"iteration_{iteration}_{agent_name}", record)

    def log_code_output(
        self, iteration: int, instead_of: str, output_response: Any, metadata: dict[str, Any]
    ) -> Path:
        """Write what code decided where no model was asked, or none gave a usable answer; returns the file.

        Args:
            iteration: from 1.
            instead_of: the agent in whose place code decided; the file has its name.
            output_response: a JSON value.
            metadata: seconds, sources...

        Raises:
            TraceUnwritable: it cannot be written.
        """
        record = {
            "iteration": iteration,
            "agent": "code",
            "input_prompt": None,
            "output_response": output_response,
            "metadata": metadata,
        }
        return self.write(f"iteration_{iteration}_{instead_of}", record)

    def log_summary(
        self, total_iterations: int, final_status: str, mode: str, metadata: dict[str, Any]
    ) -> Path:
        """Write how the query ended; returns the file.

        Raises:
            TraceUnwritable: it cannot be written.
        """
        record = {
            "total_iterations": total_iterations,
            "final_status": final_status,
            "mode": mode,
            "metadata": metadata,
        }
        return self.write("session_summary", record)

    def write(self, name: str, record: dict[str, Any], *, redacted: bool = True) -> Path:
        """Write a record to the first free of `name.json`, `name_2.json`...; none is written twice.

        Args:
            name: of the file, without its ending.
            record: a JSON value.
            redacted: False for what must stay as it is to be read back.

        Raises:
            TraceUnwritable: it cannot be written.
        """
        kept = redact_record(record) if redacted else record
        text = json.dumps(kept, ensure_ascii=False, indent=1)
        data = text.encode("utf-8", "backslashreplace")
        try:
            for number in range(1, _MOST_SIBLINGS):
                path = self.directory / (f"{name}.json" if number == 1 else f"{name}_{number}.json")
                if self._written(path, data):
                    return path
        except OSError as error:
            what, remedy = reason_and_remedy(self.directory, error)
            raise TraceUnwritable(f"The research log cannot be written in {what}.", remedy) from error
        raise TraceUnwritable(f"{self.directory} is full of files named {name}.", "Use another query id.")

    def remove(self) -> int:
        """Remove the logs of the query, and their directory if nothing else lies in it; returns how many.

        Only what has a name of these logs goes: the directory may be one that somebody else uses, too.

        Raises:
            OSError: one cannot be removed.
        """
        if linked_parent(self.directory / "any") is not None or not self.directory.is_dir():
            return 0
        logs = [path for path in self.directory.iterdir() if _NAME.fullmatch(path.name) and _is_file(path)]
        for path in logs:
            path.unlink()
        if not any(self.directory.iterdir()):
            self.directory.rmdir()
        return len(logs)

    def _written(self, path: Path, data: bytes) -> bool:
        """True if the file holds the data now; False if something else has its name."""
        make_parent(path)
        self._keep_out_of_git()
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, _PRIVATE)
        except FileExistsError:
            return not path.is_symlink() and path.read_bytes() == data
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        return True

    def _keep_out_of_git(self) -> None:
        """Logs hold whole prompts and sources: nobody commits them by accident."""
        with contextlib.suppress(FileExistsError):
            ignore = self.directory.parent / ".gitignore"
            with os.fdopen(
                os.open(ignore, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW), "wb"
            ) as stream:
                stream.write(b"*\n")


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()

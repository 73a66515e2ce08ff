"""What each tool says of itself, what it is given, and what a call of it gives."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from langgraph.runtime import RunControl
from pydantic import BaseModel, ConfigDict

from cli.mcp_server.progress import Progress
from cli.thread_kind import resume_line
from configs.loading import load_settings
from configs.settings import Settings

Given = TypeVar("Given", bound="Arguments")


class Arguments(BaseModel):
    """Base of what tools are given: nothing beside its fields, and no text taken for a number."""

    model_config = ConfigDict(extra="forbid", strict=True)


@dataclass(frozen=True)
class Site:
    """What is fixed when the server starts, and no client can change.

    Attributes:
        root: directory all calls are about, resolved.
        model: provider:model; None leaves it to the settings.
        profile: of the settings; None leaves it to them.
    """

    root: Path
    model: str | None = None
    profile: str | None = None

    def settings(self, **chosen: Any) -> Settings:
        """The settings as they are now, so that a change of a file counts from the next call on; blocking.

        Args:
            chosen: further settings by dotted key.

        Raises:
            SettingsError: a source is wrong.
        """
        flags = {"model": self.model, "profile": self.profile, **chosen}
        return load_settings(self.root, flags).settings

    def go_on(self, thread: str) -> str:
        """The command that goes on with a run, from any directory."""
        return resume_line(thread, Namespace(root=str(self.root), model=self.model, profile=self.profile))


@dataclass(frozen=True)
class Call:
    """One call.

    Attributes:
        site: what the server was started with.
        progress: tells the client how it goes on.
        control: asks the run to drain when the call is ended.
    """

    site: Site
    progress: Progress
    control: RunControl = field(default_factory=RunControl)

    def announce(self, thread: str, go_on: str) -> None:
        """Tell how to go on with the run: a client that cancels a call gets no result that would say so."""
        self.progress.tell(f"thread {thread}; if this is cut short, go on with: {go_on}")


@dataclass(frozen=True)
class Outcome:
    """What a call gives.

    Attributes:
        result: structured; fits the tool's output schema.
        text: the same for people.
        failed: True if the run failed, for what it was asked or for what it runs on.
    """

    result: BaseModel
    text: str
    failed: bool = False


@dataclass(frozen=True)
class EngineTool(Generic[Given]):
    """A tool as clients see it.

    Attributes:
        name: by which it is called.
        title: for people.
        description: tells a client's model when to use it, and when not.
        arguments, result: what its input and output schema are made of.
        run: the call itself.
        read_only: True if it leaves nothing behind.
        open_world: True if it may ask servers outside of this machine.
        has_thread: True if a run of it that is cut short can be gone on with.
    """

    name: str
    title: str
    description: str
    arguments: type[Given]
    result: type[BaseModel]
    run: Callable[[Call, Given], Awaitable[Outcome]]
    read_only: bool = False
    open_world: bool = False
    has_thread: bool = True


def waiting_note(what: str, go_on: str) -> str:
    """What is noted in the result of a run that waits for a person.

    Args:
        what: it waits for.
        go_on: the command that goes on with it.
    """
    return f"The run waits for {what}, and nobody is here to give it. A person goes on with: {go_on}"

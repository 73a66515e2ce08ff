"""The commands of a chat: lines that begin with a slash."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import yaml

from cli.live import printable
from configs.errors import UsageError
from configs.keys import dotted, known_keys
from configs.settings import ApprovalChoice, ProfileName, Strategy

if TYPE_CHECKING:
    from cli.chat_session import Chat
    from nodes.reflective.state import ReasoningState

Doing = Awaitable[int | None]


@dataclass(frozen=True)
class SlashCommand:
    """One command.

    Attributes:
        name: without the slash.
        argument: what may follow, for people.
        help: what it does, one line.
        run: does it; gives an exit code, or None for 0.
        values: what the argument may be, for completion.
    """

    name: str
    argument: str
    help: str
    run: Callable[[Chat, str], Doing]
    values: Callable[[Chat], Iterable[str]] = lambda _: ()


async def obey(chat: Chat, line: str) -> int:
    """Do what a line asks; gives an exit code.

    Raises:
        UsageError: there is no such command, or it cannot do that.
    """
    name, _, argument = line.removeprefix("/").strip().partition(" ")
    command = COMMANDS.get(name)
    if command is None:
        near = difflib.get_close_matches(name, COMMANDS, n=1)
        meant = f"Did you mean /{near[0]}? " if near else ""
        raise UsageError(
            f"There is no command /{name}.",
            f"{meant}/help lists them; a question may begin with a space instead.",
        )
    return await command.run(chat, argument.strip()) or 0


def completions(chat: Chat, text: str) -> Iterator[tuple[str, int]]:
    """Ways to go on from what stands before the cursor, and how many characters they replace."""
    if not text.startswith("/") or "\n" in text:
        return
    name, space, argument = text[1:].partition(" ")
    if not space:
        yield from ((f"/{known}", len(text)) for known in COMMANDS if known.startswith(name))
    elif name in COMMANDS:
        for value in COMMANDS[name].values(chat):
            if value.startswith(argument):
                yield value, len(argument)


async def _help(chat: Chat, argument: str) -> None:
    width = max(len(f"/{one.name} {one.argument}") for one in COMMANDS.values())
    for one in dict.fromkeys(COMMANDS.values()):
        chat.tell(f"  {f'/{one.name} {one.argument}':{width}}  {one.help}")
    chat.tell(
        "Anything else is a question or a task. A line that ends in \\ goes on, and so does a text that\n"
        "opens ```; Alt-Enter begins another line. Arrows bring back earlier lines, Ctrl-R searches them,\n"
        "Tab completes."
    )


async def _thread(chat: Chat, argument: str) -> None:
    await chat.enter(argument or chat.thread)


async def _new(chat: Chat, argument: str) -> None:
    from cli.chat_command import new_thread

    await chat.enter(argument or new_thread())


async def _threads(chat: Chat, argument: str) -> None:
    from cli.threads_command import write_list
    from memory.threads import describe_threads

    found = await describe_threads(chat.choices.root, chat.choices.loaded().settings)
    chat.threads = [summary.thread for summary in found]
    write_list(found)


async def _resume(chat: Chat, argument: str) -> int:
    if argument:
        await chat.enter(argument)
    moment = await chat.newest()
    if moment is not None and not moment.next and not moment.waiting:
        chat.tell("Nothing is left to do here; this is what came of it.", style="dim")
    return await chat.go_on()


async def _again(chat: Chat, argument: str) -> int:
    state = await _state(chat)
    return await chat.ask(chat.last_goal or state.said or state.goal)


async def _history(chat: Chat, argument: str) -> None:
    state = await _state(chat)
    for turn in state.turns:
        sys.stdout.write(f"> {printable(turn.goal)}\n  {printable(turn.answer)}\n  ({turn.status})\n")
    if not state.turns:
        chat.tell("Nothing was answered in this thread yet.")


async def _steps(chat: Chat, argument: str) -> None:
    from cli.history_command import read_history, write_history

    root, settings = chat.choices.root, chat.choices.loaded().settings
    write_history(await read_history(root, settings, chat.thread))


async def _fork(chat: Chat, argument: str) -> None:
    from cli.fork_command import fork_into, fork_name
    from graph.forking import parse_changes

    at, _, changes = argument.partition(" ")
    if not at:
        raise UsageError("A fork begins at a step.", "/steps shows their numbers; then /fork NUMBER.")
    root, settings = chat.choices.root, chat.choices.loaded().settings
    target = fork_name(chat.thread)
    moment = await fork_into(root, settings, chat.thread, at, target, parse_changes(changes.split()))
    chat.tell(f"Step {moment.step} of {chat.thread} is copied; that thread stays as it is.")
    await chat.enter(target)


async def _model(chat: Chat, argument: str) -> None:
    if argument:
        chat.choices = chat.choices.with_(model=argument)
    chat.tell(f"model {chat.choices.loaded().settings.model or 'chosen at each run: Ollama, else embedded'}")


async def _strategy(chat: Chat, argument: str) -> None:
    if argument:
        chat.choices = chat.choices.with_(strategy=argument)
    chat.tell(f"strategy {chat.choices.loaded().settings.reasoning.strategy}")


async def _profile(chat: Chat, argument: str) -> None:
    if argument:
        chat.choices = chat.choices.with_(profile=argument)
    chat.tell(f"profile {chat.choices.loaded().settings.profile}")


async def _approval(chat: Chat, argument: str) -> None:
    if argument:
        chat.choices = chat.choices.with_(approval=argument.replace("-", "_"))
    chat.tell(f"approval {chat.choices.loaded().settings.tools.approval}")


async def _settings(chat: Chat, argument: str) -> None:
    key, _, text = argument.partition(" ")
    if text:
        try:
            value = yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise UsageError(f"{text!r} is no value.", "Write it as in a settings file.") from error
        if not isinstance(value, str | int | float | bool):
            raise UsageError(f"{text!r} is no single value.", "Set lists and sections in a settings file.")
        chat.choices = chat.choices.with_setting(key, value)
    from configs.layers import leaves
    from configs.redaction import shown

    loaded = chat.choices.loaded()
    rows = {dotted(place): value for place, _, value in leaves(loaded.settings)}
    named = {
        name: value for name, value in rows.items() if not key or name == key or name.startswith(f"{key}.")
    }
    if not named:
        near = difflib.get_close_matches(key, rows, n=1)
        raise UsageError(f"There is no setting {key!r}.", f"Did you mean {near[0]}?" if near else "")
    for name, value in named.items():
        chat.tell(f"  {name} = {shown(name, value)}  ({loaded.origins.get(name, 'default')})")


async def _trace(chat: Chat, argument: str) -> None:
    from cli.trace_command import session_of
    from cli.trace_text import text_of
    from configs.locations import located

    directory = located(chat.choices.root, chat.choices.loaded().settings.traces.path)
    sys.stdout.write(text_of(session_of(directory, chat.thread)))


async def _evidence(chat: Chat, argument: str) -> None:
    state = await _state(chat)
    for item in state.evidence:
        how = f"$ {item.command}  (exit {item.returncode})" if item.source == "tool" else "computed by code"
        sys.stdout.write(printable(f"{how}\n{item.text.rstrip()}\n"))
    if not state.evidence:
        chat.tell("The last answer rests on nothing a tool showed.")


async def _why(chat: Chat, argument: str) -> None:
    from cli.chat_why import why

    sys.stdout.write(printable("\n".join(why(await _state(chat)))) + "\n")


async def _clear(chat: Chat, argument: str) -> None:
    if sys.stdout.isatty():
        sys.stdout.write("\x1b[2J\x1b[3J\x1b[H")
        sys.stdout.flush()


async def _quit(chat: Chat, argument: str) -> None:
    chat.leaving = True


async def _state(chat: Chat) -> ReasoningState:
    from nodes.reflective.state import ReasoningState

    moment = await chat.newest()
    if moment is None:
        raise UsageError("Nothing was asked in this thread yet.", "Ask something first.")
    return ReasoningState.model_validate(moment.values)


def _threads_known(chat: Chat) -> Iterable[str]:
    return chat.threads


COMMANDS: dict[str, SlashCommand] = {
    command.name: command
    for command in (
        SlashCommand("help", "", "this list", _help),
        SlashCommand(
            "thread", "[NAME]", "where this thread stands, or go over to another", _thread, _threads_known
        ),
        SlashCommand("new", "[NAME]", "begin a new thread", _new),
        SlashCommand("threads", "", "the threads of this project", _threads),
        SlashCommand(
            "resume", "[NAME]", "go on with what was stopped, killed, or waits", _resume, _threads_known
        ),
        SlashCommand("again", "", "ask the last question again", _again),
        SlashCommand("history", "", "what was asked and answered in this thread", _history),
        SlashCommand("steps", "", "the steps of this thread, each of which can be forked", _steps),
        SlashCommand("fork", "STEP [FIELD=VALUE]", "go on from a step in a new thread", _fork),
        SlashCommand("why", "", "how the last answer came about", _why),
        SlashCommand("evidence", "", "what the last answer rests on, whole", _evidence),
        SlashCommand("trace", "", "everything this thread decided, did and found", _trace),
        SlashCommand(
            "model", "[P:M]", "show or change the model", _model, lambda _: ("ollama:", "embedded", "openai:")
        ),
        SlashCommand(
            "strategy", "[S]", "show or change the strategy", _strategy, lambda _: get_args(Strategy)
        ),
        SlashCommand(
            "profile", "[P]", "show or change the profile", _profile, lambda _: get_args(ProfileName)
        ),
        SlashCommand(
            "approval",
            "[CHOICE]",
            "before a change: ask, yes makes it, dry_run only shows it",
            _approval,
            lambda _: get_args(ApprovalChoice),
        ),
        SlashCommand(
            "settings",
            "[KEY [VALUE]]",
            "show settings, or change one for this chat",
            _settings,
            lambda _: (dotted(key) for key in known_keys()),
        ),
        SlashCommand("clear", "", "clear the screen", _clear),
        SlashCommand("quit", "", "end the chat, as /exit and Ctrl-D do", _quit),
    )
}
COMMANDS |= {"exit": COMMANDS["quit"]}

"""`reflect play GAME`: the proof game; a player proposes moves, code proves, an answer carries its proof.

Exit codes: 0 the answer was accepted, also one that the tutor composed of what the player had proved (its
claims went through the same proof; `ended` in the JSON tells the two apart); 1 the game is lost; 2 an
environment or usage error; 3 interrupted, and the message says how to go on.

With --verify: 0 all of it was proved again; 1 something is wrong with the game; 2 it could not be read.
"""

from __future__ import annotations

import argparse
import asyncio
import shlex
import sys
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.play_arguments import check_arguments

if TYPE_CHECKING:
    from cli.play_running import PlayedGame, Playing

EXIT_BY_STATUS = {"won": 0, "lost": 1}
EXIT_ENVIRONMENT = 2
# What a game is gone on with: all that is not in its state.
KEPT = ("root", "model", "profile", "player", "export", "html", "watch", "json", "quiet")
HANDED_ON = ("root", "model", "profile", "json", "quiet")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("play", help="the proof game: a player proposes, code proves")
    parser.add_argument("game", nargs="?", metavar="GAME", help="B01 to B10; --list names them")
    parser.add_argument("--seed", metavar="N", help="of the game: other names, numbers, decoys (default: 0)")
    parser.add_argument("--goal", metavar="TEXT", help="a game of your own, about the files of --root")
    parser.add_argument(
        "--claim", action="append", metavar="JSON",
        help="with --goal: a claim that answers it; fields left out, or null, have to be found",
    )  # fmt: skip
    parser.add_argument("--list", action="store_true", help="list the games")
    parser.add_argument(
        "--verify", metavar="FILE", help="prove an exported game again, and say what is wrong"
    )
    parser.add_argument(
        "--model", metavar="P:M", help="ollama:NAME, embedded, embedded:FILE.gguf, openai:NAME, scripted:FILE"
    )
    parser.add_argument("--player", choices=("model", "me"), help="who moves (default: model)")
    parser.add_argument(
        "--arm", choices=("none", "menu", "cards", "all"), help="help for the player (default: none)"
    )
    parser.add_argument("--turns", metavar="N", help="turns at most (default: the game's own)")
    parser.add_argument("--watch", action="store_true", help="show each turn whole as it goes")
    parser.add_argument("--export", metavar="F.json", help="write the game, which --verify proves again")
    parser.add_argument("--html", metavar="F.html", help="write the game as one page that loads nothing")
    parser.add_argument("--thread", metavar="ID", help="name of the run")
    parser.add_argument("--resume", metavar="ID", help="go on with a game that was interrupted")
    parser.add_argument("--root", default=".", metavar="DIR", help="project that keeps settings and threads")
    parser.add_argument("--profile", metavar="P", help="safe, dev or sovereign")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """List, verify or play; the exit codes are those of the module."""
    check_arguments(arguments)
    if arguments.list:
        from cli.play_list import print_games

        return print_games(as_json=arguments.json)
    if arguments.verify is not None:
        from cli.play_verify import verify_file

        return verify_file(Path(arguments.verify), as_json=arguments.json, quiet=arguments.quiet)
    return _play(arguments)


def _play(arguments: argparse.Namespace) -> int:
    from cli.ask_command import ended_at_once_by_ctrl_c
    from cli.play_place import project_of
    from configs.errors import GameInterrupted, RunEnded
    from configs.root import resolve_root

    files = resolve_root(arguments.root)
    thread = arguments.resume or arguments.thread or f"play-{uuid.uuid4().hex[:12]}"
    go_on = resume_line(thread, arguments)
    with ended_at_once_by_ctrl_c():
        from cli.play_arguments import start_of

        start = None if arguments.resume else start_of(arguments, str(files))
        playing = _playing(arguments, project_of(arguments, files), thread, go_on)
    if not arguments.quiet:
        sys.stderr.write(f"If this is cut short, go on with: {go_on}\n")
        sys.stderr.flush()
    try:
        played = asyncio.run(playing.to_the_end(start))
    except RunEnded as error:
        raise GameInterrupted(error.what, error.remedy) from error
    except KeyboardInterrupt:
        raise GameInterrupted("The game was interrupted.", f"Go on with: {go_on}") from None
    return _told(arguments, played, thread)


def _playing(arguments: argparse.Namespace, root: Path, thread: str, go_on: str) -> Playing:
    from cli.play_live import view_of
    from cli.play_person import at_terminal
    from cli.play_running import Playing
    from configs.loading import load_settings
    from nodes.reflective.context import RunContext

    chosen = chosen_of(arguments)
    short = {name: given for name in ("model", "profile") if (given := getattr(arguments, name))}
    settings = load_settings(root, {**chosen, **short}).settings
    context = RunContext(root=str(root), model=arguments.model, profile=arguments.profile, settings=chosen)
    person = at_terminal if arguments.player == "me" else None
    view = view_of(quiet=arguments.quiet, watch=arguments.watch, person=person is not None)
    return Playing(context, thread, settings, go_on, view, quiet=arguments.quiet, person=person)


def _told(arguments: argparse.Namespace, played: PlayedGame, thread: str) -> int:
    """Write the files, print the result; both are done, whichever of them fails."""
    from cli.play_files import write_files
    from cli.play_output import print_result, result_of

    try:
        write_files(arguments, played)
    finally:
        print_result(result_of(played, thread), as_json=arguments.json)
    failure = played.state.failure
    if failure is not None and failure.environmental:
        return EXIT_ENVIRONMENT
    return EXIT_BY_STATUS.get(played.state.status, EXIT_ENVIRONMENT)


def resuming(arguments: argparse.Namespace) -> argparse.Namespace:
    """What `reflect resume` was given, as if `reflect play --resume` had been."""
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    # No name is read as an option: it stands behind a sign of equality.
    given = parser.parse_args(["play", f"--resume={arguments.thread}"])
    for name in HANDED_ON:
        setattr(given, name, getattr(arguments, name))
    return given


def resume_line(thread: str, arguments: argparse.Namespace) -> str:
    """The command that goes on with a game, with the choices it was begun with."""
    words = ["reflect", "play", f"--resume={thread}"]
    for name in KEPT:
        given = getattr(arguments, name)
        if given is True:
            words.append(f"--{name}")
        elif given is not None and given is not False and (name, given) != ("root", "."):
            words.append(f"--{name}={given}")
    return shlex.join(words)


def chosen_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The flags that are settings, by dotted key."""
    named = {"tutor.arm": arguments.arm, "tutor.most_turns": arguments.turns and int(arguments.turns)}
    if arguments.player is not None:
        named["tutor.player"] = "person" if arguments.player == "me" else "model"
    return {key: value for key, value in named.items() if value is not None}

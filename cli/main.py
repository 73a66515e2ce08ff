"""The `reflect` command. Heavy imports stay inside the subcommands, so `--help` starts at once."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from cli import ask_command, config_command, doctor_command, graph_command

EXIT_INTERRUPTED = 130
EXIT_ENVIRONMENT = 2


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(
        prog="reflect",
        description="Ask about files, code and documents; the answer rests on what tools showed.",
        epilog="Exit codes: 0 answered, 1 could not answer, 2 environment or usage error, 130 interrupted.",
    )
    subparsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in (ask_command, doctor_command, graph_command, config_command):
        command.add_parser(subparsers)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; expected errors become one message on stderr and exit code 2."""
    arguments = parser().parse_args(argv)
    quiet_environment()
    from configs.errors import ReflectError

    try:
        return int(arguments.run(arguments))
    except ReflectError as error:
        print(f"reflect: {error.what}\n{error.remedy}".rstrip(), file=sys.stderr)  # noqa: T201  # a command's messages go to stderr
        return error.exit_code
    except KeyboardInterrupt:
        print("reflect: interrupted", file=sys.stderr)  # noqa: T201  # as above
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`reflect ... | head`); keep Python from complaining again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_ENVIRONMENT


def quiet_environment() -> None:
    """No tracing and no telemetry, whatever the libraries' defaults are; an explicit setting wins."""
    for name, value in (
        ("LANGSMITH_TRACING", "false"),
        ("LANGGRAPH_NO_VERSION_CHECK", "1"),
        ("ANONYMIZED_TELEMETRY", "false"),
    ):
        os.environ.setdefault(name, value)


if __name__ == "__main__":
    sys.exit(main())

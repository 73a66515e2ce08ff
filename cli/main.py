"""The `reflect` command. Heavy imports stay inside the subcommands, so `--help` starts at once."""

from __future__ import annotations

import argparse
import gc
import io
import os
import signal
import sys
from collections.abc import Sequence

from cli import (
    ask_command,
    audit_command,
    auto_command,
    batch_command,
    chat_command,
    check_command,
    collective_command,
    config_command,
    console_command,
    doctor_command,
    eval_command,
    experience_command,
    fork_command,
    graph_command,
    history_command,
    mcp_command,
    play_command,
    research_command,
    resume_command,
    specialists_command,
    status_command,
    think_command,
    threads_command,
    trace_command,
    trash_command,
)

COMMANDS = (
    ask_command,
    auto_command,
    batch_command,
    chat_command,
    research_command,
    think_command,
    play_command,
    audit_command,
    collective_command,
    specialists_command,
    check_command,
    resume_command,
    status_command,
    history_command,
    fork_command,
    threads_command,
    trace_command,
    trash_command,
    experience_command,
    doctor_command,
    graph_command,
    config_command,
    eval_command,
    mcp_command,
    console_command,
)
EXIT_INTERRUPTED = 130
EXIT_ENVIRONMENT = 2
# Objects made before Python looks for cycles among them. Those of a start are modules, and stay: at Python's
# own 700, half a second of `reflect mcp` and a quarter of `reflect ask` went into looking through them.
COLLECT_AFTER = 20_000


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(
        prog="reflect",
        description="Ask about files, code and documents; the answer rests on what tools showed.",
        epilog="Exit codes: 0 answered, 1 could not answer, 2 environment or usage error, "
        "3 waiting for an approval or an answer, or a game that was interrupted, 130 interrupted.",
    )
    subparsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add_parser(subparsers)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; expected errors become one message on stderr and exit code 2."""
    arguments = parser().parse_args(argv)
    quiet_environment()
    tolerant_output()
    from configs.errors import ReflectError

    try:
        code = int(arguments.run(arguments))
        # Here a write that fails can still be told; at exit Python would only complain.
        sys.stdout.flush()
        return code
    except ReflectError as error:
        print(f"reflect: {error.what}\n{error.remedy}".rstrip(), file=sys.stderr)  # noqa: T201  # a command's messages go to stderr
        return error.exit_code
    except KeyboardInterrupt:
        print("reflect: interrupted", file=sys.stderr)  # noqa: T201  # as above
        return EXIT_INTERRUPTED
    except (BrokenPipeError, SystemExit):
        # The reader went away (`reflect ... | head`), which rich turns into SystemExit(1).
        discard_output()
        return EXIT_ENVIRONMENT
    except OSError as error:
        print(f"reflect: {error}", file=sys.stderr)  # noqa: T201  # as above
        discard_output()
        return EXIT_ENVIRONMENT


def tolerant_output() -> None:
    """Let stdout show what its encoding cannot hold as escapes, as stderr does, instead of failing."""
    if sys.stdout is None:
        # The caller closed it (`>&-`).
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def discard_output() -> None:
    """Keep Python from complaining again at exit about output that cannot be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def quiet_environment() -> None:
    """No tracing and no telemetry, whatever the libraries' defaults are; an explicit setting wins."""
    for name, value in (
        ("LANGSMITH_TRACING", "false"),
        ("LANGGRAPH_NO_VERSION_CHECK", "1"),
        ("ANONYMIZED_TELEMETRY", "false"),
        ("ORT_DISABLE_TELEMETRY", "1"),
    ):
        os.environ.setdefault(name, value)


def command() -> int:
    """The process `reflect`: a quick start, one command, then a quick end."""
    # Ignored signals are inherited, and with this one the system forgets how each program ended.
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    gc.set_threshold(COLLECT_AFTER, *gc.get_threshold()[1:])
    code = main()
    # At exit Python looks through every object of every import for cycles to collect: a quarter of a second
    # for memory the system takes back anyway. Frozen objects are not looked through.
    gc.freeze()
    return code


if __name__ == "__main__":
    sys.exit(command())

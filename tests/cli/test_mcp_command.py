from __future__ import annotations

from pathlib import Path

import pytest

from cli.main import parser
from tests.cli.conftest import Reflect


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--root", "nowhere"], "does not exist"),
        (["--port", "8000"], "--port given without --http"),
        (["--host", "0.0.0.0", "--token-env", "X"], "--host, --token-env given without --http"),
        (["--http", "--host", "0.0.0.0"], "nothing would keep them out"),
        (["--http", "--token-env", "NO_SUCH_VARIABLE"], "holds no token"),
        (["--profile", "reckless"], "profile"),
    ],
)
def test_what_cannot_be_served_is_one_message_before_anything_runs(
    reflect: Reflect, project: Path, flags: list[str], told: str
) -> None:
    ran = reflect("mcp", *(flags if "--root" in flags else ["--root", str(project), *flags]))
    assert ran.code == 2 and told in ran.err and ran.out == "" and "Traceback" not in ran.err


@pytest.mark.parametrize("port", ["-1", "65536", "http", "1.5", "²"])
def test_a_port_is_a_number_that_a_port_can_have(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args(["mcp", "--http", f"--port={port}"])
    assert "65535" in capsys.readouterr().err

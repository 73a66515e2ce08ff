"""An OTLP/HTTP server that writes down what it is sent: a line of JSON for each request.

`python -m tests.support.otlp_receiver LOG [--status N] [--redirect URL] [--stall SECONDS]` starts it; its
first line of output is its port. A request is decoded with OpenTelemetry's own protobuf classes.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.support.processes import ROOT, stop

SIGNALS = {"/v1/traces": ExportTraceServiceRequest, "/v1/metrics": ExportMetricsServiceRequest}


@dataclass(frozen=True)
class Received:
    """A server and the log of what it was sent."""

    address: str
    log: Path

    def requests(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def spans(self) -> list[dict[str, Any]]:
        return [
            span
            for request in self.requests()
            for resource in request["body"].get("resourceSpans", [])
            for scope in resource["scopeSpans"]
            for span in scope["spans"]
        ]

    def metric_names(self) -> set[str]:
        return {
            metric["name"]
            for request in self.requests()
            for resource in request["body"].get("resourceMetrics", [])
            for scope in resource["scopeMetrics"]
            for metric in scope["metrics"]
        }


@contextlib.contextmanager
def receiver(log: Path, *options: str) -> Iterator[Received]:
    """A running server, with options of this module's command line."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.otlp_receiver", str(log), *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield Received(f"http://127.0.0.1:{int(process.stdout.readline())}", log)
    finally:
        stop(process)
        if process.stdout is not None:
            process.stdout.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("log", type=Path)
    parser.add_argument("--status", type=int, default=200)
    parser.add_argument("--redirect", default="")
    parser.add_argument("--stall", type=float, default=0.0)
    options = parser.parse_args()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            time.sleep(options.stall)
            sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            message = SIGNALS.get(self.path, ExportTraceServiceRequest)()
            message.ParseFromString(sent)
            headers = {name.lower(): value for name, value in self.headers.items()}
            with options.log.open("a") as log:
                log.write(
                    json.dumps({"path": self.path, "headers": headers, "body": MessageToDict(message)}) + "\n"
                )
            self.send_response(options.status)
            if options.redirect:
                self.send_header("Location", options.redirect)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        sys.stdout.write(f"{server.server_address[1]}\n")
        sys.stdout.flush()
        server.serve_forever()


if __name__ == "__main__":
    main()

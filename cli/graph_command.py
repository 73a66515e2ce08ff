"""`reflect graph`: the reflective graph as a picture in text."""

from __future__ import annotations

import argparse
import sys


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("graph", help="draw the graph")
    parser.add_argument(
        "--mermaid", action="store_true", help="print Mermaid source instead of a list of edges"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the graph; returns 0."""
    from graph.reflective import workflow

    drawn = workflow.get_graph()
    if arguments.mermaid:
        sys.stdout.write(drawn.draw_mermaid())
        return 0
    for edge in drawn.edges:
        arrow = "..>" if edge.conditional else "-->"
        sys.stdout.write(f"{edge.source.strip('_')} {arrow} {edge.target.strip('_')}\n")
    return 0

"""`reflect graph`: the reflective graph, or one strategy of it, as a picture in text."""

from __future__ import annotations

import argparse
import sys


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("graph", help="draw the graph")
    parser.add_argument(
        "--mermaid", action="store_true", help="print Mermaid source instead of a list of edges"
    )
    parser.add_argument(
        "--strategy",
        metavar="S",
        help="draw loop_v1, graph_v2 or graph_v30 (default: the one of the settings)",
    )
    parser.add_argument(
        "--root", default=".", metavar="DIR", help="project whose settings say the strategy (default: here)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the graph; returns 0.

    Raises:
        SettingsError: there is no such strategy.
    """
    from configs.loading import load_settings
    from configs.root import resolve_root
    from graph.reflective import build_one

    flags = {"reasoning.strategy": arguments.strategy}
    settings = load_settings(resolve_root(arguments.root), flags).settings
    drawn = build_one(settings.reasoning.strategy).get_graph()
    # Every node may lead to a handler of its errors, and the handler to RESPOND or the end: no edge shows it.
    for name in [name for name in drawn.nodes if "error_handler" in name]:
        drawn.nodes.pop(name)
    if arguments.mermaid:
        sys.stdout.write(drawn.draw_mermaid())
        return 0
    for edge in drawn.edges:
        arrow = "..>" if edge.conditional else "-->"
        sys.stdout.write(f"{edge.source.strip('_')} {arrow} {edge.target.strip('_')}\n")
    return 0

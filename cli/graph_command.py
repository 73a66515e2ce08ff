"""`reflect graph`: one of the graphs, or one strategy of the reflective one, as a picture in text."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

GRAPHS = (
    "reflective",
    "research",
    "contractive",
    "tutor",
    "ensemble",
    "hybrid",
    "hierarchy",
    "specialists",
    "auto",
)
"""As langgraph.json names them."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("graph", help="draw the graph")
    parser.add_argument(
        "--mermaid", action="store_true", help="print Mermaid source instead of a list of edges"
    )
    parser.add_argument(
        "--graph",
        choices=GRAPHS,
        default="reflective",
        help="what `reflect ask`, `research`, `think`, `play` or several engines run (default: reflective)",
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
        UsageError: the graph has no strategies.
    """
    drawn = _graph(arguments).get_graph()
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


def _graph(arguments: argparse.Namespace) -> CompiledStateGraph[Any, Any, Any, Any]:
    from configs.errors import UsageError
    from configs.loading import load_settings
    from configs.root import resolve_root

    if arguments.graph == "reflective":
        from graph.reflective import build_one

        flags = {"reasoning.strategy": arguments.strategy}
        settings = load_settings(resolve_root(arguments.root), flags).settings
        return build_one(settings.reasoning.strategy)
    if arguments.strategy is not None:
        raise UsageError(f"The graph {arguments.graph} has no strategies.", "Leave out --strategy.")
    workflow: CompiledStateGraph[Any, Any, Any, Any] = import_module(f"graph.{arguments.graph}").workflow
    return workflow

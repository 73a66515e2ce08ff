"""Large observations: the graph in a checkpoint holds where they are, the content store what they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memory.content_store import ContentStore
from memory.errors import ContentLost
from nodes.tutor.parsing import dumped
from nodes.tutor.proof_graph import Node

STORE = "observations"
LARGEST = 8 * 1024
"""Bytes of an observation that stands in the graph itself."""
_BULKY = ("stdout", "stderr", "readings")


def observation_store(place: str) -> ContentStore:
    """The large observations of a game, by their content.

    Args:
        place: the directory that was made for the game.
    """
    return ContentStore(Path(place) / STORE)


def packed(node: Node, store: ContentStore) -> dict[str, Any]:
    """A node as checkpoints hold it: of a large observation its seal, its key, and what is short.

    Raises:
        ContentUnwritable: it cannot be stored.
    """
    data = dumped(node)
    if node.kind == "observation" and len(json.dumps(node.data)) > LARGEST:
        short = {name: value for name, value in node.data.items() if name not in _BULKY}
        short = {name: value for name, value in short.items() if len(json.dumps(value)) <= LARGEST // 4}
        data["data"] = {**short, "seal": node.data["seal"], "key": store.put({"data": node.data})}
    return data


def unpacked(data: dict[str, Any], store: ContentStore) -> Node:
    """A node from a checkpoint, whole again; an observation whose record is lost stays as it is.

    What was changed in the store is lost, too: records are found by their content.
    """
    node = Node.model_validate(data)
    if "key" in node.data and node.kind == "observation":
        try:
            whole = store.get(str(node.data["key"]))["data"]
        except ContentLost as lost:
            node.data["lost"] = lost.what
            return node
        if whole.get("seal") == node.data["seal"]:
            node.data = whole
    return node

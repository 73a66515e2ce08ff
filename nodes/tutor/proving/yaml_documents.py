"""YAML, read as PyYAML's safe loader does, with bounds and with an eye on keys given twice. Pure."""

from __future__ import annotations

from collections import Counter
from typing import Any

import yaml

from nodes.tutor.proving.unclear import doubled

DEEPEST = 64
MOST_MERGED = 1000
MOST_MERGES = 100
_MERGE = "tag:yaml.org,2002:merge"
_Safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Safe):  # type: ignore[misc]  # one of two classes, by how PyYAML was built
    """The safe loader; a key given twice in one mapping has no clear value."""

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Merge what `<<` names.

        Raises:
            yaml.constructor.ConstructorError: merges that multiply what they merge.
        """
        for key, value in node.value:
            if key.tag == _MERGE and len(value.value) > MOST_MERGES and isinstance(value, yaml.SequenceNode):
                raise yaml.constructor.ConstructorError(None, None, "too many merges", node.start_mark)
        merging = any(key.tag == _MERGE for key, _ in node.value)
        super().flatten_mapping(node)
        if merging and len(node.value) > MOST_MERGED:
            raise yaml.constructor.ConstructorError(None, None, "too much is merged", node.start_mark)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, object]:
        """The mapping, with `Unclear` for keys given twice."""
        keys = [self.construct_object(key, deep=True) for key, _ in node.value if key.tag != _MERGE]
        found: dict[Any, object] = super().construct_mapping(node, deep=deep)
        for key, times in Counter(keys).items():
            if times > 1:
                found[key] = doubled(key)
        return found


def read_yaml(text: str) -> object:
    """The one document of a file.

    Raises:
        yaml.YAMLError: it is not well formed, nested too deeply, holds several documents, or an unknown tag.
        ValueError, TypeError, LookupError, AttributeError, RecursionError: PyYAML's own, for odd values.
    """
    depth = 0
    for event in yaml.parse(text, Loader=_Safe):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEEPEST:
            raise yaml.YAMLError("nested too deeply")
    return yaml.load(text, Loader=_Loader)

"""The state of one hierarchy: a contractive tree, and what workers brought. Checkpoints hold it as JSON."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from configs.collective import CollectiveSettings
from nodes.collective.exchange import Edge, Finding
from nodes.collective.state import gathered
from nodes.contractive.state import ContractiveState
from nodes.reflective.state import RoleUsage


class HierarchyState(ContractiveState):
    """Everything a hierarchy knows: all a contractive run does, and more.

    Attributes:
        engine: by which a thread is known as one of this graph.
        shared: the limits all engines of the run share.
        findings: what each worker brought, by the id of its question.
        edges: the tree of questions, from each to its parts.
        usage: model calls of the master and of all workers.
    """

    engine: Literal["hierarchy"] = "hierarchy"
    shared: CollectiveSettings = CollectiveSettings()
    findings: Annotated[dict[str, Finding], gathered] = Field(default_factory=dict)
    edges: list[Edge] = Field(default_factory=list)
    usage: RoleUsage = RoleUsage()

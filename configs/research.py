"""Settings of deep research; `configs/research.yaml` holds the defaults, the table of sources among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache
from importlib.resources import files
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,  # pydantic asks for this one below Python 3.12
)

import yaml
from pydantic import Field, field_validator
from typing_extensions import TypedDict

from configs.mcp import McpConnection
from configs.section import Address, Ceiling, Location, Reserved, Section

Mode = Literal["strict", "discovery", "monitor"]
Tier = Annotated[int, Field(strict=True, ge=1, le=5)]


class SourceTier(TypedDict):
    """How far a source is trusted: tier 1 (official) to 5 (social), and what kind it is.

    `domains` are its hosts; `folders` are patterns of paths below a searched folder that hold its documents.
    """

    tier: Tier
    type: str
    domains: NotRequired[list[str]]
    folders: NotRequired[list[str]]


@cache
def shipped() -> Mapping[str, Any]:
    """`configs/research.yaml`."""
    loaded: dict[str, Any] = yaml.safe_load((files("configs") / "research.yaml").read_text("utf-8"))
    return loaded


def _default(name: str) -> Callable[[], Any]:
    # A copy: what is read from settings may be changed, the shipped table may not.
    return lambda: deepcopy(shipped()[name])


class ModeSettings(Section):
    """Which sources a mode accepts."""

    max_tier: int | None = Field(
        None, ge=1, le=5, description="Sources of a higher tier, and unknown ones, are dropped."
    )
    compare_tiers: tuple[int, ...] = Field((), description="Tiers that are set against one another.")


class ModeConfigs(Section):
    """The three modes."""

    strict: ModeSettings = Field(default_factory=lambda: _mode("strict"))
    discovery: ModeSettings = Field(default_factory=lambda: _mode("discovery"))
    monitor: ModeSettings = Field(default_factory=lambda: _mode("monitor"))


def _mode(name: Mode) -> ModeSettings:
    return ModeSettings.model_validate(shipped()["mode_configs"][name])


class McpServer(McpConnection):
    """A server of the Model Context Protocol with a tool that searches; `--corpus mcp:NAME` names it."""

    tool: str = Field("search", description="Name of the tool that searches.")
    query: str | None = Field(
        None, description="Its argument for the query; unset: the one its schema leaves no doubt about."
    )
    fetch: str | None = Field(
        None, description="Name of a tool that gives a result's whole text by its `id`."
    )


class SearchSettings(Section):
    """Where documents come from. Nothing is asked of a network unless it is allowed here."""

    web: bool = Field(
        False, description="Allow searches that leave this machine; never in profile sovereign."
    )
    searxng_url: Annotated[str | None, Address("searches")] = Field(
        None, description="Address of a SearXNG server with JSON output."
    )
    pages: bool = Field(True, description="Read the pages a web search names, instead of its snippets.")
    private_addresses: Annotated[bool, Ceiling((False, True))] = Field(
        False, description="Read pages at addresses of this machine and its network, too."
    )
    mcp: Annotated[dict[str, McpServer], Reserved("its program would run, or its server be asked")] = Field(
        default_factory=dict, description="Servers of the Model Context Protocol, by names of your choice."
    )
    timeout: float = Field(20.0, gt=0, le=600, description="Seconds one search of a server may take.")
    index: Annotated[str, Location()] = Field(
        ".reflect/research", description="Where folders are indexed; relative to the root."
    )
    embedder: Literal["auto", "e5", "minilm", "none"] = Field(
        "auto",
        description="What passages are compared with besides their words: multilingual-e5-small where a text "
        "is not in English and it runs here (auto), one of the two, or nothing.",
    )
    most_embedded: int = Field(
        48, ge=0, le=100_000, description="Passages one search embeds at most; the next ones go on."
    )
    max_document_chars: int = Field(
        60_000_000, ge=1000, description="Characters read of one document; what is left out is told."
    )
    max_file_mb: int = Field(200, ge=1, description="A PDF or DOCX file larger than this is told, not read.")


class ResearchSettings(Section):
    """How deep research runs."""

    enabled: bool = Field(
        default_factory=_default("enabled"), description="Off: ranked search results instead of a report."
    )
    max_iterations: int = Field(
        default_factory=_default("max_iterations"), ge=1, le=20, description="Rounds of analyst and critic."
    )
    max_searches: int = Field(
        default_factory=_default("max_searches"), ge=0, le=20, description="Rounds of searching for gaps."
    )
    max_rewrites: int = Field(
        default_factory=_default("max_rewrites"), ge=0, le=20, description="Times a draft is revised."
    )
    analyst_timeout: float = Field(
        default_factory=_default("analyst_timeout"), gt=0, le=3600, description="Seconds one draft may take."
    )
    critic_timeout: float = Field(
        default_factory=_default("critic_timeout"), gt=0, le=3600, description="Seconds one review may take."
    )
    writer_timeout: float = Field(
        default_factory=_default("writer_timeout"), gt=0, le=3600, description="Seconds one report may take."
    )
    iterations: Annotated[str, Location()] = Field(
        "data/reasoning/iterations", description="Where each query's logs go; relative to the root."
    )
    source_tiers: dict[str, SourceTier] = Field(
        default_factory=_default("source_tiers"),
        description="Names and domains of sources; laid over the shipped table.",
    )
    mode_configs: ModeConfigs = Field(default_factory=ModeConfigs)
    search: SearchSettings = SearchSettings()

    @field_validator("source_tiers", mode="before")
    @classmethod
    def _over_shipped(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        return {**deepcopy(shipped()["source_tiers"]), **{str(name): value for name, value in given.items()}}

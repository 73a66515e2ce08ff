"""What a caller chooses for a run. Studio shows it as a form; unset fields come from the settings."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from configs.settings import ApprovalChoice, ProfileName, Strategy


class RunContext(BaseModel):
    """Choices of one run.

    Attributes:
        root: directory the goal is about.
        model: provider:model for every role that names none.
        profile: what tools and models are allowed.
        strategy: wiring of the nodes.
        approval: what happens before a change of files.
        settings: further settings by dotted key, e.g. {"graph.max_iterations": 20}.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    root: str = Field(".", description="Directory the goal is about.")
    model: str | None = Field(None, description="provider:model, e.g. ollama:qwen2.5:7b or embedded.")
    profile: ProfileName | None = Field(None, description="safe, dev or sovereign.")
    strategy: Strategy | None = Field(None, description="Wiring of the nodes.")
    approval: ApprovalChoice | None = Field(
        None, description="Before a change: ask, make it (yes), or only show it (dry_run)."
    )
    settings: dict[str, str | int | float | bool] = Field(
        default_factory=dict, description="Further settings by dotted key."
    )

    def flags(self) -> dict[str, object]:
        """The choices as settings flags by dotted key."""
        chosen = {
            "model": self.model,
            "profile": self.profile,
            "reasoning.strategy": self.strategy,
            "tools.approval": self.approval,
        }
        return {**self.settings, **{key: value for key, value in chosen.items() if value is not None}}

"""What a chat runs with: root, model, profile, strategy, approval, settings. Each can change between runs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from configs.loading import LoadedSettings, load_settings
from configs.settings import Settings
from nodes.reflective.context import RunContext


@dataclass(frozen=True)
class Choices:
    """The choices of the runs to come; None leaves one to the settings' files.

    Attributes:
        root: directory the goals are about, resolved.
        model, profile, strategy, approval: as the flags of `reflect ask`.
        settings: further settings by dotted key.
    """

    root: Path
    model: str | None = None
    profile: Any = None
    strategy: Any = None
    approval: Any = None
    settings: dict[str, str | int | float | bool] = field(default_factory=dict)

    def with_(self, **changed: Any) -> Choices:
        """These choices with some of them changed, if what comes out can be run.

        Raises:
            ReflectError: it cannot.
        """
        made = replace(self, **changed)
        made.check()
        return made

    def with_setting(self, key: str, value: Any) -> Choices:
        """These choices with one setting changed; raises as `with_` does."""
        return self.with_(settings={**self.settings, key: value})

    def context(self) -> RunContext:
        """What a run of the graph is given."""
        return RunContext(
            root=str(self.root),
            model=self.model,
            profile=self.profile,
            strategy=self.strategy,
            approval=self.approval,
            settings=self.settings,
        )

    def loaded(self) -> LoadedSettings:
        """The settings that come of it.

        Raises:
            SettingsError: a value is refused.
        """
        chosen = {
            "model": self.model,
            "profile": self.profile,
            "reasoning.strategy": self.strategy,
            "tools.approval": self.approval,
        }
        # Later keys win in a mapping as flags do in a run's context.
        return load_settings(
            self.root, {**self.settings, **{k: v for k, v in chosen.items() if v is not None}}
        )

    def check(self) -> Settings:
        """The settings, once the model they name is one that the profile allows.

        Raises:
            SettingsError: a value is refused.
            ModelError: the model's name means nothing, or the profile forbids it.
        """
        from models.identifiers import ModelId
        from models.profile_rules import check_models_allowed
        from models.selection import ModelChoice

        settings = self.loaded().settings
        if settings.model:
            check_models_allowed(settings, ModelChoice(ModelId.parse(settings.model), "as set"))
        return settings

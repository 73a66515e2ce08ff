"""What a caller chooses for a run. Studio shows it as a form; unset fields come from the settings."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from configs.settings import ApprovalChoice, ProfileName, Strategy
from nodes.reflective.settings_form import chosen, form_properties

SHORT_NAMES = {
    "model": "model",
    "profile": "profile",
    "strategy": "reasoning.strategy",
    "approval": "tools.approval",
}
"""Settings that are chosen so often that they have a field of their own."""


class RunContext(BaseModel):
    """Choices of one run. Every setting can be given by its dotted key as well, as the form does.

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
    model: str | None = None
    profile: ProfileName | None = None
    strategy: Strategy | None = None
    approval: ApprovalChoice | None = None
    settings: dict[str, Any] = Field(
        default_factory=dict, description="Settings by dotted key, for callers that have them in one mapping."
    )

    @model_validator(mode="before")
    @classmethod
    def _gathered(cls, given: Any) -> Any:
        """Settings that stand beside the fields go into `settings`; what is in neither is an error."""
        if not isinstance(given, dict):
            return given
        fields = {name: value for name, value in given.items() if name in cls.model_fields}
        fields |= {name: None for name in SHORT_NAMES if fields.get(name) == ""}
        beside = {name: value for name, value in given.items() if name not in cls.model_fields}
        unknown = {name: value for name, value in beside.items() if name not in form_properties()}
        named = fields.get("settings")
        if isinstance(named, dict) or named is None:
            fields["settings"] = dict(chosen(beside)) | (named or {})
        return fields | unknown

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """The fields, and a property for each setting that has no field of its own."""
        schema = handler.resolve_ref_schema(handler(core_schema))
        form = form_properties()
        fields = {name: value for name, value in schema["properties"].items() if name not in SHORT_NAMES}
        short = {name: form[key] | {"title": name} for name, key in SHORT_NAMES.items()}
        others = {name: value for name, value in form.items() if name not in SHORT_NAMES.values()}
        settings = fields.pop("settings")
        schema["properties"] = {**fields, **short, **others, "settings": settings}
        return schema

    def flags(self) -> dict[str, object]:
        """The choices as settings flags by dotted key."""
        short = {key: getattr(self, name) for name, key in SHORT_NAMES.items()}
        return {**self.settings, **{key: value for key, value in short.items() if value is not None}}

"""A home and a project on disk, with settings files in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from configs.files import SETTINGS_FILE
from configs.loading import LoadedSettings, load_settings


@dataclass(frozen=True)
class Places:
    home: Path
    root: Path

    @staticmethod
    def under(folder: Path) -> Places:
        places = Places(folder / "home", folder / "project")
        for place in (places.home, places.root):
            (place / SETTINGS_FILE).parent.mkdir(parents=True)
        return places

    @property
    def user_file(self) -> Path:
        return self.home / SETTINGS_FILE

    @property
    def project_file(self) -> Path:
        return self.root / SETTINGS_FILE

    def write_user(self, settings: Mapping[str, Any]) -> None:
        self.user_file.write_text(yaml.safe_dump(dict(settings)), encoding="utf-8")

    def write_project(self, settings: Mapping[str, Any]) -> None:
        self.project_file.write_text(yaml.safe_dump(dict(settings)), encoding="utf-8")

    def load(
        self, flags: Mapping[str, Any] | None = None, env: Mapping[str, str] | None = None
    ) -> LoadedSettings:
        return load_settings(self.root, flags, env or {}, self.home)

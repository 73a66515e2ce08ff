"""How often answers of a raw score are right: the measured table by which a confidence is shown.

`configs/calibration.yaml` holds points (raw score, share of right answers) by group; between two points the
share is interpolated. `python -m evals.calibration` writes it from runs over questions with known answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from configs.errors import SettingsError

FILE = "calibration.yaml"
# A group nobody measured is shown with its raw score.
UNMEASURED = ((0.0, 0.0), (1.0, 1.0))


class Calibration(BaseModel):
    """The table.

    Attributes:
        source: what it was measured on, for people.
        groups: by group, (raw score, share of right answers), both 0 to 1 and rising.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str = ""
    groups: Mapping[str, tuple[tuple[float, float], ...]] = {}

    @model_validator(mode="after")
    def _rising(self) -> Calibration:
        for name, points in self.groups.items():
            flat = [value for point in points for value in point]
            if not points or any(not 0 <= value <= 1 for value in flat):
                raise ValueError(
                    f"group {name!r}: points are two numbers from 0 to 1, and there is at least one"
                )
            for (raw, share), (next_raw, next_share) in pairwise(points):
                if next_raw <= raw or next_share < share:
                    raise ValueError(f"group {name!r}: raw scores must rise, and shares must not fall")
        return self

    def share(self, group: str, raw: float) -> float:
        """The share of right answers at a raw score, 0 to 1; never falling as the score rises.

        Args:
            group: one of the table's groups; of another the raw score itself is the share.
            raw: 0 to 1.
        """
        points = self.groups.get(group, UNMEASURED)
        if raw <= points[0][0]:
            return points[0][1]
        for (low, share), (high, next_share) in pairwise(points):
            if raw <= high:
                return share + (next_share - share) * ((raw - low) / (high - low))
        return points[-1][1]


def parse_calibration(text: str) -> Calibration:
    """A table as YAML.

    Raises:
        SettingsError: it is none.
    """
    try:
        return Calibration.model_validate(yaml.safe_load(text) or {})
    except (yaml.YAMLError, ValidationError) as error:
        raise SettingsError(
            f"configs/{FILE} holds no table of confidences: {error}.",
            "Write it with python -m evals.calibration.",
        ) from error


@lru_cache(maxsize=1)
def load_calibration() -> Calibration:
    """The packaged table, read once; blocking.

    Raises:
        SettingsError: the file holds none.
    """
    return parse_calibration((files("configs") / FILE).read_text("utf-8"))

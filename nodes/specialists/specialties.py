"""The specialists there are."""

from __future__ import annotations

from collections.abc import Mapping

from nodes.specialists.analysis import ANALYSIS
from nodes.specialists.documentation import DOCUMENTATION
from nodes.specialists.security import SECURITY
from nodes.specialists.topics import Specialist, SpecialistName

SPECIALIST_BY_NAME: Mapping[SpecialistName, Specialist] = {
    "security": SECURITY,
    "analysis": ANALYSIS,
    "documentation": DOCUMENTATION,
}

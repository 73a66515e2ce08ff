"""Any question."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from nodes.tutor.observing.questions.comparing import Difference, Trees
from nodes.tutor.observing.questions.contents import Content, Ending, Sizes, Sums
from nodes.tutor.observing.questions.entries import Kinds, Listing, Located
from nodes.tutor.observing.questions.matching import Selected

Question = Annotated[
    Kinds | Listing | Located | Content | Ending | Sizes | Sums | Selected | Difference | Trees,
    Field(discriminator="ask"),
]

"""Errors of the models: a model that cannot be reached, found, or understood.

ModelError
├── ModelIdInvalid      a provider:model text that names none
├── ModelForbidden      the profile does not allow the model
├── ModelUnavailable    the server or engine is not there
├── ModelMissing        the server is there, the model is not
├── ModelTimeout        no reply in time
├── ModelFailed         the call broke: server error, cut stream, engine error
│   └── ModelRequestRefused  the server read the call and refused it (status 400)
├── BudgetSpent         the budget all engines of a run share does not suffice for the call
└── ModelReplyInvalid   the reply does not fit the schema, even after repair and a retry
"""

from __future__ import annotations

from configs.errors import ReflectError
from configs.redaction import without_secrets
from models.usage import Usage


class ModelError(ReflectError):
    """Base of everything that keeps a model from answering.

    What it says is hidden where it is secret: most errors name an address, and that may hold a login.

    Attributes:
        usage: what the calls cost that were made in vain, or None if none was made.
        transient: True if the very same call may succeed a moment later.
    """

    usage: Usage | None = None
    transient: bool = False

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(str(without_secrets("", what)), str(without_secrets("", remedy)))


class ModelIdInvalid(ModelError):
    """The text names no provider and model."""


class ModelForbidden(ModelError):
    """The profile does not allow the model."""


class ModelUnavailable(ModelError):
    """The server refuses connections, or the engine or its weights are not installed."""


class ModelMissing(ModelError):
    """The server does not have the model, or the weights file does not exist."""


class ModelTimeout(ModelError):
    """The reply took longer than the role's timeout."""


class ModelFailed(ModelError):
    """The call broke in the middle, or the server reported an error of its own."""


class ModelRequestRefused(ModelFailed):
    """The server or engine refuses the call as it stands: too long, or an option it does not know."""


class BudgetSpent(ModelError):
    """The call was not made: what all engines of the run share might not suffice for it."""


class ModelReplyInvalid(ModelError):
    """No reply fitted the schema.

    Attributes:
        raw: the last reply.
        usage: what the calls cost; never None.
        cut: characters of the prompts that did not fit the window.
    """

    usage: Usage

    def __init__(self, what: str, remedy: str, raw: str, usage: Usage, cut: int = 0) -> None:
        super().__init__(what, remedy)
        self.raw = raw
        self.usage = usage
        self.cut = cut

"""Every error the console raises on purpose.

ConsoleError
└── NotThere                     there is no such thread, trace or report
"""

from __future__ import annotations

from configs.errors import ReflectError


class ConsoleError(ReflectError):
    """What was asked for cannot be answered."""


class NotThere(ConsoleError):
    """There is no such thing."""

"""Where threads are kept: a SQLite file or a Postgres database, encrypted or not, opened by one factory.

Command line, notebooks, evaluations and `langgraph dev` all open it here, so that a thread begun by one is
gone on with by another. What is heavy (LangGraph's savers, drivers, ciphers) is imported when it is opened.
"""

from memory.checkpoints.opening import (
    Saver,
    allowed_place,
    checkpoint_place,
    open_checkpointer,
    open_project_checkpointer,
    server_checkpointer,
)

__all__ = [
    "Saver",
    "allowed_place",
    "checkpoint_place",
    "open_checkpointer",
    "open_project_checkpointer",
    "server_checkpointer",
]

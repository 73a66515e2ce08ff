"""numpy's products on the thread that asks for them, for every process that embeds.

OpenBLAS stops its own threads whenever the process forks (its `pthread_atfork` handler). LangGraph's server
runs on uvloop, which forks for every program of the sandbox: a product that another thread is in the middle
of then waits for threads that are gone, at full speed and for ever, and so does its run. With one thread
OpenBLAS keeps none of its own. Our matrices have some hundred rows, for which more threads gain nothing.
"""

from __future__ import annotations

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # ships no type information


def keep_to_the_caller() -> None:
    """Have BLAS libraries that are loaded compute without threads of their own, from now on."""
    threadpool_limits(limits=1, user_api="blas")

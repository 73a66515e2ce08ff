"""The Postgres server of evaluations, for tests."""

from evals.postgres_server import PASSWORD, QUOTED, USER, Server, postgres_server, programs

__all__ = ["PASSWORD", "QUOTED", "USER", "Server", "postgres_server", "programs"]

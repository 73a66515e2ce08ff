"""A worker on a Ray cluster: the class of an actor, in which nothing of Ray is needed."""

from __future__ import annotations

import json


class RayWorker:
    """Answers goals, one after the other; goes in and out as text of JSON.

    Args:
        orders: of the batch.
    """

    def __init__(self, orders: str) -> None:
        from cli.main import quiet_environment

        quiet_environment()
        self._orders = orders

    def begin(self) -> str:
        """Open the project; where this worker is, or why it can answer nothing here."""
        from cli.batch.answering import Answerer
        from cli.batch.orders import Orders, stand_in
        from configs.errors import ReflectError

        try:
            orders = Orders.loads(self._orders)
            # Ray begins its actors in another directory than the one the driver stands in.
            stand_in(orders.directory)
            self._answerer = Answerer(orders)
        except ReflectError as error:
            return json.dumps({"unfit": [error.what, error.remedy]})
        return json.dumps({"ready": self._answerer.facts().dumps()})

    def answer(self, goal: str) -> str:
        """Answer a goal, or give it back."""
        from cli.batch.goal import Goal

        return json.dumps(self._answerer.reply(Goal(**json.loads(goal))))

    def leave(self) -> None:
        """Deliver what is still to be recorded; an actor is ended without its process being asked."""
        from memory.telemetry.opening import close_recorders

        self._answerer.close()
        close_recorders()

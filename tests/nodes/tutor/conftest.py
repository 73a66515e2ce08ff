from tests.nodes.tutor.small_world import reading

__all__ = ["reading"]

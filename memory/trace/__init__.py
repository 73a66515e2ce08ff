"""The trace of a session: its events, and the reasoning behind them, in one file of JSON lines.

`memory.session_memory` is the door for those who write: entries (`reasoning_trace`, their fields in
`entry_fields`) wait in the process until they are flushed to `session_trace`, and `summary` words them for a
planner. `reading` puts a file's lines together again for people.
"""

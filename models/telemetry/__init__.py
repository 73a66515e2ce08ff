"""What runs tell about themselves while they are recorded; nothing is imported or done while they are not.

`scope` knows where in a run one stands; `chat_calls`, `tool_calls`, `embedding_calls` and `counters` are used
where something happens; `names` holds every name that is told. Spans and counters themselves are made by a
`Recorder`, which `memory/telemetry` opens; a run without one costs a look at a context variable per call.
"""

"""Spans and counters of runs, in a file or at a server of one's own: what `models/telemetry` tells is made here.

opening     the recorder the settings ask for, opened once a process and closed at its end
recorder    makes spans and counts with OpenTelemetry's SDK
file        a line of OTLP JSON for each batch
endpoint    OTLP over HTTP
delivery    what was delivered and what was lost
"""

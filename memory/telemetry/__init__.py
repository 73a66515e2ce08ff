"""Makes what `models/telemetry` tells into spans and counters, in a file or at a server of one's own.

opening     the recorder the settings ask for, opened once a process and closed at its end
recorder    makes spans and counts with OpenTelemetry's SDK
file        a line of OTLP JSON for each batch
endpoint    OTLP over HTTP
delivery    what was delivered and what was lost
"""

"""Checks each sentence of a report against the text it cites, by code alone."""

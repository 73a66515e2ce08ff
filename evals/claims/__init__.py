"""Sentences of reports by people, beside the sources they cite: what the check of sentences makes of them."""

"""Ten games in four bands, each generated from a seed."""

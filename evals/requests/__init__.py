"""Everyday shell requests over a small generated tree, judged against reference commands."""

"""Nodes of deep research: one file each."""

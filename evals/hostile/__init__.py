"""The hostile measure: what commands a model might write do to a machine, and whether honest ones work.

`python -m evals.hostile FILE.tsv` (see `__main__`). `rows` reads the file, `surroundings` builds the project
and everything around it that must not be touched, `traces` and `processes` say what a command left behind,
`secrets` what it told, `shell` what bash makes of an honest one, `measure` brings them together, and
`planted` shows that each of the detectors fires.
"""

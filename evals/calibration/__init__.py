"""Confidence held against what was right: `python -m evals.calibration` makes `configs/calibration.yaml`."""

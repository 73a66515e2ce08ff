"""Recipes: goals with typed plans that were run and checked before anyone asked.

A goal meets the files in this order: `reading` (what does it ask, with `ground`, `lexicon`,
`quantities` and `mentions`), `match` (which recipe covers all of it), `fill` (slots into the plan).
"""

"""From facts to a verdict on a claim.

forms.py           is the claim one that can be judged?
prove.py           the prover of its predicate, its verdict, and the fewest observations it needs
consistency.py     can the facts all be so?
world.py           facts by path: kinds, contents, searches
  contents.py        one file: text, lines, sizes; text_bounds.py how often a text stands in it
  listings.py        what stands below a directory, and what does not
  measures.py        how much of something there is, as bounds (known.py)
  configurations.py  values of configuration files, found by key_paths.py
presence.py        exists, absent
comparing.py       count, greater, less, contains, not_contains; counting.py says what is measured
equality.py        equals
values.py          value_of
"""

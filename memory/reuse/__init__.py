"""Plans that worked, used again for the same question with other names, paths or numbers.

A goal goes through these files in this order: `skeleton` (what is the question, and which words are only
values in it), the corpus (which verified episodes have that very skeleton), `refill` (the old values in the
old commands replaced by the new ones, or a refusal). Whatever is not certainly a value belongs to the
question, so "smallest" never borrows the plan of "largest".
"""

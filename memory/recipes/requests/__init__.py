"""Imperative requests about files, read whole: every word is part of a typed reading, or there is none.

`marked` turns paths, quotations and extensions into marks, `filters` reads which files are meant, `listing`,
`lines`, `columns` and `facts` read what is wanted of them, `changes` reads what is to be made. `read` brings
them together.
"""

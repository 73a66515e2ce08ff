"""InterCode-ALFA: commands for tasks in words, judged by what they print and what they change.

The tasks, their two gold commands and the set-up scripts of their file systems are read from the package
`icalfa`; nothing of them is kept here, and nothing here may be tuned on them.
"""

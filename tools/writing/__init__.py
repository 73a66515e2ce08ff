"""Writing tools: every change is previewed, atomic, made by descriptor below the root, and honestly reported.

call -> arguments -> places (links resolved, inside the root) -> plan (what is there, what would be)
                                                                  |-> preview: diff and fingerprint
                                                                  `-> execute: same plan, same fingerprint,
                                                                      then descent + atomic or trash
run, python -> programs -> a process in the sandbox with the root writable
"""

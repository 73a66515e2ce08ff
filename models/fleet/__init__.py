"""One model on several servers: which is asked, how it is told that one is away, and who is asked instead.

`routing` and `breaker` are pure; `hosts` keeps what this process knows of each server, `looking` asks servers
what they say of themselves, `watching` notices one that falls silent in the middle of a call, and `failover`
asks one after another until there is a reply. What is known is known to one process: others that share the
servers find out for themselves.
"""

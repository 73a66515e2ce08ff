"""The nodes of the reflective graph, in the order a request meets them.

classify -> direct_exec | plan -> execute -> reflect -> verify -> respond.
"""

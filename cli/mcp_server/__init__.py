"""The engines as a server of the Model Context Protocol, on its reference package (extra `mcp`).

A call goes through the files like this:

    stdio.py, streamable_http.py   how a client's messages come in, and its answers go out
      protocol.py                  what the protocol asks for: the list of tools, a call, its result
        offers.py                  which tools there are
        calls.py                   how many calls run at once, and how each is ended
        progress.py                what a client is told while a call runs
          *_tool.py                one engine each: arguments, a run, its result
            engine_tool.py         what these have to say of themselves, and what they are given
            place.py               paths a client names, none outside of the root
"""

"""Tools of servers that speak the Model Context Protocol, through its reference package (extra `mcp`).

Whatever a server says is data: names, descriptions and schemas are bounded and escaped before anybody sees
them, results are outputs like those of any tool, and what it claims of itself opens no door.
"""

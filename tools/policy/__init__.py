"""Wall one: what a tool may be asked. Options by allow-list, operands inside the root.

`options` says what each tool accepts, `vectors` reads an argument vector the way getopt does, `find` and
`git` have languages of their own, `paths` keeps operands inside the root, `check` brings them together.
"""

"""The plain commands: skins over session and outline, for scripts and pipes. One module a command.

A command is a module here with a `run(args, out, where)`, and an entry in `catalog.COMMANDS`.
"""

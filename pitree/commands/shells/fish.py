"""Completion for fish."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pitree.commands.shells.said import ArgumentSpec, CommandSpec, WordKind

_HEAD = """\
# Completion of pitree for fish. To enable it in all new shells:
#     pitree completion fish > ~/.config/fish/completions/pitree.fish

function __pitree_sessions
    pitree completion --sessions 2>/dev/null
end

complete -c pitree -f
"""


def fish_script(sayings: Sequence[CommandSpec]) -> str:
    """The script."""
    whole, *commands = sayings
    names = " ".join(saying.name for saying in commands)
    first = f"-n 'not __fish_seen_subcommand_from {names}'"
    lines = [f"complete -c pitree {first} -a {one.name} -d {_quoted(one.summary)}" for one in commands]
    lines += [*_options(whole, first), *(_place(place, first) for place in whole.places)]
    for saying in commands:
        seen = f"-n '__fish_seen_subcommand_from {saying.name}'"
        lines += [*_options(saying, seen)]
        lines += [_place(place, seen) for place in saying.places if place.kind is not WordKind.OTHER]
    return _HEAD + "\n".join(lines) + "\n"


def _options(saying: CommandSpec, when: str) -> Iterator[str]:
    for option in saying.options:
        names = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
        after = f" {_wanted(option)}" if option.value else ""
        yield f"complete -c pitree {when} {' '.join(names)}{after} -d {_quoted(option.help)}"


def _place(word: ArgumentSpec, when: str) -> str:
    flags = _wanted(word).replace("-x ", "", 1).replace("-r -F", "-F")
    return f"complete -c pitree {when} {flags}"


def _wanted(word: ArgumentSpec) -> str:
    """The flags that say what an option's value is."""
    match word.kind:
        case WordKind.SESSION:
            return "-x -k -a '(__pitree_sessions)'"
        case WordKind.CHOICE:
            return f"-x -a {_quoted(' '.join(word.choices))}"
        case WordKind.FOLDER:
            return "-x -a '(__fish_complete_directories)'"
        case WordKind.FILE:
            return "-r -F"
        case _:
            return "-x"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

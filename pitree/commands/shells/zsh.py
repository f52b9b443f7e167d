"""Completion for zsh, by its own `_arguments`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pitree.commands.shells.said import ArgumentSpec, CommandSpec, WordKind

_HEAD = """\
#compdef pitree
# Completion of pitree for zsh. To enable it in all new shells, add this line to ~/.zshrc, after compinit:
#     eval "$(pitree completion zsh)"

_pitree_sessions() {
    local -a found
    found=(${${${(f)"$(pitree completion --sessions 2>/dev/null)"}//:/\\\\:}/$'\\t'/:})
    _describe -V -t sessions session found
    _files -g '*.jsonl'
}

_pitree_first() {
    local -a commands
    commands=(
@COMMANDS@
    )
    _describe -t commands command commands
    _pitree_sessions
}

_pitree() {
    local context state state_descr line
    typeset -A opt_args
    _arguments -S -C \\
@OPTIONS@
        '1: :_pitree_first' \\
        '*:: :->rest'
    [[ $state == rest ]] || return
    case $words[1] in
"""

_TAIL = """\
    esac
}

if [[ $funcstack[1] == _pitree ]]; then
    _pitree "$@"
else
    compdef _pitree pitree
fi
"""


def zsh_script(sayings: Sequence[CommandSpec]) -> str:
    """The script, which can be evaluated as well as put where zsh looks for functions."""
    whole, *commands = sayings
    names = "\n".join(f"        {_quoted(f'{one.name}:{one.summary}')}" for one in commands)
    options = "\n".join(f"        {spec} \\" for spec in _options(whole))
    lines = []
    for saying in commands:
        specs = [*_options(saying), *map(_place, saying.places)]
        lines += [f"        {saying.name})", "            _arguments -S \\"]
        lines += [f"                {spec} \\" for spec in specs]
        lines[-1] = lines[-1][:-2]
        lines.append("            ;;")
    head = _HEAD.replace("@COMMANDS@", names).replace("@OPTIONS@", options)
    return head + "\n".join([*lines, ""]) + _TAIL


def _options(saying: CommandSpec) -> Iterator[str]:
    for option in saying.options:
        for name in option.names:
            others = " ".join(one for one in option.names if one != name)
            but = f"({others})" if others else ""
            after = f":{option.value}:{_action(option)}" if option.value else ""
            equals = "=" if option.value and name.startswith("--") else ""
            yield _quoted(f"{but}{name}{equals}[{_plain(option.help)}]{after}")


def _place(word: ArgumentSpec) -> str:
    return _quoted(f"{'*' if word.many else ''}:{word.value}:{_action(word)}")


def _action(word: ArgumentSpec) -> str:
    match word.kind:
        case WordKind.SESSION:
            return "_pitree_sessions"
        case WordKind.CHOICE:
            return f"({' '.join(word.choices)})"
        case WordKind.FILE:
            return "_files"
        case WordKind.FOLDER:
            return "_files -/"
        case _:
            return "()"


def _plain(text: str) -> str:
    """A text as part of a specification, where brackets and colons mean something."""
    return "".join(f"\\{one}" if one in "[]:\\" else one for one in text)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"

"""Completion for bash, from version 3.2 on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pitree.commands.shells.said import ArgumentSpec, CommandSpec, WordKind

_HEAD = """\
# Completion of pitree for bash. To enable it in all new shells, add this line to ~/.bashrc:
#     eval "$(pitree completion bash)"

_pitree_words() {
    COMPREPLY=($(compgen -W "$1" -- "$cur"))
}

_pitree_sessions() {
    _pitree_words "$(pitree completion --sessions 2>/dev/null | cut -f 1)"
}

_pitree() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= place=0 i
    COMPREPLY=()
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
            @VALUE_OPTIONS@) i=$((i + 1)) ;;
            -*) ;;
            *)
                if [[ -z $command && $place -eq 0 ]]; then
                    case ${COMP_WORDS[i]} in
                        @COMMANDS@) command=${COMP_WORDS[i]} ;;
                        *) place=1 ;;
                    esac
                else
                    place=$((place + 1))
                fi
                ;;
        esac
    done
"""

_TAIL = """\
}

complete -o default -F _pitree pitree
"""


def bash_script(sayings: Sequence[CommandSpec]) -> str:
    """The script. Where a file or a folder is wanted it answers nothing, and bash completes files itself."""
    options = sorted({name for saying in sayings for name in saying.value_options})
    names = [saying.name for saying in sayings if saying.name]
    head = _HEAD.replace("@VALUE_OPTIONS@", "|".join(options)).replace("@COMMANDS@", "|".join(names))
    lines = ["    case $command in"]
    for saying in sayings:
        lines += [f"        {saying.name or chr(39) * 2})", *_of_saying(saying, names), "            ;;"]
    return head + "\n".join([*lines, "    esac", ""]) + _TAIL


def _of_saying(saying: CommandSpec, names: Iterable[str]) -> list[str]:
    lines = ["            case $prev in"]
    for option in saying.options:
        if option.value:
            lines.append(f"                {'|'.join(option.names)}) {_answer(option)} return ;;")
    lines.append("            esac")
    flags = " ".join(name for option in saying.options for name in option.names)
    lines.append(f'            if [[ $cur == -* ]]; then _pitree_words "{flags}"; return; fi')
    if not saying.name:
        sessions = "[[ ${#COMPREPLY[@]} -gt 0 ]] || _pitree_sessions"
        lines.append(
            f'            [[ $place -gt 0 ]] || {{ _pitree_words "{" ".join(names)}"; {sessions}; }}'
        )
        return lines
    lines.append("            case $place in")
    for number, place in enumerate(saying.places):
        lines.append(f"                {'*' if place.many else number}) {_answer(place)} ;;")
    lines.append("            esac")
    return lines


def _answer(word: ArgumentSpec) -> str:
    match word.kind:
        case WordKind.SESSION:
            return "_pitree_sessions;"
        case WordKind.CHOICE:
            return f'_pitree_words "{" ".join(word.choices)}";'
        case _:
            return ":;"

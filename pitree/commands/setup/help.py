"""`pitree help`: the topics of the manual, one of them, or the help of a command."""

from __future__ import annotations

from argparse import Namespace

from pitree.commands.arguments import command_parser
from pitree.commands.catalog import COMMANDS
from pitree.commands.manual import topic_lines
from pitree.commands.output import Output, Style, UsageError
from pitree.commands.where import SessionLookup
from pitree.config.keys import load_keys
from pitree.docs.topics import TOPICS, title_of
from pitree.text.sanitize import visible


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Print a topic, or which there are.

    Raises:
        UsageError: there is no such topic.
    """
    if args.topic is None:
        _print_topics(out)
    elif args.topic in TOPICS:
        keys = load_keys(where.config, where.places.agent_dir)
        for line in topic_lines(args.topic, keys, out.width):
            out.line(out.style(visible(line.text), Style.BOLD if line.heading else Style.PLAIN))
    elif args.topic in COMMANDS:
        out.line(command_parser(COMMANDS[args.topic]).format_help().rstrip())
    else:
        raise UsageError(
            f"help: no topic {args.topic}; the topics are {', '.join(TOPICS)}, and every command"
        )


def _print_topics(out: Output) -> None:
    out.line("The manual of pitree. pitree help TOPIC prints one of these topics:")
    out.line()
    width = max(map(len, TOPICS))
    for topic in TOPICS:
        out.line(f"  {out.style(f'{topic:{width}}', Style.BOLD)}  {title_of(topic)}")
    out.line()
    out.line("pitree help COMMAND prints the help of a command; pitree --help lists the commands.")

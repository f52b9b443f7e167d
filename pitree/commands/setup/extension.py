"""`pitree extension`: where the extension for Pi is, and putting it where Pi finds it."""

from __future__ import annotations

import shlex
from argparse import Namespace

from pitree.commands.output import Output, Style
from pitree.commands.where import SessionLookup
from pitree.extension.placing import FILE, Copy, copy_at, install, on_the_path, place_in, remove, this_pitree
from pitree.pi.places import default_places
from pitree.text.sanitize import visible

_STANDS = {
    Copy.NONE: "it is not installed",
    Copy.CURRENT: "it is installed and up to date",
    Copy.OUTDATED: "an outdated copy is installed; update it with: pitree extension --install",
    Copy.STRANGE: "another file with that name is there, which is not pitree's",
}


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Tell where the extension is; or put it into the agent folder, or take it out."""
    place = place_in(default_places(where.cwd, environ=where.variables).agent_dir)
    shown = visible(str(place))
    if args.install:
        before = install(place)
        done = {Copy.NONE: "installed", Copy.CURRENT: "reinstalled"}.get(before, "updated")
        out.line(f"{done}: {shown}")
        out.line("In a running Pi, load it with /reload, then use /pitree or alt+t.")
    elif args.remove:
        out.line(f"removed: {shown}" if remove(place) else f"nothing to remove: {shown} does not exist")
    else:
        named = [] if on_the_path() else [f"PITREE_COMMAND={shlex.quote(this_pitree()[0])}"]
        command = " ".join([*named, "pi", "-e", shlex.quote(str(FILE))])
        out.line(str(FILE))
        out.line(f"this time: {out.style(visible(command), Style.BOLD)}")
        out.line(f"always:    {out.style('pitree extension --install', Style.BOLD)}")
        out.line(f"In {visible(str(place.parent))} {_STANDS[copy_at(place)]}.")
        out.line("In Pi, /pitree or alt+t opens pitree on the current session.")

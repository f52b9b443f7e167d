"""Completion for shells, made from the catalog of commands: what can be said, a script for each shell."""

from pitree.commands.shells.bash import bash_script
from pitree.commands.shells.fish import fish_script
from pitree.commands.shells.zsh import zsh_script

SCRIPTS = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}
"""Shell → makes its script from what `said.everything` gives."""

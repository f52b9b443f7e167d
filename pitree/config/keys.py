"""The keys that hold by the settings: the preset, Pi's own file for it, and `[keys]` of the config file."""

from __future__ import annotations

import os

from pitree.config.config import Config
from pitree.config.table import KEYS
from pitree.keys.keytable import KeyTable


def load_keys(config: Config, agent_dir: str | os.PathLike[str]) -> KeyTable:
    """The keys; what is wrong with any is among the table's problems.

    Args:
        config: the settings.
        agent_dir: Pi's agent folder, whose `keybindings.json` is read for the preset `pi`.
    """
    if config[KEYS] != "pi" and not config.remaps:
        return KeyTable()
    from pitree.keys.building import build
    from pitree.keys.remaps import read_remaps

    given, problems = read_remaps((one.action, one.value, one.place) for one in config.remaps)
    if config[KEYS] != "pi":
        return build(given, None, problems)
    from pitree.keys.pi import preset, read_pi_keys

    of_pi, wrong = read_pi_keys(agent_dir)
    return build([*given, *of_pi], preset(), [*problems, *wrong])

"""The keys: one table of actions with their default keys, and which keys hold.

`actions.ACTIONS` is the table; `keytable.KeyTable` says which keys each action has by now, after preset, Pi's
`keybindings.json` and the config file; `manual.key_lines` gives it as text. The screen's side is
`ui/toolkit/keys.py`. No module here knows Textual or Rich.
"""

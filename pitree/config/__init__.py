"""pitree's own settings: one table of them, the file they are written in, and which value holds.

To read a setting, take it from the table and ask the `Config` at hand for it:

    from pitree.config import table

    self.app.options.config[table.THEME]     # on the screen: a value of the setting's type
    where.setting(table.FILTER, out)         # in a plain command; what is wrong with it is told on stderr

To add a setting, write one `Setting` into `table.SETTINGS`: name, kind, default, words. The file, the
environment (`PITREE_` and its name), `pitree config`, the manual and the checks of values follow. One that
the reader chooses on the screen is `remembered=True`: `options.memory.set(table.THEME.name, "dark")` and
`save()` in a worker keep it in the state folder, and it holds at the next start unless the file says
otherwise.

To render the table for people: `manual.settings_text()`. No module here knows Textual or Rich.
"""

"""Opening the demo from an empty list of sessions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pitree.ui.main.browse import BrowseScreen
from pitree.ui.toolkit.background import in_thread, on_loop

if TYPE_CHECKING:
    from pitree.ui.app.app import PitreeApp


class DemoScreen(BrowseScreen):
    """`d`."""

    app: PitreeApp

    def action_demo(self) -> None:
        make, app = self.app.options.make_demo, self.app
        if make is None:
            app.report(
                "This is already the demo" if app.options.demo else "The demo cannot be opened from here"
            )
            return

        def work() -> None:
            agent, cwd = make()
            app.call_from_thread(
                on_loop, app, "open the demo", partial(app.show_demo, agent, cwd), group="demo"
            )

        in_thread(app, "copy the demo", work, group="demo copy", exclusive=True)

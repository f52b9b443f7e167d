"""Opening the demo from an empty list of sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitree.ui.main.browse import BrowseScreen

if TYPE_CHECKING:
    from pitree.ui.app.app import PitreeApp


class DemoScreen(BrowseScreen):
    """`d`."""

    app: PitreeApp

    def action_demo(self) -> None:
        make, app = self.app.options.make_demo, self.app
        if make is None:
            app.tell("This is the demo" if app.options.demo else "The demo cannot be opened from here")
            return

        def work() -> None:
            agent, cwd = make()
            app.call_from_thread(app.run_worker, app.show_demo(agent, cwd), group="demo")

        app.run_worker(work, thread=True, exclusive=True, group="demo copy")

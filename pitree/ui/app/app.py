"""The application: themes, style sheets, clipboard, and the one screen it starts with."""

from __future__ import annotations

import asyncio
import gc
import importlib
import os
import sys
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path, PurePath
from threading import Timer
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import events, on
from textual.app import App
from textual.binding import BindingType
from textual.filter import LineFilter
from textual.screen import Screen

from pitree.config import table
from pitree.config.keys import load_keys
from pitree.pi.places import default_places
from pitree.resources import FRAME_STYLES, styles_dir
from pitree.text.sanitize import visible
from pitree.ui.app import theme
from pitree.ui.app.ascii_lines import PlainLines, wants_plain
from pitree.ui.app.crash import crash, error_drawn
from pitree.ui.app.options import AppOptions
from pitree.ui.app.signals import end_late, ended_by_signals
from pitree.ui.app.terminal import TerminalGone, terminal_driver
from pitree.ui.app.terminal_answers import TerminalGround, TerminalName
from pitree.ui.main.arrangement import Page, PaneShares
from pitree.ui.main.opening_screen import OpeningScreen
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.background import in_thread, on_loop
from pitree.ui.toolkit.input_priority import InputPriority
from pitree.workers.failures import Crashed, Failure, record

if TYPE_CHECKING:
    from pitree.ui.picker.first_list import FirstSessions
    from pitree.ui.toolkit.window import HelpRequested
    from pitree.ui.tree.first_tree_pane import FirstTreePane

PARTS = (
    "pitree.ui.picker.picker",
    "pitree.outline.outline",
    "pitree.ui.tree.tree_pane",
    "pitree.ui.entry",
    "pitree.ui.main.opening",
    "pitree.ui.main.follow.reloading",
)
"""Parts of the program that the main screen needs; between them is time to show what was read meanwhile."""

FOCUS_WITHIN = 100
"""Looks, 5 ms apart, whether the main screen has its focus, to which the keys held until then go."""

HUNG_UP = 129
"""Exit status once the terminal is gone: that of a shell for SIGHUP."""

SWITCH = 0.001
"""Seconds for which a thread has the interpreter while another one waits for it."""


class PitreeApp(App[int], inherit_bindings=False):
    """pitree full screen."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.APP)]

    CSS_PATH: ClassVar = [styles_dir() / name for name in FRAME_STYLES]
    TITLE = "pitree"
    ENABLE_COMMAND_PALETTE = False
    NOTIFICATION_TIMEOUT = 4.0

    def __init__(self, options: AppOptions) -> None:
        self._theme_wanted = options.config[table.THEME]
        self._bare, self._entering = True, False
        # With NO_COLOR Textual would turn colours to greys, and the terminal's own ones all to black, unless
        # it is told beforehand that the terminal's own colours are meant.
        super().__init__(
            driver_class=terminal_driver(),
            ansi_color=True if os.environ.get("NO_COLOR") else None,
        )
        self.set_class(bool(os.environ.get("NO_COLOR")), "-no-color")
        self.options = options
        self.input_priority = InputPriority()
        self.catch_signals: Callable[[asyncio.AbstractEventLoop], None] | None = None
        """Has signals end the program; told of the loop before the terminal is changed."""
        self.crashed: Crashed | None = None
        """The error by which the app ends."""
        self._late: Timer | None = None
        self._light: bool | None = None
        for known in theme.THEMES:
            self.register_theme(known)
        self.theme = theme.fitting_theme(self._theme_wanted, os.environ)
        encoding = getattr(sys.__stderr__, "encoding", None) or "utf-8"  # Textual writes there
        self._plain: list[LineFilter] = []
        if wants_plain(options.config[table.LINES], os.environ, encoding):
            self._plain.append(PlainLines(encoding))
        keys.spell_out(bool(self._plain))
        self.keys = load_keys(options.config, self._agent_dir())
        self.problems = (*options.config.problems, *self.keys.problems)
        """What is wrong with the settings, for the reader to be told."""
        self._sent: deque[tuple[events.Key, object]] = deque(maxlen=64)
        self._resent: deque[events.Key] = deque(maxlen=64)
        self._held: list[events.Key] | None = []
        """What is typed until the main screen is there."""
        self._end_with: int | None = None
        if self.keys.keys:
            self.set_keymap(keys.textual_keymap(self.keys))

    def _agent_dir(self) -> Path:
        """The agent folder of the reader, whose keys count in the demo, too."""
        if self.options.agent_dir is not None and not self.options.demo:
            return self.options.agent_dir
        return Path(default_places().agent_dir)

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), *self._plain]

    @property
    def theme_wanted(self) -> str:
        """The theme asked for: a name, or a word that goes by the terminal."""
        return self._theme_wanted

    def show_theme(self, wanted: str) -> None:
        """Show a theme, or the one that fits the terminal."""
        self._theme_wanted = wanted
        fitting = theme.fitting_theme(wanted, os.environ, self._light)
        if fitting != self.theme:
            self.theme = fitting

    @on(TerminalGround)
    def _ground_told(self, event: TerminalGround) -> None:
        """Take the colors that fit the terminal's ground, if no others were chosen."""
        self._light = event.light
        self.show_theme(self._theme_wanted)

    @on(TerminalName)
    def _name_told(self, event: TerminalName) -> None:
        """Send images to a terminal that can show them among text."""
        from pitree.ui.entry.styling import image_drawing

        if self._driver is not None and image_drawing.has_pixels(
            os.environ, self.console.color_system, event.name
        ):
            image_drawing.send = self._driver.write

    @on(TerminalGone)
    def _terminal_gone(self) -> None:
        self.end(HUNG_UP)

    async def on_event(self, event: events.Event) -> None:
        """Keep keys for the main screen until it is there; note to what each is sent, see `on_key`."""
        if isinstance(event, events.MouseDown) and not self.size.contains(int(event.x), int(event.y)):
            return  # No mouse is there, and it would take the focus from where it is.
        if isinstance(event, events.InputEvent):
            self.input_priority.pressed()
        if isinstance(event, events.Key) and not event.is_forwarded:
            if self._held is not None:
                self._held.append(event)
                return
            self._sent.append((event, self.focused))
        await super().on_event(event)

    async def _hand_over(self) -> None:
        """Give the keys held until now to the main screen, before any that come."""
        held, self._held = self._held or (), None
        if self._end_with is not None:
            self.exit(return_code=self._end_with)
            return
        for event in held:
            await self.on_event(event)

    def end(self, status: int) -> None:
        """Leave with an exit status; but not while the main screen is half made, which Textual cannot."""
        if self._held is None:
            self.exit(return_code=status)
        else:
            self._end_with = status

    async def on_key(self, event: events.Key) -> None:
        """Send a key once more that came so close behind another one that it went where the focus was before.

        So do keys from far away, several in one go: of `/retry` the `r` is for the search box, not the list.
        Those sent after it follow, so that the order stays.
        """
        sent = list(self._sent)
        at = next((at for at, (one, _) in enumerate(sent) if one is event), None)
        if at is not None and sent[at][1] is not self.focused:
            event.prevent_default()
            # Those sent once more are in their order: sending them for the others' sake, and the others
            # for theirs, would have no end.
            again = {id(one) for one in self._resent}
            after = ((one, to if id(one) in again else self) for one, to in sent[at + 1 :])
            self._sent = deque([*sent[:at], *after], maxlen=64)
            key = events.Key(event.key, event.character)
            self._resent.append(key)
            await self.on_event(key)

    def get_default_screen(self) -> Screen[None]:
        self._bare = False
        page = Page.TREE if self.options.path else Page.SESSIONS
        return OpeningScreen(
            page, PaneShares.of(self.options.config), self._first_sessions(), self._first_tree()
        )

    def _first_sessions(self) -> FirstSessions | None:
        options = self.options
        if options.ahead is None:
            return None
        from pitree.ui.picker.first_list import FirstSessions

        return FirstSessions(options.ahead, options.config, options.memory, options.shelf)

    def _first_tree(self) -> FirstTreePane | None:
        options = self.options
        if options.first_tree is None:
            return None
        from pitree.ui.tree.first_tree_pane import FirstTreePane

        return FirstTreePane(options.first_tree, options.shelf)

    def on_load(self) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(_record_task)
        if self.catch_signals is not None:
            self.catch_signals(loop)

    def on_mount(self) -> None:
        self.call_after_refresh(self._load)

    def _load(self) -> None:
        on_loop(
            self,
            "open the main screen",
            self._open_main_screen,
            group="start",
            failed=self._not_opened,
        )

    def _not_opened(self, failure: Failure) -> None:
        raise failure.error

    async def _open_main_screen(self) -> None:
        """Load the rest of the program, now that there is something to see, and hand over to it."""
        opening = self.screen
        if isinstance(opening, OpeningScreen) and self.options.ahead is not None:
            for part in PARTS:
                importlib.import_module(part)
                opening.look()
                await asyncio.sleep(0)
        if self.options.picking is None:
            from pitree.ui.main.main_screen import MainScreen as Main
        else:
            from pitree.ui.main.picking.pick_screen import PickScreen as Main

        if self.options.prepare is not None:
            self.options.prepare()
        gc.freeze()
        gc.enable()
        await self._enter("browse", lambda: Main(self.options), Main.CSS_PATH)
        # What is loaded by now stays: looking through it for garbage again and again costs a key some 40 ms.
        gc.freeze()
        for _ in range(FOCUS_WITHIN):
            if self.focused is not None:
                break
            await asyncio.sleep(0.005)
        self.call_later(self._hand_over)  # behind the keys that came by now

    async def _enter(
        self, mode: str, make: Callable[[], Screen[None]], styles: Sequence[str | PurePath]
    ) -> None:
        """Show a new screen in a mode of its own.

        Textual would parse all style sheets three times for it: for those of the screen, and twice since the
        screen has not been told of the theme that it is about to be styled with.
        """
        for path in styles:
            if not self.stylesheet.has_source(str(path)):
                self.stylesheet.read(str(path))
        self.add_mode(mode, make)
        self._entering = True
        try:
            shown = self.switch_mode(mode)
        finally:
            self._entering = False
        await shown

    def refresh_css(self, animate: bool = True) -> None:
        if self._entering:
            return
        if self._bare:  # No screen is there: what was parsed so far, if anything, need not be parsed anew.
            self.stylesheet.set_variables(self.get_css_variables())
            self.stylesheet.update(self, animate=animate)
        else:
            super().refresh_css(animate)

    def crash(self, error: BaseException) -> None:
        """End by an error that nothing contains: with a status of its own, and nothing typed lost."""
        if self.crashed is None:
            self.crashed = crash(error, self.screen_stack)
            if self.catch_signals is not None:
                self._late = end_late(self.force, Crashed.STATUS)
        else:
            record("end after an error", error)
        self.exit(return_code=Crashed.STATUS)

    def force(self, status: int) -> None:
        """End at once, in any thread, when the loop does not come to it; the terminal is left clean."""
        if self._driver is not None and self.is_running:
            self._driver.stop_application_mode()
            self._driver.close()
        if self.crashed is not None:
            os.write(2, f"pitree: {self.crashed}\n".encode())
        os._exit(status)

    def _fatal_error(self) -> None:
        # Textual has no other place for it. Its own method draws the traceback with all variables, which has
        # no end where one of them holds deep values.
        self.crash(sys.exception() or RuntimeError("an unknown error"))

    def panic(self, *renderables: object) -> None:
        # Textual calls this with the drawn traceback of its thread that reads the terminal.
        self.crash(sys.exception() or error_drawn(renderables))

    async def show_demo(self, agent: Path, cwd: Path) -> None:
        """Leave the reader's sessions for those of a copy of the demo; of these nothing is kept."""
        from pitree.ui.main.main_screen import MainScreen

        self.options = self.options.in_demo(agent, cwd)
        await self._enter("demo", lambda: MainScreen(self.options), MainScreen.CSS_PATH)
        await self.remove_mode("browse")

    def report(self, message: str, *, warning: bool = False, seconds: float | None = None) -> None:
        """Show a short message for a few seconds. Whatever it quotes is shown as text."""
        severity: Literal["warning", "information"] = "warning" if warning else "information"
        self.notify(visible(message), severity=severity, timeout=seconds, markup=False)

    def on_help_requested(self, event: HelpRequested) -> None:
        from pitree.ui.windows.help_window import HelpWindow

        self.push_screen(HelpWindow(event.places, self.keys, event.without))

    def action_help_quit(self) -> None:
        """Say how to leave, to whoever tries ctrl+c."""
        self.report(f"{keys.key_label(self, 'quit', 'quit.at_once')} quits pitree")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave ctrl+z to a field of several lines, where it undoes what was typed."""
        if action == "suspend" and getattr(self.focused, "takes_back", False):
            return False
        return super().check_action(action, parameters)

    def action_suspend(self) -> None:
        """Stop until the shell brings the program back, or say why that cannot be."""
        from pitree.ui.app import suspending

        why = suspending.why_not(self.options.picking is not None)
        if why or not suspending.suspend(self):
            self.report(why or suspending.NO_SHELL, warning=True)

    def copy_text(self, text: str, then: Callable[[], None] | None = None) -> None:
        """Copy a text through the terminal, tmux and the local tool, and say what came of it.

        Args:
            text: what to copy.
            then: what to do once that is known.
        """
        if not text:
            self.report("Nothing to copy: the entry has no text", warning=True)
            return
        from pitree.ui.app import clipboard

        text = text.encode("utf-8", "replace").decode()
        self.copy_to_clipboard(text)
        if self._driver is not None and (wrapped := clipboard.for_screen(text)):
            self._driver.write(wrapped)
        in_thread(
            self, "copy with the local tool", partial(self._copy_locally, text, then), group="clipboard"
        )

    def _copy_locally(self, text: str, then: Callable[[], None] | None) -> None:
        from pitree.ui.app import clipboard

        message, doubtful = clipboard.copied(text)
        self.call_from_thread(self.report, message, warning=doubtful)
        if then is not None:
            self.call_from_thread(then)


def _record_task(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Keep what a task raised that nobody waited for; asyncio would write it over the screen."""
    error = context.get("exception")
    if isinstance(error, BaseException):
        record("finish a task", error)


def run(options: AppOptions) -> int:
    """Show the screen until the reader leaves it; the exit status.

    Raises:
        Crashed: it ended by an error of its own; the terminal is as it was.
    """
    # What threads read in the background holds a key up for no longer than this.
    sys.setswitchinterval(SWITCH)
    app: PitreeApp | None = None
    try:
        app = PitreeApp(options)
        with ended_by_signals(app.end, app.force) as app.catch_signals:
            app.run()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit, too: nothing here ends the program that way
        raise (app and app.crashed) or crash(error) from error
    finally:
        if app is not None and app._late is not None:
            app._late.cancel()
    if app.crashed is not None:
        raise app.crashed
    return app.return_code or 0

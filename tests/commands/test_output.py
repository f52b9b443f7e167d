"""Text for people and pipes: colours, controls, JSON of anything, readers that go away."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pitree.commands.output import Output, Style, wants_colour

DATA = Path(__file__).parents[1] / "data"


class Stream(io.TextIOWrapper):
    """A text stream into memory that may say it is a terminal."""

    def __init__(self, terminal: bool = False, encoding: str = "utf-8") -> None:
        self.bytes = io.BytesIO()
        self.terminal = terminal
        super().__init__(self.bytes, encoding=encoding, write_through=True)

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("terminal", "environ", "coloured"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (False, {"FORCE_COLOR": "1"}, True),
        (True, {"FORCE_COLOR": "0"}, False),
        (False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_when_to_colour(terminal: bool, environ: dict[str, str], coloured: bool) -> None:
    stream = Stream(terminal)
    assert wants_colour(stream, environ) is coloured
    out = Output(stream, Stream(), environ)
    assert (out.style("x", Style.ERROR) == "x") is not coloured


def test_style_leaves_no_empty_sequences() -> None:
    out = Output(Stream(), Stream(), {"FORCE_COLOR": "1"})
    assert out.style("", Style.BOLD) == ""
    assert out.style("x", Style.PLAIN) == "x"
    assert out.style("x", Style.DIM) == "\x1b[2mx\x1b[0m"


@pytest.mark.parametrize(
    "value",
    [
        {"a": "é漢字👩‍👩‍👧"},
        {"lone": "\ud800 surrogate"},
        {"big": 2**70},
        {"deep": [[[[1]]]]},
        {"\udfff": 1},
    ],
)
def test_json_of_anything_is_one_line_that_can_be_read_again(value: object) -> None:
    stream = Stream()
    Output(stream, Stream(), {}).json(value)
    written = stream.bytes.getvalue()
    assert written.count(b"\n") == 1
    assert written.endswith(b"\n")
    assert json.loads(written.decode()) == value


def test_text_and_json_keep_their_order() -> None:
    stream = Stream()
    out = Output(stream, Stream(), {})
    out.line("one")
    out.json(2)
    out.line("three")
    out.flush()
    assert stream.bytes.getvalue() == b"one\n2\nthree\n"


def test_what_the_encoding_lacks_is_replaced() -> None:
    stream = Stream(encoding="ascii")
    out = Output(stream, Stream(encoding="ascii"), {})
    out.line("naïve • \ud800")
    out.flush()
    assert stream.bytes.getvalue() == b"na?ve ? ?\n"


def test_errors_are_harmless_and_set_the_status() -> None:
    errors = Stream()
    out = Output(Stream(), errors, {})
    assert out.status == 0
    out.error("file \x1b]0;title\x07\nx")
    assert out.status == 1
    written = errors.bytes.getvalue().decode()
    assert written.startswith("pitree: file ")
    assert written.count("\n") == 1
    assert not set(written) & {"\x1b", "\x07"}


def pitree(*argv: str, **more: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "pitree", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        **more,  # type: ignore[call-overload]
    )


def test_a_reader_that_goes_away() -> None:
    # Far more than a pipe holds, so that the writer is still at it.
    process = pitree("context", "--json", *[str(DATA / "v1-long.jsonl")] * 20)
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.read(10) == b'{"file":"/'
    process.stdout.close()
    assert process.wait(30) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_a_full_disk(json_too: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        process = subprocess.run(
            [sys.executable, "-m", "pitree", "stats", *json_too, str(DATA / "v2.jsonl")],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            check=False,
        )
    assert process.returncode == 1
    assert process.stderr == b"pitree: No space left on device\n"


def test_ascii_terminals_get_no_traceback() -> None:
    process = subprocess.run(
        [sys.executable, "-m", "pitree", "context", str(DATA / "v3-generated-9001.jsonl")],
        capture_output=True,
        cwd=Path(__file__).parents[2],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        check=True,
    )
    assert process.stderr == b""
    assert process.stdout.isascii()

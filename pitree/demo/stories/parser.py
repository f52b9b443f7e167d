"""The ledger program's parser, rewritten over two days: nested branches and two compactions."""

from pitree.demo.stories import tally_files as tally
from pitree.demo.story import Call, Story


def passed(count: int) -> str:
    return f"{'.' * min(count, 60)}\n{count} passed in {0.04 * count:.2f}s"


STEPS = [
    (
        "Dates first: 2026-02-30 must be an error with the line number.",
        (
            "    day, text, amount, currency = found.groups()\n",
            "    day, text, amount, currency = found.groups()\n    when = _day(number, day)\n",
        ),
        "`date.fromisoformat` already refuses the 30th of February; `_day` turns its ValueError into a BadLine.",
    ),
    (
        "Use it.",
        ("return Posting(date.fromisoformat(day), text", "return Posting(when, text"),
        "Done, and the test for a leap year passes as well.",
    ),
    (
        "Amounts: `1.234,56` is one thousand in Germany. Detect it?",
        ('Decimal(amount.replace(",", ""))', "_amount(number, amount)"),
        "The last separator is the decimal point if two digits follow it; `1.234` alone stays ambiguous, and there I "
        "ask for a header line `; decimal: ,`.",
    ),
    (
        "Currencies other than three capitals? Some people write € and $.",
        ("([A-Z]{3})?$", "([A-Z]{3}|[€$£])?$"),
        "The three signs map to EUR, USD and GBP. Anything else stays an error.",
    ),
    (
        "A tab between text and amount should count as two spaces.",
        (r"\s{2,}(-?", r"(?:\s{2,}|\t)(-?"),
        "A tab alone now separates as well.",
    ),
    (
        "Comments at the end of a line: `; paid late`.",
        ("found = LINE.match(line.rstrip())", 'found = LINE.match(line.split(" ;")[0].rstrip())'),
        "Cut before matching. A semicolon inside the text is kept as long as no space stands before it.",
    ),
]


def parser() -> Story:
    s = Story(401, "tally", "2026-02-28T13:05:10.090+00:00")
    s.model("anthropic", "claude-sonnet-4-5")
    s.thinking("medium")
    s.name("Refactor the parser")
    s.files["tally/parser.py"] = tally.PARSER
    first = s.user(
        "tally/parser.py grew without a plan. Read it and tell me what you would change, do not change it yet."
    )
    s.run(s.read("tally/parser.py"), s.bash("grep -rn 'parse(' --include=*.py . | wc -l", "14"))
    plan = s.say(
        "What I would change, in this order:\n\n"
        "1. **Errors.** `print` hides them: a ledger with a typo gives a wrong balance. Raise with the line number.\n"
        "2. **A type.** Fourteen callers pick keys out of a dict; a `Posting` dataclass would be checked.\n"
        "3. **Streaming.** It holds the whole text; an iterator over lines would do.\n"
        "4. Dates stay strings until somebody compares them.\n\n"
        "What I would leave: the regular expression. It is fine.",
        thinking="Main smells: print instead of raise, dict instead of type, names like l and cur. The regex is okay. "
        "They asked for an opinion, no edits.",
    )
    s.label(plan, "plan")
    here = s.leaf
    _grammar(s)
    s.goto(
        here,
        "A grammar with a parser generator was tried. It read the sample ledger, but was eleven times slower and its "
        "messages named grammar rules instead of what is wrong. The regular expression stays.",
    )
    s.user("Go with your plan. All of it.", minutes=30)
    s.run(
        s.write("tally/posting.py", tally.POSTING),
        s.write(
            "tally/errors.py",
            'class BadLine(ValueError):\n    def __init__(self, number: int, why: str) -> None:\n        super().__init__(f"line {number}: {why}")\n',
        ),
        s.write("tally/parser.py", tally.PARSER_2),
    )
    s.run(
        s.bash(
            "pytest -q",
            "E       TypeError: 'Posting' object is not subscriptable\n23 failed, 31 passed in 1.90s",
            1,
            2.6,
        )
    )
    s.run(
        Call(
            "grep",
            {"pattern": r'\["(date|text|amount)"\]', "path": "tally"},
            "\n".join(
                f'tally/{name}.py:{line}: posting["amount"]'
                for name in ("balance", "report", "export")
                for line in (12, 31, 40)
            ),
        ),
        s.bash(
            'sed -i -E \'s/\\["(text|amount|currency|notes)"\\]/.\\1/g; s/\\["date"\\]/.day/g\' tally/*.py && pytest -q',
            passed(54),
            0,
            2.2,
        ),
        say="The callers still pick keys. They all have the same form.",
    )
    s.say(
        "All four points are in; 54 tests pass. `parse` gives postings one by one and raises `BadLine` with the line."
    )
    s.compact(
        "## Goal\nMake `tally/parser.py` raise on bad lines, give typed postings and read line by line.\n\n"
        "## Progress\n### Done\n- [x] `Posting` and `BadLine`\n- [x] `parse` is an iterator\n- [x] 14 callers changed\n\n"
        "## Key Decisions\n- **Regular expression kept**: a grammar was eleven times slower\n\n"
        "## Next Steps\n1. Dates, amounts, currencies, tabs, comments",
        here,
    )
    _steps(s)
    s.compact(
        "The parser now knows bad dates, both decimal signs, €, $ and £, tabs and comments at the end of a line. "
        "61 tests pass. Next: speed.",
        None,
        hook=True,
    )
    _speed(s, first)
    return s


def _grammar(s: Story) -> None:
    """The road not taken, with branches of its own."""
    s.user("Could we use a parser generator instead?")
    s.run(s.bash("pip install lark 2>&1 | tail -1", "Successfully installed lark-1.2.2", 0, 4.2))
    s.run(
        s.write(
            "tally/ledger.lark",
            'start: posting*\nposting: DATE TEXT AMOUNT CURRENCY? _NL note*\nnote: " "+ TEXT _NL\n',
        ),
        s.bash(
            "python -m tally.try_lark sample.ledger",
            "lark.exceptions.UnexpectedCharacters: No terminal matches 'R' at line 1 col 12",
            1,
        ),
    )
    here = s.leaf
    s.user("Use the Earley parser, it is more forgiving.")
    s.run(s.bash("python -m tally.try_lark --parser earley sample.ledger", "412 postings in 3.91 s", 0, 4.4))
    slow = s.say("It reads everything, in 3.9 s. The regular expression takes 0.35 s.")
    s.label(slow, "too slow")
    s.user("Profile it.")
    s.say(
        "Four fifths of the time go into ambiguity: TEXT can end anywhere. That does not get better with tuning."
    )
    s.goto(here)
    s.user("Give TEXT a lower priority.")
    s.run(
        s.bash(
            "python -m tally.try_lark --parser lalr sample.ledger",
            "lark.exceptions.GrammarError: Reduce/Reduce collision",
            1,
        )
    )
    again = s.leaf
    s.user("Split TEXT into words.")
    s.say("Then `DATE WORD+ AMOUNT` still collides: an amount is a word, too.")
    s.goto(again)
    s.user("Mark the amount with a sign in front?")
    s.say("That would change the file format. I would rather not.")
    s.goto(again)
    s.user("Forget it.")
    s.say("All right. The file `tally/ledger.lark` is removed again.")


def _steps(s: Story) -> None:
    for count, (ask, edit, answer) in enumerate(STEPS):
        s.user(ask, minutes=3)
        s.run(s.edit("tally/parser.py", edit))
        s.run(s.bash("pytest -q", passed(55 + count), 0, 2.3))
        end = s.say(answer)
        if count == 2:
            s.label(end, "both decimal signs")
            s.usage("cache_warm")
    s.thinking("high")


def _speed(s: Story, first: str) -> None:
    ask = s.user("How fast is it now? A year of mine has 40,000 lines.", minutes=60 * 14)
    s.run(
        s.bash(
            "python -m timeit -n 5 -s 'from bench import ledger' 'list(parse(ledger))'",
            "5 loops, best of 5: 118 msec per loop",
            0,
            6.0,
        )
    )
    s.say("118 ms for 40,000 lines, most of it in `Decimal`.")
    s.goto(s.parent(ask))
    ask = s.user("How fast is it now, and can you halve it?", minutes=1)
    s.run(
        s.bash(
            "python -X importtime -c 'import tally' 2>&1 | sort -t'|' -k2 -n | tail -2",
            "import time:  1840 |  21377 | tally\nimport time:   610 |  30110 | decimal",
        )
    )
    idea = s.leaf
    s.user("Cache Decimal by its text.")
    s.run(
        s.edit("tally/parser.py", ("import re\n", "import re\nfrom functools import lru_cache\n")),
        s.bash("pytest -q", passed(61)),
    )
    fast = s.say("61 ms: amounts repeat a lot in a ledger. `lru_cache(4096)` on `_amount`.")
    s.label(fast, "61 ms")
    s.goto(idea)
    s.user("Split by columns instead of the regular expression.")
    s.run(s.bash("python bench.py --split", "97 msec", 0, 3.0))
    s.say("97 ms, and tabs no longer work. The cache does more for less.")
    s.goto(fast, "Splitting by columns was tried: 97 ms, and tabs break.")
    s.custom_message(
        "review-bot",
        "2 remarks on tally/parser.py: line 9 is long; `_amount` has no docstring.",
        display=True,
    )
    s.user("Fix both remarks, then we are done.")
    s.run(
        Call("edit", {"path": "tally/parser.py", "edits": []}, "No edits given.", error=True),
    )
    s.run(
        s.bash(
            "ruff check --fix tally && pytest -q",
            "Found 2 errors (2 fixed, 0 remaining).\n" + passed(61),
            0,
            2.9,
        )
    )
    s.say("Both fixed. From here:\n\n> 14 callers typed, 61 tests, 40,000 lines in 61 ms.")
    s.label(first, "start here")
    s.label(first, None)

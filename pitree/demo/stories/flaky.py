"""The ledger program's flaky test: hypotheses as branches, names in many scripts."""

from pitree.demo.stories import tally_files as tally
from pitree.demo.story import Call, Story

ONE_RED = """\
..................F...........                                          [100%]
=================================== FAILURES ===================================
_______________________________ test_names_sorted ______________________________

    def test_names_sorted():
        names = ["山田太郎", "Zoë", "مريم", "Ågot", "👩‍👩‍👧 family", "Émile"]
>       assert sort_names(names) == EXPECTED
E       AssertionError: assert ['Zoë', 'Ågot', 'Émile', 'مريم', ...] == ['Ågot', 'Émile', 'Zoë', 'مريم', ...]

tests/test_people.py:21: AssertionError
=========================== short test summary info ============================
FAILED tests/test_people.py::test_names_sorted
1 failed, 29 passed in 2.41s"""

GREEN = """\
..............................                                          [100%]
30 passed in 2.38s"""

LOOP = "\n".join(f"run {n:>2}: {'FAILED' if n in (4, 11, 17) else 'passed'}" for n in range(1, 21))


def flaky() -> Story:
    s = Story(301, "tally", "2026-02-27T09:15:44.310+00:00")
    s.model("anthropic", "claude-sonnet-4-5")
    s.thinking("high")
    s.files |= {"tally/people.py": tally.PEOPLE, "tests/test_people.py": tally.PEOPLE_TEST}
    start = s.user("test_names_sorted fails on CI about one time in six. Never here. Find out why.")
    s.run(
        Call("find", {"pattern": "*people*", "path": "."}, "tally/people.py\ntests/test_people.py"),
        Call(
            "grep",
            {"pattern": "locale|strcoll|strxfrm", "path": "tally", "context": 1},
            "tally/people.py-3- \ntally/people.py:4: import locale\ntally/people.py-5- \n--\n"
            "tally/people.py-11- def sort_names(names: list[str]) -> list[str]:\n"
            "tally/people.py:12:     return sorted(names, key=locale.strxfrm)",
        ),
        thinking="One in six, only on CI: order of tests, time of day, parallel workers, or the environment. "
        "Sorting names smells of the locale. Look for that first.",
    )
    s.run(s.read("tests/test_people.py", 1, 14))
    s.run(
        s.bash(
            "for n in $(seq 20); do pytest -q -p randomly; done | grep -o 'passed\\|FAILED' | nl",
            LOOP,
            0,
            51.3,
        )
    )
    seen = s.say(
        "With random order it fails here too: 3 of 20. So it is the order of the tests, and something they share."
    )
    s.label(seen, "reproduced")
    here = s.leaf

    s.user("Is it the clock? Some tests freeze it.")
    s.run(Call("grep", {"pattern": "freeze", "path": "tests"}, "No matches found"))
    clock = s.say("No test freezes the clock. Not that.")
    s.label(clock, "not the clock")

    s.goto(here, "Asked whether a frozen clock could be to blame: no test freezes it.")
    s.user("Is it pytest-xdist?")
    s.run(
        s.bash("pytest -q -n 4 -p no:randomly", GREEN, 0, 1.4),
        Call("ls", {"path": "tests"}, "conftest.py\ndata/\ntest_books.py\ntest_csv.py\ntest_people.py"),
    )
    s.say("Without random order, four workers pass every time. Parallel running alone does not do it.")

    s.goto(here)
    s.user("どのテストの後に失敗しますか？ 二分探索してください。")
    s.run(
        s.bash(
            "pytest -q tests/test_csv.py::test_german_numbers tests/test_people.py::test_names_sorted",
            ONE_RED,
            1,
            1.1,
        )
    )
    s.run(
        s.bash(
            "grep -n setlocale -r tests tally",
            'tests/test_csv.py:31:    locale.setlocale(locale.LC_ALL, "C")',
        ),
        thinking="Bisecting leaves test_german_numbers. It calls setlocale(LC_ALL, 'C') to get back to a known state, "
        "but the known state on this machine was en_GB, so everything after it sorts by code point.",
    )
    found = s.say(
        '`test_german_numbers` の後です。 It ends with `locale.setlocale(LC_ALL, "C")`, which is **not** what was set '
        "before. Whatever sorts names afterwards does so by code point, and `Zoë` comes before `Ågot`.\n\n"
        "أسماء مثل «مريم» stay last either way, which is why only the Latin names moved."
    )
    s.label(found, "found: setlocale")
    s.user("Fix it in the code, not in the test: sorting must not depend on the process.")
    s.run(
        s.edit(
            "tally/people.py",
            ("import locale\n", "import unicodedata\n"),
            (
                "    return sorted(names, key=locale.strxfrm)\n",
                "    return sorted(names, key=_key)\n\n\n"
                "def _key(name: str) -> tuple[str, str]:\n"
                '    """Letters without their marks first, the name itself to decide between equals."""\n'
                '    bare = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))\n'
                "    return bare.casefold(), name\n",
            ),
        )
    )
    s.run(
        s.bash(
            "for n in $(seq 20); do pytest -q -p randomly; done | sort | uniq -c",
            "     20 30 passed",
            0,
            49.0,
        )
    )
    s.say("Sorting now looks only at the names: 20 of 20 runs pass in random order. 🎉")
    s.label(start, "flaky test")
    s.name("Flaky test: names and the locale")
    return s

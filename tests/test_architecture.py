"""The structure holds: sizes, names, layers of classes, imports. Each rule is shown to find a planted fault.

What was not yet in order when a rule came has its number here. A number may only fall: bring it down with
what you take away.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import architecture
from tests.support.architecture import Sources

ROOT = Path(__file__).parents[1]
PITREE = Sources(ROOT)

Rule = Callable[[Sources], list[str]]

LEFT: list[tuple[Rule, int]] = [
    (architecture.sizes, 17),
    (architecture.folders, 0),
    (architecture.parameters, 12),
    (architecture.complexity, 128),
    (architecture.deep_classes, 0),
    (architecture.stubs, 0),
    (architecture.loose_constructors, 0),
    (architecture.imports_in_functions, 163),
    (architecture.names_used_twice, 0),
    (architecture.circles, 0),
    (architecture.private_parts, 2),
]
"""Rule, and how many findings are left."""

PLANTED: list[tuple[Rule, dict[str, str]]] = [
    (architecture.sizes, {"long.py": "x = 1\n" * 401}),
    (architecture.sizes, {"dust.py": "x = 1\n"}),
    (architecture.folders, {f"m{number}.py": "" for number in range(21)}),
    (architecture.folders, {f"m{number}.py": "x = 1\n" * 400 for number in range(7)}),
    (architecture.parameters, {"m.py": "def f(a, b, c, d, e, *, f, g): ...\n"}),
    (architecture.complexity, {"m.py": "def f(a):\n" + "    if a and a: ...\n" * 5}),
    (
        architecture.deep_classes,
        {"m.py": "class A: ...\n" + "".join(f"class {b}({a}): ...\n" for a, b in ("AB", "BC", "CD", "DE"))},
    ),
    (architecture.stubs, {"m.py": "def f():\n    raise NotImplementedError\n"}),
    (architecture.loose_constructors, {"m.py": "class A:\n    def __init__(self, *a: Any): ...\n"}),
    (architecture.imports_in_functions, {"m.py": "def f():\n    import os\n"}),
    (architecture.names_used_twice, {"m.py": "class A: ...\n", "n.py": "class A: ...\n"}),
    (
        architecture.circles,
        {"m.py": "from pitree import n\n", "n.py": "def f():\n    from pitree.m import x\n"},
    ),
    (architecture.private_parts, {"m.py": "from textual._xterm_parser import XTermParser\n"}),
]


@pytest.mark.parametrize(("rule", "left"), LEFT, ids=lambda value: getattr(value, "__name__", ""))
def test_the_structure_holds(rule: Rule, left: int) -> None:
    found = rule(PITREE)
    assert len(found) <= left, "\n".join([str(rule.__doc__), *found])


@pytest.mark.parametrize(("rule", "files"), PLANTED, ids=lambda value: getattr(value, "__name__", ""))
def test_a_planted_fault_is_found(rule: Rule, files: dict[str, str], tmp_path: Path) -> None:
    package = tmp_path / "pitree"
    package.mkdir()
    (package / "__init__.py").write_text("")
    assert not rule(Sources(tmp_path))
    for name, text in files.items():
        (package / name).write_text(text)
    assert rule(Sources(tmp_path))

"""Reads the sources of pitree as trees, and finds what the rules of its structure do not allow.

Each function takes `Sources` and gives its findings as lines, so that a test can hold it against the real
sources and against a small package with one planted fault.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

LONGEST_MODULE = 400
SHORTEST_MODULE = 40
MODULES_IN_A_FOLDER = 20
LINES_IN_A_FOLDER = 2_500
PARAMETERS = 6
COMPLEXITY = 10
BASES = 4
Function = ast.FunctionDef | ast.AsyncFunctionDef
_BRANCHES = (
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.IfExp,
    ast.ExceptHandler,
    ast.comprehension,
    ast.match_case,
)


@dataclass(frozen=True)
class Sources:
    """The modules of a package.

    Attributes:
        root: the folder that holds the package.
        package: its name.
    """

    root: Path
    package: str = "pitree"

    @cached_property
    def texts(self) -> dict[Path, str]:
        """Each module's text, by its path below `root`."""
        files = sorted((self.root / self.package).rglob("*.py"))
        return {file.relative_to(self.root): file.read_text(encoding="utf-8") for file in files}

    @cached_property
    def trees(self) -> dict[Path, ast.Module]:
        """Each module, parsed."""
        return {path: ast.parse(text) for path, text in self.texts.items()}

    @cached_property
    def names(self) -> dict[str, Path]:
        """Dotted name → path."""
        return {_dotted(path): path for path in self.texts}

    def lines(self, path: Path) -> int:
        """How many lines a module has."""
        return self.texts[path].count("\n")

    def walk(self) -> Iterator[tuple[Path, ast.AST]]:
        """All nodes of all modules."""
        for path, tree in self.trees.items():
            for node in ast.walk(tree):
                yield path, node

    def functions(self) -> Iterator[tuple[Path, Function]]:
        """All functions."""
        for path, node in self.walk():
            if isinstance(node, Function):
                yield path, node

    def classes(self) -> Iterator[tuple[Path, ast.ClassDef]]:
        """All classes."""
        for path, node in self.walk():
            if isinstance(node, ast.ClassDef):
                yield path, node

    def imported(self, node: ast.AST) -> list[str]:
        """The package's own modules that an import statement names."""
        if isinstance(node, ast.Import):
            return [alias.name for alias in node.names if alias.name in self.names]
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            return [name for name in whole if name in self.names] or [node.module] * (
                node.module in self.names
            )
        return []


def _dotted(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def sizes(sources: Sources) -> list[str]:
    """Modules that hold more than one idea, or less than one."""
    found = []
    for path in sources.texts:
        count = sources.lines(path)
        if count > LONGEST_MODULE:
            found.append(f"{path} has {count} lines: split it by what it holds (limit {LONGEST_MODULE})")
        elif count < SHORTEST_MODULE and path.name not in ("__init__.py", "__main__.py"):
            found.append(f"{path} has {count} lines: it belongs to a neighbour (at least {SHORTEST_MODULE})")
    return found


def folders(sources: Sources) -> list[str]:
    """Folders in which nobody finds anything."""
    modules: Counter[Path] = Counter()
    lines: Counter[Path] = Counter()
    for path in sources.texts:
        modules[path.parent] += 1
        lines[path.parent] += sources.lines(path)
    return [
        f"{folder}: {modules[folder]} modules, {lines[folder]} lines "
        f"(at most {MODULES_IN_A_FOLDER} and {LINES_IN_A_FOLDER})"
        for folder in modules
        if modules[folder] > MODULES_IN_A_FOLDER or lines[folder] > LINES_IN_A_FOLDER
    ]


def parameters(sources: Sources) -> list[str]:
    """Functions with more parameters than a reader keeps in mind; an object could hold them."""
    found = []
    for path, node in sources.functions():
        names = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        count = len(names) - (names[:1] in (["self"], ["cls"]))
        if count > PARAMETERS:
            found.append(f"{path}: {node.name} takes {count} parameters (at most {PARAMETERS})")
    return found


def complexity(sources: Sources) -> list[str]:
    """Functions with more ways through them than a reader follows: branches, loops, handlers, and/or."""
    return [
        f"{path}: {node.name} has {count} ways (at most {COMPLEXITY})"
        for path, node in sources.functions()
        if (count := 1 + sum(_ways(inner) for inner in _own(node))) > COMPLEXITY
    ]


def _ways(node: ast.AST) -> int:
    return len(node.values) - 1 if isinstance(node, ast.BoolOp) else isinstance(node, _BRANCHES)


def _own(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def deep_classes(sources: Sources) -> list[str]:
    """Classes that are put together from too many of our own."""
    bases = {node.name: [_last_name(base) for base in node.bases] for _, node in sources.classes()}

    def own(name: str, above: tuple[str, ...] = ()) -> set[str]:
        known = [base for base in bases[name] if base in bases and base not in (name, *above)]
        return {name}.union(*(own(base, (name, *above)) for base in known))

    return [
        f"{path}: {node.name} is made of {len(own(node.name))} of our classes (at most {BASES}): compose it"
        for path, node in sources.classes()
        if len(own(node.name)) > BASES
    ]


def _last_name(node: ast.expr) -> str:
    node = node.value if isinstance(node, ast.Subscript) else node
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def stubs(sources: Sources) -> list[str]:
    """Methods that only say that somebody else must have them."""
    return [
        f"{path}:{node.lineno} raises NotImplementedError: use a Protocol or an abstract method"
        for path, node in sources.walk()
        if isinstance(node, ast.Raise)
        and node.exc is not None
        and "NotImplementedError" in ast.dump(node.exc)
    ]


def loose_constructors(sources: Sources) -> list[str]:
    """Constructors that take whatever comes."""
    return [
        f"{path}:{node.lineno} takes *arguments: Any: name what it takes"
        for path, node in sources.functions()
        if node.name == "__init__" and node.args.vararg is not None and "Any" in ast.dump(node.args)
    ]


def imports_in_functions(sources: Sources) -> list[str]:
    """Imports that a reader of the first lines does not see."""
    return [
        f"{path}:{node.lineno}"
        for path, function in sources.functions()
        for node in _own(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]


def names_used_twice(sources: Sources) -> list[str]:
    """Public classes of one name and two meanings. Messages of a widget are known by the widget's name."""
    where = defaultdict(set)
    for path, tree in sources.trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                where[node.name].add(str(path))
    return [f"{name}: {', '.join(sorted(paths))}" for name, paths in where.items() if len(paths) > 1]


def circles(sources: Sources) -> list[str]:
    """Modules that import one another, imports for types and inside functions included."""
    edges: dict[str, set[str]] = {name: set() for name in sources.names}
    for name, path in sources.names.items():
        for node in ast.walk(sources.trees[path]):
            edges[name].update(sources.imported(node))
    return [" ↔ ".join(sorted(group)) for group in _components(edges) if len(group) > 1]


def _components(edges: dict[str, set[str]]) -> Iterable[list[str]]:
    """Strongly connected components (Kosaraju), without recursion."""
    order: list[str] = []
    seen: set[str] = set()
    for start in edges:
        stack = [(start, iter(edges[start]))] if start not in seen else []
        seen.add(start)
        while stack:
            name, below = stack[-1]
            following = next((one for one in below if one not in seen), None)
            if following is None:
                order.append(name)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(edges[following])))
    back: dict[str, list[str]] = defaultdict(list)
    for name, targets in edges.items():
        for target in targets:
            back[target].append(name)
    placed: set[str] = set()
    for start in reversed(order):
        group, waiting = [], [start]
        while waiting:
            name = waiting.pop()
            if name not in placed:
                placed.add(name)
                group.append(name)
                waiting += back[name]
        yield group


def private_parts(sources: Sources) -> list[str]:
    """Private modules and names of other packages: a minor release may change them."""
    found = []
    for path, node in sources.walk():
        if isinstance(node, ast.ImportFrom) and node.module and not node.module.startswith(sources.package):
            parts = [*node.module.split(".")[1:], *(alias.name for alias in node.names)]
            private = [part for part in parts if part.startswith("_") and not part.startswith("__")]
            if private and node.module.split(".")[0] not in ("__future__", "_typeshed"):
                found.append(f"{path}: {node.module}.{private[0]}")
    return found

"""Do the tests notice? Breaks the code in small ways, one at a time, and lists what no test saw.

    .venv-test/bin/python tools/mutate.py src/capolinea/engine --sample 200 --seed 1 \\
        --tests "tests/engine tests/conformance" --json mutants.json

The same seed on the same sources draws the same mutants. The work tree is never touched: every
worker has a copy of its own. With --json a run that was stopped goes on where it was, and after a
change of the tests only the survivors are tried again. A line with `# no mutate` is left alone.
"""

import argparse
import ast
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOT_COPIED = (".git", ".venv*", ".*cache", ".hypothesis", "__pycache__", "node_modules", "build")
MEMORY = 4 << 30  # bytes; a mutant that eats memory must not take the machine with it

COMPARISONS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
}
ARITHMETIC = {
    "+": "-",
    "-": "+",
    "*": "//",
    "//": "*",
    "/": "*",
    "%": "//",
    "**": "*",
    "<<": ">>",
    ">>": "<<",
    "&": "|",
    "|": "&",
    "^": "&",
}
ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
BOOLEAN = {"and": "or", "or": "and"}
# Longest first, so that "not in" is not taken for "in".
OPERATOR = re.compile(
    rb"\bnot\s+in\b|\bis\s+not\b|\b(?:in|is|and|or)\b|\*\*|//|<<|>>|[<>=!]=|[-+*/%<>&|^]"
)


@cache
def digest_of(path: Path) -> str:
    """Of the file as it was when it was first looked at: somebody may edit it during the run."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


@dataclass(frozen=True)
class Mutant:
    path: Path
    start: int  # these bytes of the file ...
    end: int
    text: str  # ... become this
    shown: tuple[int, int]  # the bytes around it that people are shown

    def apply(self, source: bytes) -> bytes:
        return source[: self.start] + self.text.encode() + source[self.end :]

    def valid(self) -> bool:
        """Whether it is Python, means something else, and may be touched."""
        source = self.path.read_bytes()
        line = source[source.rfind(b"\n", 0, self.start) + 1 :].split(b"\n", 1)[0]
        try:
            mutated = ast.parse(self.apply(source))
        except SyntaxError:
            return False
        return b"# no mutate" not in line and ast.dump(mutated) != ast.dump(ast.parse(source))

    def key(self) -> str:
        digest = digest_of(self.path)
        name = self.path.relative_to(ROOT).as_posix()
        return f"{name} {digest} {self.start}-{self.end} {self.text}"

    def __str__(self) -> str:
        source = self.path.read_bytes()
        first, last = self.shown
        before = source[first:last]
        after = source[first : self.start] + self.text.encode() + source[self.end : last]
        number = source.count(b"\n", 0, self.start) + 1
        line = source.splitlines()[number - 1].strip()
        where = "" if line in before else f"   in: {short(line)}"
        return f"{self.path.relative_to(ROOT)}:{number}: {short(before)} → {short(after)}{where}"


def short(code: bytes) -> str:
    line = " ".join(code.decode().split())
    return line if len(line) <= 90 else line[:87] + "..."


class Collector(ast.NodeVisitor):
    """Everything in one file that can be broken."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.source = path.read_bytes()
        self.lines = [0]  # where each begins
        for line in self.source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.in_function = False
        self.found: list[Mutant] = []
        self.visit(ast.parse(self.source))

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self.lines[node.lineno - 1] + node.col_offset
        return start, self.lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr | ast.stmt) -> str:
        return self.source[slice(*self.span(node))].decode()

    def replace(
        self, node: ast.expr | ast.stmt, text: str, shown: ast.expr | ast.stmt | None = None
    ) -> None:
        self.found.append(Mutant(self.path, *self.span(node), text, self.span(shown or node)))

    def swap(
        self,
        shown: ast.expr | ast.stmt,
        left: ast.expr,
        right: ast.expr,
        table: dict[str, str],
    ) -> None:
        """Exchange the operator that stands between two expressions."""
        begin, end = self.span(left)[1], self.span(right)[0]
        match = OPERATOR.search(self.source, begin, end)
        other = table.get(" ".join(match[0].decode().split())) if match else None
        if match and other:
            self.found.append(Mutant(self.path, *match.span(), other, self.span(shown)))

    def negate(self, test: ast.expr) -> None:
        match test:
            case ast.UnaryOp(op=ast.Not()):
                return  # the same as taking "not" away
            case ast.Compare(ops=[op]) if not isinstance(op, ORDERS):
                return  # the same as the other comparison
        self.replace(test, f"(not ({self.text(test)}))")

    def remove(self, statement: ast.stmt) -> None:
        # Outside functions it would break the import: any test sees that, it proves nothing.
        if self.in_function:
            self.replace(statement, "pass")

    # Definitions: decorators and annotations are left alone.

    def visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        marks = {ast.unparse(mark).split(".")[-1] for mark in node.decorator_list}
        if marks & {"abstractmethod", "overload"}:
            return
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        outside, self.in_function = self.in_function, True
        for statement in node.body:
            self.visit(statement)
        self.in_function = outside

    visit_FunctionDef = visit_function
    visit_AsyncFunctionDef = visit_function

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        outside, self.in_function = self.in_function, False
        for part in (*node.keywords, *node.body):
            self.visit(part)
        self.in_function = outside

    # Statements.

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return  # a docstring, or an ellipsis
        self.remove(node)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return
        self.remove(node)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and "TypeAlias" not in ast.unparse(node.annotation):
            self.remove(node)
            self.visit(node.value)

    def visit_TypeAlias(self, node: ast.stmt) -> None:
        """Only type checkers read `type X = ...`."""

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.remove(node)
        # `+=` is an operator followed by "=", which the pattern finds by its first part.
        if isinstance(node.target, ast.expr):
            self.swap(node, node.target, node.value, ARITHMETIC)
        self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        if "NotImplementedError" in ast.unparse(node):
            return
        self.remove(node)
        self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        self.remove(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Asserts say what is true anyway; no test can see that one is gone."""

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            self.replace(node.value, "None", node)
            self.visit(node.value)

    def visit_Break(self, node: ast.Break) -> None:
        self.replace(node, "continue")

    def visit_Continue(self, node: ast.Continue) -> None:
        self.replace(node, "break")

    def visit_If(self, node: ast.If) -> None:
        test = ast.unparse(node.test)
        if "TYPE_CHECKING" in test or "__name__" in test:
            for statement in node.orelse:
                self.visit(statement)
            return
        self.negate(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self.negate(node.test)
        self.generic_visit(node)

    def visit_match_case(self, node: ast.match_case) -> None:
        if node.guard is not None:
            self.negate(node.guard)
        self.generic_visit(node)

    # Expressions.

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self.negate(test)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, right in zip([node.left, *node.comparators], node.comparators, strict=False):
            self.swap(node, left, right, COMPARISONS)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        # Outside functions, "|" mostly stands between types.
        if self.in_function or not isinstance(node.op, ast.BitOr):
            self.swap(node, node.left, node.right, ARITHMETIC)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in zip(node.values, node.values[1:], strict=False):
            self.swap(node, left, right, BOOLEAN)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        self.replace(node, f"({self.text(node.operand)})")
        self.generic_visit(node)

    def visit_Slice(self, node: ast.Slice) -> None:
        for bound in (node.lower, node.upper):
            if bound is not None:
                # "a[b:c]" without b is "a[:c]": the whole of it, or all but one, is a usual slip.
                self.replace(bound, "None")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        match node.value:
            case bool(value):
                self.replace(node, str(not value))
            case int(value):
                self.replace(node, f"{value + 1}")
                self.replace(node, f"({value - 1})")
            case float(value):
                self.replace(node, f"{value + 1.0!r}")
            case str(value):
                self.replace(node, repr(f"{value}XX"))
            case bytes(value):
                self.replace(node, repr(value + b"XX"))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Positions inside f-strings are not exact before Python 3.12."""

    def visit_Call(self, node: ast.Call) -> None:
        name = ast.unparse(node.func).split(".")[-1]
        if name == "cast":
            self.visit(node.args[1])
        elif name not in {"TypeVar", "NewType"}:
            self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if ast.unparse(node.value).split(".")[-1] not in {"Literal", "Annotated", "Callable"}:
            self.generic_visit(node)


def draw(paths: list[Path], sample: int, seed: int) -> tuple[list[Mutant], int]:
    """The mutants to try, in the order of the sources, and how many there could be."""
    sources = {file for path in paths for file in (path.rglob("*.py") if path.is_dir() else [path])}
    everything = [mutant for file in sorted(sources) for mutant in Collector(file).found]
    order = {mutant: place for place, mutant in enumerate(everything)}
    shuffled = list(order)
    random.Random(seed).shuffle(shuffled)
    drawn: list[Mutant] = []
    for mutant in shuffled:
        if len(drawn) == sample:
            break
        if mutant.valid():
            drawn.append(mutant)
    return sorted(drawn, key=order.__getitem__), len(order)


class Campaign:
    """The mutants' fates, kept in a file as they come in."""

    def __init__(self, tests: list[str], memory: Path | None) -> None:
        self.tests = tests
        self.memory = memory
        self.fates: dict[str, str] = {}
        self.lock = threading.Lock()
        self.running: set[subprocess.Popen[str]] = set()
        self.stopped = False
        digest = hashlib.sha256(" ".join(tests).encode())
        for file in sorted((ROOT / "tests").rglob("*")):
            if file.suffix in {".py", ".json", ".jsonl"}:
                digest.update(file.read_bytes())
        self.against = digest.hexdigest()[:12]
        if memory and memory.exists():
            old = json.loads(memory.read_text())
            # What the tests killed stays dead; what survived other tests must be tried again.
            self.fates = {
                key: fate
                for key, fate in old["fates"].items()
                if fate != "survived" or old["tests"] == self.against
            }

    def run_tests(self, tree: Path, timeout: float | None) -> tuple[str, str]:
        """What happens to the mutant in this copy: killed, survived, timeout; and the output."""
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *self.tests],
            cwd=tree,
            # Python trusts a cached .pyc when time and size agree, and with mutants they often do.
            env=os.environ | {"PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.running.add(process)
        try:
            output = process.communicate(timeout=timeout)[0]
        except subprocess.TimeoutExpired:
            kill(process)
            return "timeout", ""
        finally:
            self.running.discard(process)
        return ("killed" if process.returncode else "survived"), output

    def record(self, mutant: Mutant, fate: str) -> None:
        with self.lock:
            self.fates[mutant.key()] = fate
            if self.memory:
                unfinished = self.memory.with_suffix(".tmp")
                content = {"tests": self.against, "fates": self.fates}
                unfinished.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
                unfinished.replace(self.memory)

    def run(self, mutants: list[Mutant], jobs: int, factor: float) -> None:
        unknown = [mutant for mutant in mutants if mutant.key() not in self.fates]
        total, known = len(unknown), len(self.fates)
        if not total:
            return
        todo = iter(unknown)  # a list's iterator may be shared by threads
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            trees = [Path(folder, str(number)) for number in range(jobs)]
            for tree in trees:
                shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*NOT_COPIED))
            start = time.monotonic()
            fate, output = self.run_tests(trees[0], None)
            if fate != "survived":
                sys.exit(f"The tests must pass before anything is broken:\n{output[-3000:]}")
            seconds = time.monotonic() - start
            timeout = max(10.0, seconds * factor)
            note(f"{total} mutants to try; the tests take {seconds:.1f} s, {jobs} at a time")

            def work(tree: Path) -> None:
                while mutant := next(todo, None):
                    copy = tree / mutant.path.relative_to(ROOT)
                    source = copy.read_bytes()
                    copy.write_bytes(mutant.apply(source))
                    fate = self.run_tests(tree, timeout)[0]
                    if self.stopped:
                        return
                    copy.write_bytes(source)
                    self.record(mutant, fate)
                    note(f"[{len(self.fates) - known}/{total}] {fate:<8} {mutant}")

            workers = [threading.Thread(target=work, args=(tree,), daemon=True) for tree in trees]
            for worker in workers:
                worker.start()
            try:
                for worker in workers:
                    worker.join()
            finally:
                self.stopped = True
                for process in list(self.running):
                    kill(process)


def kill(process: subprocess.Popen[str]) -> None:
    """The tests, and whatever they have started."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def limit_memory() -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files or folders")
    parser.add_argument("--tests", required=True, help="what pytest runs, in one argument")
    parser.add_argument("--sample", type=int, default=200, help="how many mutants (200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout-factor", type=float, default=5.0, help="times the tests' time")
    parser.add_argument("--json", type=Path, metavar="OUT", help="remember every mutant's fate")
    asked = parser.parse_args()

    limit_memory()
    mutants, possible = draw([path.resolve() for path in asked.paths], asked.sample, asked.seed)
    campaign = Campaign(asked.tests.split(), asked.json)
    try:
        campaign.run(mutants, asked.jobs, asked.timeout_factor)
    except KeyboardInterrupt:
        note("stopped")
        return 130
    fates = [campaign.fates[mutant.key()] for mutant in mutants]
    for mutant, fate in zip(mutants, fates, strict=True):
        if fate == "survived":
            print(mutant)
    dead = len(fates) - fates.count("survived")
    print(
        f"{dead} of {len(fates)} killed ({dead / max(1, len(fates)):.1%}), "
        f"{fates.count('timeout')} of them by time; drawn from about {possible}, seed {asked.seed}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

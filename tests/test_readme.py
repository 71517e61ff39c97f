"""The README is run: its Python as a doctest, its commands through the real command line, its SQL in a plain engine."""

from __future__ import annotations

import ast
import doctest
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path

import click
import duckdb
import pytest
from click.testing import CliRunner

import claimbase as cb
from claimbase import errors
from claimbase.cli import main
from claimbase.cli.failing import exit_code
from claimbase.constraints import format_constraint, parse_constraint, typed
from claimbase.store import engine

CHECKOUT = Path(__file__).resolve().parents[1]
README = (CHECKOUT / "README.md").read_text("utf-8")
PROSE = ("README.md", "CHANGELOG.md", "sql/README.md", "seeds/README.md")
FENCE = re.compile(r"^```(?P<kind>\w+)(?: (?P<name>[\w.-]+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)

# The glossary has other words for these; `from_latest` is a column's name and no word of prose.
AVOIDED = re.compile(r"\b(facts?|timestamps?|current values?|latest|deletes?|deleted|truth scores?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of the README."""

    line: int
    kind: str
    name: str
    text: str


@dataclass(slots=True)
class Command:
    """A command of the README and what is shown below it."""

    line: int
    words: tuple[str, ...]
    exit: int
    shown: list[str] = field(default_factory=list)


def blocks(*kinds: str) -> list[Block]:
    """The README's fenced blocks of some kinds, in order."""
    found = []
    for match in FENCE.finditer(README):
        line = README.count("\n", 0, match.start("text")) + 1
        found.append(Block(line, match["kind"], match["name"] or "", match["text"]))
    return [block for block in found if block.kind in kinds]


def commands(block: Block) -> list[Command]:
    """The commands of a console block; a trailing `# exit N` states the exit code, without one it is 0."""
    found: list[Command] = []
    for number, text in enumerate(block.text.splitlines(), block.line):
        if text.startswith("$ "):
            said = re.search(r"\s# exit (\d+)$", text)
            words = shlex.split(text[2 : said.start() if said else None])
            assert words[0] == "claimbase", f"README line {number}: not a command of ours"
            found.append(Command(number, tuple(words[1:]), int(said[1]) if said else 0))
        else:
            found[-1].shown.append(text)
    return found


COMMANDS = [command for block in blocks("console") for command in commands(block)]


def matches(shown: Sequence[str], printed: Sequence[str]) -> bool:
    """Whether what is shown was printed; a line `...` stands for any lines, `...` in a line for any characters."""
    if not shown:
        return True
    chunks: list[list[re.Pattern[str]]] = [[]]
    for line in shown:
        if line.strip() == "...":
            chunks.append([])
        else:
            chunks[-1].append(re.compile(".*".join(map(re.escape, line.rstrip().split("...")))))
    at = 0
    for number, chunk in enumerate(chunks):
        first, last = number == 0, number == len(chunks) - 1
        places = [at] if first else range(at, len(printed) - len(chunk) + 1)
        if last and chunk:
            places = [place for place in places if place + len(chunk) == len(printed)]
        place = next((place for place in places if _stands(chunk, printed[place : place + len(chunk)])), None)
        if place is None:
            return False
        at = place + len(chunk)
    return True


def _stands(chunk: Sequence[re.Pattern[str]], lines: Sequence[str]) -> bool:
    return len(chunk) == len(lines) and all(line.fullmatch(text) for line, text in zip(chunk, lines, strict=True))


def invoke(words: Sequence[str]) -> tuple[int, list[str]]:
    """Run a command in this process: its exit code and all it wrote, talk included."""
    done = CliRunner().invoke(main, list(words), prog_name="claimbase", catch_exceptions=False)
    return done.exit_code, [line.rstrip() for line in done.output.splitlines()]


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[int, tuple[int, list[str]]]]:
    """The README played in an empty folder, in order: its files written, its commands run; results by line."""
    folder, done = tmp_path_factory.mktemp("readme"), {}
    with chdir(folder):
        for block in blocks("console", "jsonl", "json", "toml", "markdown"):
            if block.name:
                Path(block.name).write_text(block.text, "utf-8")
            if block.kind == "console":
                done |= {command.line: invoke(command.words) for command in commands(block)}
    return folder, done


# -- what is shown is what happens -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "printed", "expected"),
    [
        (["a", "b"], ["a", "b"], True),
        (["a"], ["a", "b"], False),
        (["a", "..."], ["a", "b"], True),
        (["...", "b"], ["a", "b"], True),
        (["...", "b"], ["b", "a"], False),
        (["a", "...", "a"], ["a"], False),
        (["a", "...", "c", "d"], ["a", "c", "b", "c", "d"], True),
        (["x ... z"], ["x 1.5 y z"], True),
        (["x. z"], ["xy z"], False),
    ],
)
def test_shown_lines_are_compared(shown: list[str], printed: list[str], expected: bool) -> None:
    """House rule: the comparison below can fail: only `...` stands for what is left out."""
    assert matches(shown, printed) is expected


@pytest.mark.parametrize("command", COMMANDS, ids=[f"line {one.line}: {one.words[0]}" for one in COMMANDS])
def test_commands_do_what_is_shown(command: Command, played: tuple[Path, dict[int, tuple[int, list[str]]]]) -> None:
    """Models, habits: every command of the README runs, ends as stated and prints what stands below it."""
    code, printed = played[1][command.line]
    assert code == command.exit, "\n".join(printed)
    assert matches(command.shown, printed), "\n".join(printed)


def test_python_does_what_is_shown(tmp_path: Path) -> None:
    """Models, habits: the Python of the README is a doctest; its clock stands still, so its results are fixed."""
    lines = [""] * (README.count("\n") + 1)
    for block in blocks("python"):
        text = block.text.splitlines()
        lines[block.line - 1 : block.line - 1 + len(text)] = text
    for block in blocks("jsonl", "json", "toml", "markdown"):
        (tmp_path / block.name).write_text(block.text, "utf-8")
    tour = doctest.DocTestParser().get_doctest("\n".join(lines), {}, "README", "README.md", 0)
    assert len(tour.examples) > 20
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    with chdir(tmp_path):
        failed, _ = runner.run(tour, out=said.append)
    assert failed == 0, "".join(said)


@pytest.fixture(scope="session")
def added(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base as `init` and `add` leave it: nothing opened it since the claims came in."""
    folder = tmp_path_factory.mktemp("added")
    (given,) = (block for block in blocks("jsonl") if block.name == "claims.jsonl")
    (folder / given.name).write_text(given.text, "utf-8")
    with cb.open(folder / "my.duckdb") as kb:
        kb.add(folder / given.name)
    return folder / "my.duckdb"


def plain_rows(base: Path, zone: str, text: str) -> list[list[tuple[object, ...]]]:
    """The rows of each statement of a text, in a plain connection that stands in some zone."""
    with duckdb.connect(base, read_only=True) as plain:
        plain.execute("SET TimeZone = '" + zone + "'")
        return [plain.execute(statement).fetchall() for statement in text.split(";") if statement.strip()]


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Tokyo"])
@pytest.mark.parametrize("block", blocks("sql"), ids=lambda block: f"line {block.line}")
def test_sql_runs_in_any_client(block: Block, zone: str, added: Path) -> None:
    """Platform 2.3: the public macros answer in a plain connection, alike in every zone; now is the caller's."""
    found = plain_rows(added, zone, block.text)
    assert [] not in found
    assert found == plain_rows(added, "UTC", block.text)


def test_constraints_are_read() -> None:
    """Work order: every constraint in the README's table is one, and writes itself back."""
    table = README.split("| constraint | means |")[1].split("\n\n")[0]
    found = re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)
    assert len(found) >= 10
    with cb.open() as kb:
        for text in found:
            condition = parse_constraint(text)
            typed(condition, kb.vocabulary())
            assert parse_constraint(format_constraint(condition)) == condition


def test_newcomers_line_answers() -> None:
    """Work order: the one line a newcomer pastes ends in a cited answer from the shipped seeds."""
    (line,) = re.findall(r"^python3 -m venv \.venv && .*claimbase ask .*$", README, re.MULTILINE)
    make, install, ask = line.split(" && ")
    assert (make, install) == ("python3 -m venv .venv", ".venv/bin/pip install -e .")
    path, *words = shlex.split(ask)
    assert path == ".venv/bin/claimbase"
    code, printed = invoke(words)
    assert code == 0
    page = "\n".join(printed)
    parts = (
        "Claude Haiku 4.5 (Anthropic)",
        "Gemini 2.5 Flash (Google)",
        "Disputed",
        "Near misses",
        "Freshness",
        "Plan",
    )
    assert [part for part in parts if part not in page] == []
    assert re.search(r"“.+”\n\s+https://\S+.*\n\s+observed \d{4}-\d\d-\d\d", page), "a value without its evidence"


# -- nothing is missing ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", cb.__all__)
def test_public_names_are_told(name: str) -> None:
    """Models, habits: every public name appears in the README."""
    assert re.search(rf"\bcb\.{name}\b", README)


def every_command(group: click.Group, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command of the command line, those below a group by all their words."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from every_command(command, (*before, name))
        else:
            yield (*before, name)


@pytest.mark.parametrize("words", list(every_command(main)), ids=" ".join)
def test_commands_are_shown(words: tuple[str, ...]) -> None:
    """Models, habits: every command is shown, and so run, at least once."""
    assert any(set(words) <= set(command.words) and command.words[0] == words[0] for command in COMMANDS)


def raised() -> Iterator[str]:
    """Every error code that stands in the package."""
    for path in sorted((CHECKOUT / "claimbase").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "code":
                chosen = node.value
                ends = [chosen.body, chosen.orelse] if isinstance(chosen, ast.IfExp) else [chosen]
                yield from (one.value for one in ends if isinstance(one, ast.Constant))
    yield from (code for _, _, code, _ in engine._MAPPED)
    for path in sorted((CHECKOUT / "sql").rglob("*.sql")):
        yield from re.findall(r"'\w+Error\.(\w+)'", path.read_text("utf-8"))


def test_error_codes_are_told() -> None:
    """Reliability C14: the README lists every class and code, and no code that nothing raises."""
    section = README.split("## Errors and exit codes")[1].split("\n## ")[0]
    kinds = {one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.ClaimbaseError)}
    rows = re.findall(r"^\| `\w+Error` .*$", section, re.MULTILINE)
    told = set(re.findall(r"`([a-z_]+)`", "\n".join(rows))) | {"error"}
    codes = {*raised(), *(kind.code for kind in kinds)}
    assert sorted(codes - told) == []
    assert sorted(told - codes) == []
    assert [kind.__name__ for kind in kinds if f"`{kind.__name__}`" not in section] == []


def test_exit_codes_are_told() -> None:
    """Work order: the table of exit codes says for each error class what the command line ends with."""
    section = README.split("## Errors and exit codes")[1].split("\n## ")[0]
    told = {name: int(code) for code, names in re.findall(r"^\| (\d+) \| (.*) \|$", section, re.MULTILINE)
            for name in re.findall(r"`(\w+Error)`", names)}  # fmt: skip
    assert told
    assert told == {name: exit_code(getattr(errors, name)("x")) for name in told}
    assert {"ClaimbaseError", "QuestionError", "StoreError"} <= set(told)


@pytest.mark.parametrize("name", PROSE)
def test_links_lead_somewhere(name: str) -> None:
    """House rule: a relative link names a file of the checkout."""
    page = CHECKOUT / name
    links = [link for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("name", PROSE)
def test_glossary_is_kept(name: str) -> None:
    """Architecture 7: one word for one thing; the words to avoid do not stand in our prose."""
    assert AVOIDED.findall((CHECKOUT / name).read_text("utf-8")) == []

"""What ships, how it starts, and what may not stand in the tree."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from claimbase.files import folder

CHECKOUT = Path(__file__).resolve().parents[1]
ENGINES = ("duckdb", "pint", "pydantic", "sqlglot")
FRAMES = ("numpy", "pandas", "polars", "pyarrow")
SHIPPED = ("sql", "seeds")

# Where people and build machines keep things. In a web address the same words have letters before their "/".
MACHINE_TOPS = ("root", "home", "Users", "work", "tmp", "opt", "mnt")

# Shapes that only a statement has; a sentence that merely says "select" or "update" is no SQL.
STATEMENT = re.compile(
    r"\bselect\b.*\bfrom\b|\binsert\s+into\b|\bdelete\s+from\b|\bupdate\b.+\bset\b.+=|\bset\s+(global|session)\b"
    r"|\b(create|drop|alter)\s+(or\s+replace\s+)?(temp\w*\s+)?(table|view|macro|schema|sequence|index|type|trigger)\b"
    r"|\bwith\s+\w+\s+as\s*\(|\bcopy\b.+\b(to|from)\s+'|\battach\s+'|\bpragma\s+\w+",
    re.IGNORECASE | re.DOTALL,
)


def run(*command: str | Path, cwd: Path = CHECKOUT, timeout: int = 300) -> str:
    """Run a command and give back what it printed; a failure shows everything it said."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 0, f"{command} exited {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def project() -> dict[str, object]:
    """The [project] table of pyproject.toml."""
    return tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]


def tree() -> list[Path]:
    """Every file that is, or is about to be, in the repository."""
    if not (CHECKOUT / ".git").exists():
        pytest.skip("not a git checkout")
    names = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    return [path for name in names if name and (path := CHECKOUT / name).is_file()]


# -- what ships ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED)
def test_no_python_in_shipped_folders(name: str) -> None:
    """Platform 12: no .py lives in sql/ or seeds/, or the editable build refuses to move them."""
    assert [path.name for path in (CHECKOUT / name).rglob("*.py")] == []


@pytest.mark.parametrize("name", SHIPPED)
def test_folder_finds_the_checkout(name: str) -> None:
    """Platform 12: in a checkout the shipped folders are the ones beside the package, not copies."""
    if not (CHECKOUT / name).is_dir():
        pytest.skip(f"no {name}/ yet")
    found = folder(name)
    assert isinstance(found, Path)
    assert found.samefile(CHECKOUT / name)


def test_folder_prefers_the_installed_one(tmp_path: Path) -> None:
    """Platform 12: in an installed package, zipped too, the shipped folders lie inside it."""
    archive = tmp_path / "package.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("claimbase/__init__.py", "")
        packed.write(CHECKOUT / "claimbase" / "files.py", "claimbase/files.py")
        packed.writestr("claimbase/sql/queries/one.sql", "-- one\n")
    script = "from claimbase.files import folder; print((folder('sql') / 'queries' / 'one.sql').read_text())"
    printed = run(sys.executable, "-c", f"import sys; sys.path.insert(0, {str(archive)!r}); {script}", cwd=tmp_path)
    assert printed.strip() == "-- one"


FOLDERS_OF_AN_INSTALL = f"""
import json
from importlib.resources import files
print(json.dumps({{name: (files('claimbase') / name).is_dir() for name in {SHIPPED!r}}}))
"""


@pytest.mark.slow
def test_wheel_works_in_a_fresh_environment(tmp_path: Path) -> None:
    """Platform 12: the wheel, built from the sdist, installs beside nothing else and its command runs."""
    run(sys.executable, "-m", "build", "--outdir", tmp_path / "dist", timeout=600)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    expected = {path.relative_to(CHECKOUT).as_posix() for name in SHIPPED for path in shipped_files(name)}
    assert {f"claimbase/{name}" for name in expected} <= inside
    assert {"claimbase/py.typed", "claimbase/files.py"} <= inside
    assert {name.split("/")[0] for name in inside} == {"claimbase", f"claimbase-{project()['version']}.dist-info"}

    home = tmp_path / "fresh"
    venv.create(home)
    bin_folder = home / ("Scripts" if os.name == "nt" else "bin")
    run(sys.executable, "-m", "pip", "--python", bin_folder / "python", "install", "--quiet", wheel, timeout=900)
    seen = run(bin_folder / "python", "-c", FOLDERS_OF_AN_INSTALL, cwd=tmp_path)
    assert json.loads(seen) == {name: (CHECKOUT / name).is_dir() for name in SHIPPED}
    if (CHECKOUT / "claimbase" / "cli").exists():
        assert str(project()["version"]) in run(bin_folder / "claimbase", "--version", cwd=tmp_path)


def shipped_files(name: str) -> Iterator[Path]:
    """The files of a shipped folder that are in the repository."""
    return (path for path in tree() if path.is_relative_to(CHECKOUT / name))


# -- pins ------------------------------------------------------------------------------------------------------------


def locked() -> dict[str, list[Requirement]]:
    """The lock file's pins by canonical name; a package may be pinned twice, for different Pythons."""
    text = (CHECKOUT / "requirements.lock").read_text("utf-8")
    pins: dict[str, list[Requirement]] = {}
    for line in re.findall(r"^([\w.\-\[\]]+==[^\\#\n]+)", text, re.MULTILINE):
        pin = Requirement(line.strip())
        pins.setdefault(canonicalize_name(pin.name), []).append(pin)
    return pins


def test_lock_names_no_host() -> None:
    """Platform 13: the lock file holds pins and hashes only: no address, no index, no option."""
    text = (CHECKOUT / "requirements.lock").read_text("utf-8")
    assert re.findall(r"\S*(?://|@)\S*", text) == []
    assert set(re.findall(r"^\s*(-[\w-]*)", text, re.MULTILINE)) == {"--hash"}
    assert not re.search(r"(?<![\w.-])(?:[a-z0-9-]+\.)+(?:com|dev|internal|io|local|net|org)\b", text)


def test_lock_hashes_every_pin() -> None:
    """Platform 13: `pip install --require-hashes` needs a SHA-256 on every pin."""
    text = (CHECKOUT / "requirements.lock").read_text("utf-8")
    blocks = re.split(r"^(?=[\w.-]+(?:\[[^]]*\])?==)", text, flags=re.MULTILINE)[1:]
    assert len(blocks) == sum(map(len, locked().values()))
    unhashed = [block.split()[0] for block in blocks if not re.search(r"--hash=sha256:[0-9a-f]{64}\b", block)]
    assert unhashed == []


def test_lock_serves_what_is_declared() -> None:
    """Platform 1: each dependency, core and dev, has a pin within its declared range."""
    declared = project()
    extras = declared["optional-dependencies"]
    wanted = [Requirement(text) for text in [*declared["dependencies"], *extras["frames"], *extras["dev"]]]
    pins = locked()
    for requirement in wanted:
        if requirement.name == declared["name"]:
            continue
        found = [pin.specifier for pin in pins.get(canonicalize_name(requirement.name), [])]
        versions = [next(iter(specifier)).version for specifier in found]
        assert versions, f"{requirement} has no pin"
        assert all(requirement.specifier.contains(version) for version in versions), f"{requirement}: {versions}"


def test_readme_and_ci_say_the_same_commands() -> None:
    """Platform 13: what a newcomer is told to run is what CI runs, and it is two commands to install, one to test."""
    readme = CHECKOUT / "README.md"
    if not readme.exists():
        pytest.skip("no README.md yet")
    told, done = readme.read_text("utf-8"), (CHECKOUT / ".ci" / "run").read_text("utf-8")
    for command in ("python3 -m venv .venv", '.venv/bin/pip install -e ".[dev]"', ".venv/bin/pytest"):
        line = re.compile(rf"^\s*{re.escape(command)}\s*(#|$)", re.MULTILINE)
        assert line.search(told), f"README.md lacks: {command}"
        assert line.search(done), f".ci/run lacks: {command}"


# -- start-up --------------------------------------------------------------------------------------------------------

START = """
import json, sys
try:
    {statement}
except SystemExit as done:
    assert not done.code, done.code
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("needs", "statement"),
    [
        ("__init__.py", "import claimbase; dir(claimbase)"),
        ("cli/__init__.py", "sys.argv = ['claimbase', '--help']; from claimbase.cli import main; main()"),
        ("cli/__init__.py", "sys.argv = ['claimbase', '--version']; from claimbase.cli import main; main()"),
    ],
)
def test_start_imports_no_engine(needs: str, statement: str) -> None:
    """Platform 9: importing the package, `--help` and `--version` load no engine; a time limit would be flaky."""
    if not (CHECKOUT / "claimbase" / needs).exists():
        pytest.skip(f"no claimbase/{needs} yet")
    done = subprocess.run(
        [sys.executable, "-c", START.format(statement=statement)],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    loaded = set(json.loads(done.stderr.splitlines()[-1]))
    assert "claimbase" in loaded
    assert loaded.isdisjoint({*ENGINES, *FRAMES}), loaded & {*ENGINES, *FRAMES}


# -- layers ----------------------------------------------------------------------------------------------------------


def test_imports_go_down_only() -> None:
    """Architecture 1: the layers hold, and every module has its place in them."""
    assert "0 broken" in run(Path(sys.executable).with_name("lint-imports"), "--no-cache")


def imported(path: Path) -> Iterator[str]:
    """The top-level names that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


@pytest.mark.slow
def test_one_owner_per_engine() -> None:
    """Architecture 2, reliability C1: one room owns DuckDB, and pandas or friends never load with a module."""
    package = CHECKOUT / "claimbase"
    modules = {path.relative_to(package).as_posix(): set(imported(path)) for path in package.rglob("*.py")}
    owners = {engine: {name for name, names in modules.items() if engine in names} for engine in ENGINES}
    assert {name for name in owners["duckdb"] if not re.match(r"store(\.py|/)", name)} == set()
    assert owners["pint"] <= {"quantities.py", "units.py"}


# -- what may not stand in the tree ----------------------------------------------------------------------------------


def interpolated(source: str) -> Iterator[str]:
    """The texts of a module that are put together at run time: f-strings, `%`, `.format` and `+`."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.JoinedStr(values=parts) if any(isinstance(part, ast.FormattedValue) for part in parts):
                yield "?".join(part.value for part in parts if isinstance(part, ast.Constant))
            case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod() | ast.Add()):
                yield text
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
                yield text


@pytest.mark.parametrize(
    "source",
    [
        'f"select {x} from cb.claim"',
        'f"SELECT *\\nFROM {x}"',
        'f"delete from cb.{x}"',
        'f"set global timezone = {x}"',
        '"create or replace table %s" % x',
        '"insert into {} values (1)".format(x)',
        '"select 1 from " + x',
        'f"with a as (select {x}) table a"',
    ],
)
def test_built_sql_is_noticed(source: str) -> None:
    """Architecture 3: the check below sees each way of building a statement from strings."""
    assert [text for text in interpolated(source) if STATEMENT.search(text)] != []


def test_no_sql_is_built_from_strings() -> None:
    """Architecture 3: SQL stands in sql/*.sql or is made by the compiler as expressions, values always parameters."""
    built = [
        (path.name, text)
        for path in (CHECKOUT / "claimbase").rglob("*.py")
        for text in interpolated(path.read_text("utf-8"))
        if STATEMENT.search(text)
    ]
    assert built == []


def machine_paths(text: str) -> list[str]:
    """The absolute paths of some machine that a text holds."""
    here = {str(place).lstrip("/") for place in (CHECKOUT, CHECKOUT.parent, Path.home())} - {""}
    tops = "|".join(map(re.escape, sorted({*here, *MACHINE_TOPS})))
    return re.findall(rf"(?<![\w.</-])/(?:{tops})/\w+", text)


@pytest.mark.parametrize("top", MACHINE_TOPS)
def test_machine_paths_are_noticed(top: str) -> None:
    """House rule: the check below sees a path of a machine, and takes no web address for one."""
    assert machine_paths(f"cd /{top}/claims") != []
    assert machine_paths(f"https://example.org/{top}/claims") == []


SECRET = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:sk|pk|ghp|gho|glpat|xox[abp])[-_][A-Za-z0-9_-]{20,}|\bAKIA[0-9A-Z]{16}\b"
)


@pytest.mark.covers("M09")
def test_no_secret_in_the_tree() -> None:
    """House rule: no key and no token of any service stands in the repository; nothing here opens a connection."""
    assert SECRET.search("sk-" + "a1" * 12)
    found = [path.name for path in tree() if SECRET.search(path.read_text("utf-8", errors="replace"))]
    assert found == []


def test_no_path_of_a_machine_in_the_tree() -> None:
    """House rule: nothing in the repository depends on, or tells of, one machine's folders."""
    found = {}
    for path in tree():
        try:
            paths = machine_paths(path.read_text("utf-8"))
        except UnicodeDecodeError:
            continue
        if paths:
            found[path.relative_to(CHECKOUT).as_posix()] = paths
    assert found == {}

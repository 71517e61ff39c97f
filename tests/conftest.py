"""What every test may ask for: the checkout, the shared cases beside it, and one seed for all randomness."""

from __future__ import annotations

import gc
import importlib
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path

import copies
import pytest
from hypothesis import core, settings
from kit import short_plans

from claimbase.store import engine

CHECKOUT = Path(__file__).resolve().parents[1]
SEED = pytest.StashKey[int]()
# Files that take longest, by default or with `-m slow`: they begin first, so that no process works on alone at the end.
LONGEST = (
    "conformance", "readme", "environment", "stateful", "verb_sequences", "ledger", "faults", "quote_mutations", "fuzz",
    "replay", "bad_input_arguments", "derivation", "orders", "torn", "sandbox_fuzzed", "when", "locks", "diff",
    "sandbox_bombs", "keeping_back", "sandbox_mutated", "portable", "cli", "keeping_readers", "killed", "watches",
    "notebooks", "verify", "verbs", "real_contradictions", "packaging", "threads", "keeping_export", "clock_back",
    "contradictions", "bad_input_files", "keeping", "erase", "sandbox_tool", "keeping_migrate", "ingest", "agents",
    "corroboration",
)  # fmt: skip

# A busy machine is no defect: no deadline per example. The blob lets one failing example be replayed.
settings.register_profile("claimbase", deadline=None, print_blob=True)
settings.load_profile("claimbase")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose the seed of this run: CLAIMBASE_SEED if it is set ("random" draws one), else always the same."""
    given = os.environ.get("CLAIMBASE_SEED", "20261129")
    config.stash[SEED] = random.SystemRandom().getrandbits(32) if given == "random" else int(given)
    if config.getoption("--hypothesis-seed", default=None) is None:
        core.global_force_seed = config.stash[SEED]
    if not hasattr(config, "workerinput"):
        _ready_children(config)


def _ready_children(config: pytest.Config) -> None:
    """Spare the processes that a run starts work that proves nothing.

    The engine frees little pieces by the million: the allocator may keep them, which saves a fifth of planning (only
    glibc listens). Modules are compiled once a run, in a folder that goes with it, though nobody wants bytecode here.
    """
    os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.tcache_count=60000")
    if sys.dont_write_bytecode:
        folder = tempfile.TemporaryDirectory(prefix="claimbase-bytecode-", ignore_cleanup_errors=True)
        config.add_cleanup(folder.cleanup)
        os.environ["PYTHONPYCACHEPREFIX"] = folder.name
        os.environ["PYTHONDONTWRITEBYTECODE"] = ""


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Let each process of a whole run compile other files first, and find the rest compiled by its neighbours.

    Rewriting their assertions takes most of the time of a collection.
    """
    told = getattr(session.config, "workerinput", None)
    if told is None or session.config.args != session.config.getini("testpaths"):
        return
    files = sorted(path.stem for path in Path(__file__).parent.glob("test_*.py"))
    place = len(files) * int(told["workerid"].removeprefix("gw")) // told["workercount"]
    for name in (*files[place:], *files[:place]):
        with suppress(Exception, pytest.skip.Exception):  # told when the file is collected
            importlib.import_module(name)


def pytest_collection_finish() -> None:
    """Tell the collector of garbage that thousands of collected tests stay: it need not look at them again."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files that take longest first; the others follow in the order of their names."""
    first = {f"test_{name}": place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: first.get(item.path.stem, len(first)))


def pytest_report_header(config: pytest.Config) -> str:
    """Print the seed where every run shows it."""
    return f"CLAIMBASE_SEED={config.stash[SEED]}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Print the seed beside each failure, so that the failure can be replayed."""
    report = yield
    if report.failed:
        report.sections.append(("seed", f"replay with CLAIMBASE_SEED={item.config.stash[SEED]}"))
    return report


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """A generator for this test alone: same seed, same test, same numbers, in whatever order tests run."""
    return random.Random(f"{request.config.stash[SEED]}:{request.node.nodeid}")


@pytest.fixture(scope="session", autouse=True)
def _seeds() -> Iterator[None]:
    """Load the shipped seeds once a process and copy them wherever they are asked for: a test proves the copy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("claimbase.base.demo", copies.demo)
        yield


@pytest.fixture(scope="session", autouse=True)
def _plans(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the default run ask by short plans and one thread: its bases are small. Some of the slow run are not."""
    with pytest.MonkeyPatch.context() as patch:
        if request.config.option.markexpr == "not slow":
            patch.setitem(engine._CONFIG, "disabled_optimizers", short_plans())
            patch.setitem(engine._CONFIG, "threads", 1)
        yield


@pytest.fixture(scope="session", autouse=True)
def _files(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the default run make new files by copying what is the same in all of them; the slow run makes each."""
    with copies.quick_files() if request.config.option.markexpr == "not slow" else nullcontext():
        yield


@pytest.fixture(scope="session")
def kept_whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed base that holds everything a copy may lose; made once a process."""
    from kept_world import world

    path = tmp_path_factory.mktemp("kept") / "whole.duckdb"
    world(path).close()
    return path


@pytest.fixture
def kept(kept_whole: Path, tmp_path: Path) -> Path:
    """A copy of that base that a test may do anything with."""
    for ending in ("", ".head"):
        shutil.copy(f"{kept_whole}{ending}", tmp_path / f"a.duckdb{ending}")
    return tmp_path / "a.duckdb"


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The top of the checkout."""
    return CHECKOUT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The design's cases and real data, where they lie beside the checkout; never the only proof of anything."""
    folder = CHECKOUT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("no shared folder beside this checkout")
    return folder

"""Engines a plan is exported to: DataFusion in this process, PostgreSQL as a private server for the length of a run."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
from datafusion import SessionConfig, SessionContext

from .copying import Rows, Table

ARROW = {
    "BIGINT": pa.int64(), "BOOLEAN": pa.bool_(), "DECIMAL(38,12)": pa.decimal128(38, 12), "INTEGER": pa.int32(),
    "SMALLINT": pa.int16(), "TIMESTAMP WITH TIME ZONE": pa.timestamp("us", tz="UTC"), "UBIGINT": pa.uint64(),
    "VARCHAR": pa.string(),
}  # fmt: skip
POSTGRES = {
    "BIGINT": "bigint", "BOOLEAN": "boolean", "DECIMAL(38,12)": "numeric(38, 12)", "INTEGER": "integer",
    "SMALLINT": "smallint", "TIMESTAMP WITH TIME ZONE": "timestamptz", "UBIGINT": "numeric(20)", "VARCHAR": "text",
}  # fmt: skip


class Engine(Protocol):
    """An engine that can hold the tables of a base."""

    dialect: str

    def hold(self, tables: Mapping[str, Table]) -> None:
        """Hold these tables in schema cb, and nothing of what was held before in them."""

    def run(self, sql: str) -> Rows:
        """Run one statement and give all of its rows."""


class DataFusion:
    """Arrow tables in memory; one partition, these worlds are small."""

    dialect = "datafusion"

    def __init__(self) -> None:
        self._context = SessionContext()

    def hold(self, tables: Mapping[str, Table]) -> None:
        """Register each table from Arrow."""
        self._context = SessionContext(SessionConfig().with_target_partitions(1))
        self._context.sql("CREATE SCHEMA cb").collect()
        for name, table in tables.items():
            columns = [pa.array(values, ARROW[kind]) for values, kind in zip(table.columns(), table.kinds, strict=True)]
            self._context.from_arrow(pa.table(columns, list(table.names)), name="given")
            self._context.sql(f'CREATE TABLE cb."{name}" AS SELECT * FROM given')  # noqa: S608  # names of our tables
            self._context.deregister_table("given")

    def run(self, sql: str) -> Rows:
        """Run one statement."""
        return [tuple(row.values()) for batch in self._context.sql(sql).collect() for row in batch.to_pylist()]


class Postgres:
    """A private server's database; its collation and its zone are not ours on purpose."""

    dialect = "postgres"

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._held: set[str] = set()
        self._connection.execute("CREATE SCHEMA cb")
        self._connection.execute("SET TIME ZONE 'America/New_York'")

    def hold(self, tables: Mapping[str, Table]) -> None:
        """Copy each table in."""
        for name, table in tables.items():
            if name not in self._held:
                kinds = ", ".join(f'"{one}" {POSTGRES[k]}' for one, k in zip(table.names, table.kinds, strict=True))
                self._connection.execute(f'CREATE UNLOGGED TABLE cb."{name}" ({kinds})')
                self._held.add(name)
            self._connection.execute(f'TRUNCATE cb."{name}"')
            with self._connection.cursor().copy(f'COPY cb."{name}" FROM STDIN') as copy:
                for row in table.rows:
                    copy.write_row(row)

    def run(self, sql: str) -> Rows:
        """Run one statement."""
        return [tuple(row) for row in self._connection.execute(sql).fetchall()]


# -- a private PostgreSQL --------------------------------------------------------------------------------------------

_SETTINGS = {
    "listen_addresses": "", "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off",
    "shared_buffers": "16MB", "max_connections": "5", "jit": "off",
}  # fmt: skip


def postgres_programs() -> Path | None:
    """Find the folder with initdb and postgres: Debian's newest, or beside those on the path."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda one: int(one.parts[-3]))
    found = debian[-1] if debian else shutil.which("postgres")
    folder = Path(found).parent if found else None
    return folder if folder and (folder / "initdb").is_file() else None


@contextmanager
def private_postgres(programs: Path) -> Iterator[Postgres]:
    """Make a server on a socket of its own, as a user without rights where this one has all; gone with the block."""
    import psycopg

    home = Path(tempfile.mkdtemp(prefix="cb-pg-"))  # its path is short: a socket's name may have 107 bytes
    owner: dict[str, Any] = {}
    if os.getuid() == 0:
        owner = {"user": "nobody", "group": "nogroup", "extra_groups": []}
        shutil.chown(home, "nobody", "nogroup")
    log = home / "log"
    with log.open("wb") as out:
        run: dict[str, Any] = {"cwd": home, "stdout": out, "stderr": out, "stdin": subprocess.DEVNULL, **owner}
        locale = ("--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US")
        made = (programs / "initdb", "-D", home / "data", "-E", "UTF8", "-A", "trust", "-U", "cb", "--no-sync", *locale)
        subprocess.run(made, check=True, **run)
        settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
        server = subprocess.Popen([programs / "postgres", "-D", home / "data", "-k", home, *settings], **run)
    try:
        with _connected(psycopg, home, server) as connection:
            yield Postgres(connection)
    finally:
        server.terminate()
        server.wait(30)
        shutil.rmtree(home)


def _connected(psycopg: Any, home: Path, server: subprocess.Popen[bytes]) -> Any:
    for _ in range(400):
        with suppress(psycopg.OperationalError):
            return psycopg.connect(host=str(home), user="cb", dbname="postgres", autocommit=True)
        assert server.poll() is None, (home / "log").read_text()
        time.sleep(0.05)
    raise TimeoutError((home / "log").read_text())

"""The first steps of a plan: whom to ask, which sources to admit, which claims hold, and which of them count."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from claimbase.compiler.nodes import (
    Node,
    among,
    case,
    col,
    compare,
    either,
    eq,
    every,
    group,
    is_null,
    is_set,
    join,
    lateral,
    macro,
    named,
    no,
    num,
    over,
    par,
    select,
    table,
    union,
)
from claimbase.compiler.shape import Shape

Made = tuple[str, str, exp.Query]
_SLOT = ("predicate_id", "subject_id", "scope_id", "source_id")
_VALUE = ("value_min", "value_max", "min_open", "max_open", "unit_id")


def narrowing(shape: Shape) -> Iterator[Made]:
    """Yield the steps `merged`, `withdrawn`, `who`, `admitted` where they are needed."""
    if shape.merged:
        arguments = [exp.Literal.string("subject"), par("recorded_by")]
        query = select([col("alias_id"), col("canonical_id")], macro("canonical", arguments, "n"))
        yield "merged", "subjects that are another name of another subject", query
    if shape.withdrawn:
        query = select([col("source_id")], macro("withdrawn", [par("recorded_by")], "n"))
        yield "withdrawn", "sources that no longer count as support", query
    if narrows_subjects(shape):
        yield "who", "the subjects asked about", _who(shape)
    if narrows_sources(shape):
        yield "admitted", "the sources admitted, as they described themselves last", _admitted(shape)


def steps(shape: Shape) -> Iterator[Made]:
    """Yield the steps `active` and `weighed`."""
    active = union([_active_at(shape, moment) for moment in range(shape.moments)])
    when = "in each stretch" if shape.over_time else "at the instant asked for"
    yield "active", f"claims of these predicates that hold {when}, certainly or possibly", active
    title = "the admitted claims: overridden or doubted inside an exception, paired across a change window"
    yield "weighed", title, _weighed(shape)


def narrows_subjects(shape: Shape) -> bool:
    """Tell whether some subjects are not asked."""
    return shape.subjects is not None or bool(shape.providers or shape.providers_not)


def narrows_sources(shape: Shape) -> bool:
    """Tell whether some sources are not admitted."""
    return bool(shape.sources or shape.source_types or shape.authorities)


def asked(shape: Shape) -> exp.Query:
    """Return every subject with a visible claim of an admitted source (Q2)."""
    return _asked(shape, named(_subject(shape), "subject_id")).distinct(copy=False)


def asked_count(shape: Shape) -> exp.Query:
    """Count them without listing them."""
    return _asked(shape, exp.Count(this=exp.Distinct(expressions=[_subject(shape)])))


def _asked(shape: Shape, column: Node) -> exp.Select:
    source = macro("visible", [par("observed_by"), par("recorded_by")], "c")
    query = _resolved(shape, select([column], source))
    if narrows_subjects(shape):
        query.where(_asked_about(shape), copy=False)
    if narrows_sources(shape):
        query.where(_is_among("admitted"), copy=False)
    return query


def every_stretch() -> exp.Query:
    """Return every stretch of every subject asked, in the place of the subjects."""
    return select([named(col("stretch"), "subject_id")], table("stretches"))


def heard(shape: Shape) -> exp.Select:
    """Return the subject of every visible version of these predicates, to which columns can be added."""
    source = macro("visible", [par("observed_by"), par("recorded_by")], "c")
    query = _resolved(shape, select([named(_subject(shape), "subject_id")], source, _of_predicates(shape)))
    return query.where(_asked_about(shape), copy=False) if narrows_subjects(shape) else query


def version(shape: Shape) -> tuple[str, ...]:
    """Return what tells one active claim from another: the same version can be active at several instants."""
    several = ("moment",) if shape.moments > 1 else ()
    return (*several, "version_id", "subject_id") if shape.over_time else (*several, "version_id")


def _who(shape: Shape) -> exp.Query:
    where: list[Node] = []
    if shape.subjects is not None:
        where.append(among(col("subject_id"), _pars("subject", shape.subjects)) if shape.subjects else exp.false())
    if shape.providers:
        where.append(among(col("provider_key"), _pars("provider", shape.providers)))
    if shape.providers_not:
        where.append(no(exp.Paren(this=among(col("provider_key"), _pars("other_provider", shape.providers_not)))))
    return select([col("subject_id")], table("subject", "s", "cb"), *where)


def _admitted(shape: Shape) -> exp.Query:
    described = macro("source_described", [par("observed_by"), par("recorded_by")], "d")
    query = select([col("source_id", "d")], described)
    join(query, table("source", "r", "cb"), eq(col("source_id", "r"), col("source_id", "d")))
    where: list[Node] = []
    if shape.source_types:
        where.append(among(col("source_type", "d"), _pars("source_type", shape.source_types)))
    if shape.authorities:
        where.append(among(col("authority", "d"), _pars("authority", shape.authorities)))
    if shape.sources:
        wanted = _pars("source", shape.sources)
        where.append(either([among(col(text, "r"), wanted) for text in ("uri", "url_key", "source_key")]))
    return query.where(every(where), copy=False)


def _pars(key: str, count: int) -> list[Node]:
    return [par(f"{key}_{n}") for n in range(count)]


def _active_at(shape: Shape, moment: int) -> exp.Select:
    """Read the one definition of active, for these predicates only."""
    at = col("begins", "z") if shape.over_time and moment == 0 else par(f"valid_at{moment or ''}")
    instants = [at, par("observed_by"), par("recorded_by")]
    columns = [
        *([named(num(moment), "moment")] if shape.moments > 1 else []),
        col("version_id", "c"),
        named(_canonical(shape), "predicate_id"),
        named(_subject(shape), "subject_id"),
        *(col(text, "c") for text in ("scope_id", "source_id", *_kept(shape), *_ENDS, "bounded", "certain")),
        *([named(_is_among("withdrawn"), "withdrawn")] if shape.withdrawn else []),
        *([named(_is_among("admitted"), "admitted")] if narrows_sources(shape) else []),
    ]
    query = _resolved(shape, select(columns, macro("active", instants, "c")))
    query.where(_of_predicates(shape), copy=False)
    if shape.over_time:
        return _in_stretches(shape, query)
    return query.where(_asked_about(shape), copy=False) if narrows_subjects(shape) else query


def _in_stretches(shape: Shape, active: exp.Select) -> exp.Select:
    """Ask what is active in each stretch of each subject; from here on a stretch stands where a subject did (Q5)."""
    active.where(eq(_subject(shape), col("subject_id", "z")), copy=False)
    columns: list[Node] = [
        named(col("stretch", "z"), "subject_id") if text == "subject_id" else col(text, "a")
        for text in active.named_selects
    ]
    return lateral(select(columns, table("stretches", "z")), active, "a")


def _of_predicates(shape: Shape) -> Node:
    ids = [node for place, count in enumerate(shape.predicates) for node in _ids_of(place, count)]
    return among(col("predicate_id", "c"), ids)


_WINDOW = ("until_earliest", "until_latest")
_ENDS = ("from_earliest", "from_latest", *_WINDOW)


def _kept(shape: Shape) -> list[str]:
    """Return the columns that the tests of this shape look at."""
    texts = any(leaf.kind in ("text", "entity", "set") for leaf in shape.leaves)
    listed = any(leaf.listed for leaf in shape.leaves)
    return [*_VALUE, "absent", *(["value_id"] if texts else []), *(["complete"] if listed else [])]


def _ids_of(place: int, count: int) -> list[Node]:
    return [par(f"predicate{place}"), *(par(f"predicate{place}_{n}") for n in range(1, count))]


def _canonical(shape: Shape) -> Node:
    """Let the names of one predicate count as one (P2)."""
    own = col("predicate_id", "c")
    branches: list[tuple[Node, Node]] = [
        (among(own, _ids_of(place, count)[1:]), par(f"predicate{place}"))
        for place, count in enumerate(shape.predicates)
        if count > 1
    ]
    return case(branches, own) if branches else own


def _subject(shape: Shape) -> Node:
    own = col("subject_id", "c")
    return exp.Coalesce(this=col("canonical_id", "m"), expressions=[own]) if shape.merged else own


def _resolved(shape: Shape, query: exp.Select) -> exp.Select:
    """Join the subjects' other names, where there are any (P2)."""
    same = eq(col("alias_id", "m"), col("subject_id", "c"))
    return join(query, table("merged", "m"), same, "LEFT") if shape.merged else query


def _asked_about(shape: Shape) -> Node:
    return exp.In(this=_subject(shape), query=select([col("subject_id")], table("who")).subquery(copy=False))


def _is_among(step: str) -> Node:
    """Say that a claim's source is one of a step."""
    return exp.In(this=col("source_id", "c"), query=select([col("source_id")], table(step)).subquery(copy=False))


def _weighed(shape: Shape) -> exp.Query:
    singles = any(not leaf.many for leaf in shape.leaves)
    slot = ("moment", *_SLOT) if shape.moments > 1 else _SLOT
    kept = (*version(shape), "predicate_id", "subject_id", "scope_id", *_kept(shape), "certain")
    kept += ("withdrawn",) if shape.withdrawn else ()
    query = select([col(text, "a") for text in dict.fromkeys(kept)], table("active", "a"))
    if singles:
        query.select(named(_inside("begins"), "overridden"), named(_inside("may_begin"), "doubted"), copy=False)
        on = every([eq(col(key, "x"), col(key, "a")) for key in slot])
        join(query, _exceptions(shape, slot).subquery("x", copy=False), on, "LEFT")
        # one of the two sides holds (T8)
        paired = every([is_set(col("until_latest", "w")), no(col("certain", "a"))])
        query.select(named(paired, "paired"), copy=False)
        meet = [eq(col(key, "w"), col(key.replace("until", "from"), "a")) for key in _WINDOW]
        same = every([*(eq(col(key, "w"), col(key, "a")) for key in slot), *meet])
        join(query, _windows(shape, slot).subquery("w", copy=False), same, "LEFT")
    if shape.tabled:
        query.select(named(_alone(slot), "alone"), copy=False)
    return query.where(col("admitted", "a"), copy=False) if narrows_sources(shape) else query


def _alone(slot: tuple[str, ...]) -> Node:
    """Say that no other claim, of whatever source, speaks of the slot: what it says needs no putting together."""
    keys = [col(key, "a") for key in slot if key != "source_id"]
    return eq(over(exp.Count(this=exp.Star()), by=keys), num(1))


def _inside(begins: str) -> Node:
    """Say that a claim is open and the newest exception of a kind, if there is one, does not begin before it (K6)."""
    newest, opened = col(begins, "x"), col("from_earliest", "a")
    return every([is_set(newest), no(col("bounded", "a")), either([is_null(opened), compare(newest, ">=", opened)])])


def _exceptions(shape: Shape, slot: tuple[str, ...]) -> exp.Query:
    """Return where the newest exception of each slot and source begins, a certain one and one only possible (K6)."""
    keys = [col(key) for key in slot]
    begins = exp.Max(this=case([(col("certain"), col("from_latest"))]))
    whenever = exp.Coalesce(this=col("from_latest"), expressions=[_NEVER.copy()])
    may_begin = exp.Max(this=case([(no(col("certain")), whenever)]))
    columns = [*keys, named(begins, "begins"), named(may_begin, "may_begin")]
    return group(select(columns, table("active"), *_heard(shape), col("bounded")), *keys)


# Later than any instant that can be stored: an exception without a latest start may begin at any time.
_NEVER = exp.Cast(
    this=exp.Literal.string("9999-12-31T00:00:00Z"), to=exp.DataType.build("TIMESTAMPTZ", dialect="duckdb")
)


def _windows(shape: Shape, slot: tuple[str, ...]) -> exp.Query:
    """Return when the old sides of change windows end: at an unknown instant, and their new sides begin just so (T8).

    Both sides of a window are active at an instant inside it only, where neither is certain.
    """
    columns = [col(key) for key in (*slot, *_WINDOW)]
    unknown = compare(col("until_earliest"), "<", col("until_latest"))
    return select(columns, table("active"), *_heard(shape), unknown).distinct(copy=False)


def _heard(shape: Shape, alias: str | None = None) -> list[Node]:
    return [col("admitted", alias)] if narrows_sources(shape) else []

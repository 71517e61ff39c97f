"""Steps of a plan over time: stretches in which nothing changes, judged as subjects are, then put together (Q5).

Verdicts change only at bounds. So every stretch of a subject, from one bound to the next, takes the subject's place in
the steps that judge; what they say of its first instant holds for all of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from claimbase.compiler.hearing import Made, asked, heard, narrows_sources, narrows_subjects
from claimbase.compiler.judging import NEAR, NONE, passes, scoped
from claimbase.compiler.nodes import (
    Node,
    call,
    case,
    col,
    compare,
    count_of,
    either,
    eq,
    every,
    group,
    is_null,
    is_set,
    join,
    name,
    named,
    no,
    num,
    ordered,
    over,
    par,
    select,
    table,
    union,
)
from claimbase.compiler.shape import Shape
from claimbase.compiler.verdicts import ABSENCE

_INSTANT = exp.DataType.build("TIMESTAMPTZ", dialect="duckdb")
_BOUNDS = ("from_earliest", "from_latest", "until_earliest", "until_latest")
_COUNTED = ("stretches", "active", "evidence", "buckets")


def before(shape: Shape) -> Iterator[Made]:
    """Yield the steps `subjects` where it is needed, and `stretches`."""
    if shape.enumerates:
        yield "subjects", "every subject with a visible claim", asked(shape)
    title = "the stretches of valid time from one bound of a subject's claims to the next"
    yield "stretches", title, _stretches(shape)


def steps(shape: Shape) -> Iterator[Made]:
    """Yield the steps `changes`, and for segments `runs`, `segments`, `page` and `grounds`."""
    yield "changes", "the bucket of each stretch, and whether it is another one than just before", _changes()
    if shape.over_time == "segments":
        yield "runs", "stretches numbered by the run of one bucket they belong to", _runs()
        yield "segments", "the longest intervals in one bucket", _segments()
        yield "page", "the subjects returned", _page(shape)
        yield "grounds", "what the claims say in each segment", _grounds()


def result(shape: Shape) -> exp.Query:
    """Return the statement's own query: the first change; for segments the counts too, then every segment."""
    if shape.over_time == "change":
        return select([named(_next_change(), "next_change_at")], table("changes"))
    heads: dict[str, Node] = {
        "next_change_at": select([_next_change()], table("changes")).subquery(copy=False),
        "subjects_count": _subjects_count(),
        "left_out_count": _left_out(shape),
        **{f"rows_{step}": count_of(step) for step in _COUNTED},
    }
    page = ("subject_id", "provider", "name")
    segment = ("place", "bucket", "eligible", "begins", "ends")
    ground = ("test", "role", "version_id", "certain", "here", "certain_here")
    rest = (*page, *segment, *ground)
    head = exp.Select().select(
        *(named(node, text) for text, node in heads.items()), *(named(exp.null(), text) for text in rest), copy=False
    )
    columns: list[Node] = [named(exp.null(), text) for text in heads]
    columns += [col(text, alias) for names, alias in ((page, "p"), (segment, "g"), (ground, "e")) for text in names]
    query = select(columns, table("page", "p"))
    join(query, table("segments", "g"), eq(col("subject_id", "g"), col("subject_id", "p")), "LEFT")
    same = every([eq(col(key, "e"), col(key, "g")) for key in ("subject_id", "place")])
    join(query, table("grounds", "e"), same, "LEFT")
    whole = exp.Subquery(this=union([head, query]), alias=exp.TableAlias(this=name("r")))
    order = ("rows_stretches", "provider", "name", "subject_id", "place", "test", "version_id")
    return select([exp.Star()], whole).order_by(*(ordered(col(text)) for text in order), copy=False)


def kept(shape: Shape) -> frozenset[str]:
    """Return the steps that more than one later step reads; the engine keeps their rows."""
    needed = {
        "merged": shape.merged, "withdrawn": shape.withdrawn, "who": narrows_subjects(shape),
        "admitted": narrows_sources(shape),
        "subjects": shape.enumerates, "slots": scoped(shape),
        "weighed": passes(shape) > 1,
    }  # fmt: skip
    always = {"stretches", "active", "evidence", "buckets", "changes", "runs", "segments", "page"}
    return frozenset(always | {step for step, wanted in needed.items() if wanted})


# -- stretches -----------------------------------------------------------------------------------------------------


def _stretches(shape: Shape) -> exp.Query:
    """Cut valid time at every bound of a subject's claims; only there can a verdict change."""
    points = heard(shape)
    starts: list[Node] = [] if shape.enumerates else [_since()]
    cuts = exp.Array(expressions=[*starts, *(col(text, "c") for text in _BOUNDS)])
    points.select(named(call("unnest", cuts), "begins"), copy=False)
    if shape.enumerates:
        every_one = select([col("subject_id"), named(_since(), "begins")], table("subjects"))
        points = union([points, every_one])  # type: ignore[assignment]  # both are queries
    inside = every([compare(col("begins"), ">=", _since()), compare(col("begins"), "<", _before())])
    cut = select([col("subject_id"), col("begins")], points.subquery("p", copy=False), inside).distinct(copy=False)
    if shape.enumerates:
        cut.where(exp.In(this=col("subject_id"), query=_ids("subjects")), copy=False)
    lead = over(call("lead", col("begins")), by=[col("subject_id")], order=[col("begins")])
    ends = exp.Coalesce(this=lead, expressions=[_instant("before")])
    number = exp.Window(this=call("row_number"))
    columns = [named(number, "stretch"), col("subject_id"), col("begins"), named(ends, "ends")]
    return select(columns, cut.subquery("s", copy=False))


def _instant(key: str) -> Node:
    return exp.Cast(this=par(key), to=_INSTANT.copy())


def _since() -> Node:
    return exp.Coalesce(this=_instant("since"), expressions=[_endless("-infinity")])


def _before() -> Node:
    return exp.Coalesce(this=_instant("before"), expressions=[_endless("infinity")])


def _endless(text: str) -> Node:
    return exp.Cast(this=exp.Literal.string(text), to=_INSTANT.copy())


def _ids(step: str) -> exp.Subquery:
    return select([col("subject_id")], table(step)).subquery(copy=False)


# -- segments ------------------------------------------------------------------------------------------------------


def _changes() -> exp.Query:
    """Lay the buckets on the stretches; a stretch of which nothing was said is in none."""
    bucket = exp.Coalesce(this=col("bucket", "b"), expressions=[num(NONE)])
    eligible = exp.Coalesce(this=col("eligible", "b"), expressions=[exp.false()])
    judged = select(
        [*(col(text, "z") for text in ("subject_id", "stretch", "begins", "ends")), named(bucket, "bucket"),
         named(eligible, "eligible")],
        table("stretches", "z"),
    )  # fmt: skip
    join(judged, table("buckets", "b"), eq(col("subject_id", "b"), col("stretch", "z")), "LEFT")
    earlier = {text: over(call("lag", col(text)), by=[col("subject_id")], order=[col("begins")]) for text in _STATE}
    fresh = every([is_set(earlier["bucket"]), either([compare(earlier[text], "<>", col(text)) for text in _STATE])])
    return select([exp.Star(), named(fresh, "fresh")], judged.subquery("j", copy=False))


_STATE = ("bucket", "eligible")


def _next_change() -> Node:
    due = every([col("fresh"), compare(col("begins"), ">", par("valid_at"))])
    return exp.Min(this=case([(due, col("begins"))]))


def _runs() -> exp.Query:
    """Number the runs of each subject; starts are unique, so that the two windows agree."""
    step = exp.Sum(this=case([(col("fresh"), num(1))], num(0)))
    here = every(
        [
            compare(col("begins"), "<=", par("valid_at")),
            either([is_null(col("ends")), compare(col("ends"), ">", par("valid_at"))]),
        ]
    )
    place = over(step, by=[col("subject_id")], order=[col("begins")])
    return select([exp.Star(), named(place, "place"), named(here, "here")], table("changes"))


def _segments() -> exp.Query:
    last = exp.Max(this=exp.Coalesce(this=col("ends"), expressions=[_endless("infinity")]))
    ends = [exp.Nullif(this=exp.Min(this=col("begins")), expression=_endless("-infinity")),
            exp.Nullif(this=last, expression=_endless("infinity"))]  # fmt: skip
    keys = [col(text) for text in ("subject_id", "place", "bucket", "eligible")]
    columns = [*keys, named(ends[0], "begins"), named(ends[1], "ends")]
    runs = group(select(columns, table("runs"), compare(col("bucket"), "<", num(NONE))), *keys)
    begun = [is_null(col("begins")), is_null(_instant("seen_until")), compare(col("begins"), "<", par("seen_until"))]
    going = [is_null(col("ends")), is_null(_instant("seen_from")), compare(col("ends"), ">", par("seen_from"))]
    return select([exp.Star()], runs.subquery("g", copy=False), either(begun), either(going))


def _satisfying() -> exp.Select:
    return select([col("subject_id")], table("segments"), compare(col("bucket"), "<", num(NEAR)))


def _page(shape: Shape) -> exp.Query:
    """Name the subjects that satisfy at some time, or all that were asked; in the order of their names."""
    chosen = _ids("subjects") if shape.everyone else _satisfying().subquery(copy=False)
    columns = [col(text, "s") for text in ("subject_id", "provider", "name")]
    query = select(columns, table("subject", "s", "cb"), exp.In(this=col("subject_id", "s"), query=chosen))
    query.order_by(*(ordered(col(text, "s")) for text in ("provider", "name", "subject_id")), copy=False)
    query.set("limit", exp.Limit(expression=par("limit")))
    return query


def _grounds() -> exp.Query:
    """Gather what each claim says in each segment that satisfies at least possibly, and in the stretch of the basis."""
    keys = [col("subject_id", "r"), col("place", "r"), *(col(text, "e") for text in ("test", "role", "version_id"))]
    sure_here = every([col("certain", "e"), col("here", "r")])
    said = {"certain": col("certain", "e"), "here": col("here", "r"), "certain_here": sure_here}
    query = select(
        [*keys, *(named(call("bool_or", node), text) for text, node in said.items())], table("evidence", "e")
    )
    join(query, table("runs", "r"), eq(col("stretch", "r"), col("subject_id", "e")))
    same = every([eq(col(key, "g"), col(key, "r")) for key in ("subject_id", "place")])
    join(query, table("segments", "g"), same)
    speaking = compare(col("role", "e"), "<=", num(ABSENCE))
    listed = exp.In(this=col("subject_id", "r"), query=_ids("page"))
    where = every([compare(col("bucket", "r"), "<", num(NEAR)), speaking, listed])
    return group(query.where(where, copy=False), *keys)


def _subjects_count() -> Node:
    found = _satisfying().distinct(copy=False).subquery("f", copy=False)
    return select([exp.Count(this=exp.Star())], found).subquery(copy=False)


def _left_out(shape: Shape) -> Node:
    if not narrows_sources(shape):
        return num(0)
    left = select([col("version_id")], table("active"), no(col("admitted"))).distinct(copy=False)
    return select([exp.Count(this=exp.Star())], left.subquery("l", copy=False)).subquery(copy=False)

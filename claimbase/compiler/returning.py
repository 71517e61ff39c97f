"""The last steps of a plan: which subjects are returned in which order, the claims behind them, and the counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from sqlglot import exp

from claimbase.compiler import tabling
from claimbase.compiler.hearing import Made, narrows_sources, narrows_subjects, version
from claimbase.compiler.judging import ELIGIBLE, NEAR, NONE, passes, scoped
from claimbase.compiler.nodes import (
    Node,
    any_bit,
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
from claimbase.compiler.plan import CITED_LIMIT
from claimbase.compiler.shape import Shape
from claimbase.compiler.verdicts import INCOMPARABLE, MAYBE, MENTIONED, NO, NO_METHOD, UNREAD, VERDICTS, WITHDRAWN, YES

# Greater than any storable number: the worst bound of a value without one.
_ENDLESS = 10**26 - 1
_SILENT = {"unread": UNREAD, "incomparable": INCOMPARABLE, "no_method": NO_METHOD}


def steps(shape: Shape) -> Iterator[Made]:
    """Yield the steps `ranks` where an order is asked for, `named` and `page`."""
    if shape.order is not None:
        yield "ranks", "the value each subject is ranked by: the bound that is worst for the wish", _ranks(shape)
    yield "named", "the subjects of a bucket with their names", _named(shape)
    yield "page", "the subjects returned", _page(shape)


def result(shape: Shape) -> exp.Query:
    """Return the statement's own query: one row for each count, then each subject of the page before its claims.

    A count has its number as its test, and what was counted as its version; names and verdicts stand in the subject's
    row alone, and rows are sorted by numbers: columns that most rows leave empty, and fetching and sorting texts once
    for every claim, would cost more than finding the claims.
    """
    subject = [*_of_bucket(shape), "provider", "name", "worth"]
    # typed: the first part says nothing of them, from which some engines would guess a text
    claim = {"test": "int", "role": "int", "version_id": "bigint", "certain": "boolean", "slot_verdict": "int"}
    nothing: dict[str, Node] = {text: exp.null() for text in subject}
    nothing |= {text: exp.Cast(this=exp.null(), to=exp.DataType.build(kind)) for text, kind in claim.items()}

    def row(place: Node, given: Mapping[str, Node]) -> list[Node]:
        return [named(place, "place"), *(named(given.get(text, none.copy()), text) for text, none in nothing.items())]

    counts = _unfolded(shape, row)
    shown = select(row(col("place"), {text: col(text) for text in subject}), table("page"))
    said: dict[str, Node] = {text: col(text, "e") for text in ("test", "role", "version_id", "certain")}
    said |= {"slot_verdict": col("verdict", "z")} if _slotted(shape) else {}
    behind = select(row(col("place", "g"), said), table("page", "g"))
    spoken = table("spoken" if shape.tabled else "evidence", "e")
    join(behind, spoken, eq(col("subject_id", "e"), col("subject_id", "g")))
    if _slotted(shape):
        keys = ("test", "subject_id", *(("scope_id",) if scoped(shape) else ()))
        join(behind, table("slots", "z"), every([eq(col(key, "z"), col(key, "e")) for key in keys]), "LEFT")
    if shape.tabled:
        behind = select([exp.Star()], behind.limit(CITED_LIMIT + 1, copy=False).subquery("l", copy=False))
    whole = exp.Subquery(this=union([counts, shown, behind]), alias=exp.TableAlias(this=name("r")))
    order = [ordered(col("place")), ordered(col("test"), nulls_first=True), ordered(col("version_id"))]
    return select([exp.Star()], whole).order_by(*order, copy=False)


def counted(shape: Shape) -> tuple[str, ...]:
    """Return the names of the counts, in the order of their numbers."""
    return tuple(node.alias_or_name for node in _counts(shape).expressions)


def _unfolded(shape: Shape, row: Callable[[Node, Mapping[str, Node]], list[Node]]) -> exp.Select:
    """Turn the one row of counts into a row for each."""
    counts, number = _counts(shape), col("number", "n")
    branches = [(eq(number, num(place)), col(node.alias_or_name, "c")) for place, node in enumerate(counts.expressions)]
    which = exp.Values(
        # the place stands among the values: DataFusion 55 loses a constant among the keys by which it sorts a union
        expressions=[exp.Tuple(expressions=[num(0), num(place)]) for place in range(len(branches))],
        alias=exp.TableAlias(this=name("n"), columns=[name("place"), name("number")]),
    )
    count = exp.Cast(this=case(branches), to=exp.DataType.build("bigint"))
    query = select(row(col("place", "n"), {"test": number, "version_id": count}), counts.subquery("c", copy=False))
    return join(query, which, exp.true())


def kept(shape: Shape) -> frozenset[str]:
    """Return the steps that more than one later step reads, counting included; the engine keeps their rows."""
    several = {
        "weighed": passes(shape) > 1 or shape.order is not None,
        "named": shape.several or shape.everyone,
    }
    always = {"active", "buckets", "page", "asked", *_occasional(shape)} | {n for n in several if several[n]}
    return frozenset(always | (tabling.kept(shape) if shape.tabled else {"evidence"}))


def _occasional(shape: Shape) -> list[str]:
    """Return the steps that only some questions need and that are counted where they run."""
    needed = {
        "merged": shape.merged,
        "withdrawn": shape.withdrawn,
        "who": narrows_subjects(shape),
        "admitted": narrows_sources(shape),
        "slots": scoped(shape) and not shape.tabled,
        "ranks": shape.order is not None,
    }
    return [step for step, wanted in needed.items() if wanted]


def _slotted(shape: Shape) -> bool:
    """Tell whether each claim comes with the verdict of its slot; a table of tests has no other place for verdicts."""
    return shape.tabled or scoped(shape)


def _of_bucket(shape: Shape) -> list[str]:
    verdicts = [] if shape.tabled else [f"v{n}" for n in range(len(shape.leaves))]
    return ["subject_id", *verdicts, "bucket", "eligible"]


def _ranks(shape: Shape) -> exp.Query:
    """Take the bound of the deciding claims that is worst for the wish; without one it is endless (Q11)."""
    assert shape.order is not None  # noqa: S101  # the caller asks only then
    test, greatest_first = shape.order
    endless: Node = exp.Neg(this=num(_ENDLESS)) if greatest_first else num(_ENDLESS)
    worst = exp.Coalesce(this=col("value_min" if greatest_first else "value_max", "w"), expressions=[endless])
    pick = exp.Min if greatest_first else exp.Max
    sure = case([(every([col("certain", "e"), eq(col("role", "e"), num(YES))]), worst)])
    worth = named(exp.Coalesce(this=pick(this=sure), expressions=[pick(this=worst)]), "worth")
    query = select([col("subject_id", "e"), worth], table("evidence", "e"))
    join(query, table("weighed", "w"), every([eq(col(key, "w"), col(key, "e")) for key in version(shape)]))
    readable = either([is_set(col("value_min", "w")), is_set(col("value_max", "w"))])
    where: list[Node] = [eq(col("test", "e"), num(test)), any_bit(col("role", "e"), YES | NO | MAYBE), readable]
    if shape.order_kind == "quantity":
        unit = col("unit_id", "w")
        where.append(eq(unit, par("order_unit")) if shape.order_unit else is_null(unit))
    return group(query.where(every(where), copy=False), col("subject_id", "e"))


def _named(shape: Shape) -> exp.Query:
    """Give the subjects of a bucket their names, and what they are ranked by."""
    tier = case([(col("eligible", "b"), num(ELIGIBLE))], col("bucket", "b"))
    worth = col("worth", "k") if shape.order is not None else exp.null()
    columns = [*(col(text, "b") for text in _of_bucket(shape)), col("provider", "s"), col("name", "s")]
    query = select([*columns, named(worth, "worth"), named(tier, "tier")], table("buckets", "b"))
    join(query, table("subject", "s", "cb"), eq(col("subject_id", "s"), col("subject_id", "b")))
    if shape.order is not None:
        join(query, table("ranks", "k"), eq(col("subject_id", "k"), col("subject_id", "b")), "LEFT")
    return query if shape.everyone else query.where(compare(col("bucket", "b"), "<", num(NONE)), copy=False)


def _page(shape: Shape) -> exp.Query:
    """Take the ranked subjects within their limit, the near misses within theirs, and the others if asked for."""
    near = eq(col("bucket"), num(NEAR))
    parts = [_cut(shape, compare(col("bucket"), "<", num(NEAR)), ["limit", "offset"] if shape.limited else [])]
    if shape.several:
        parts.append(_cut(shape, near, ["near_limit"] if shape.near_limited else []))
    if shape.everyone:
        parts.append(_cut(shape, eq(col("bucket"), num(NONE)), []))
    place = named(over(exp.RowNumber(), order=_order(shape)), "place")
    return select([exp.Star(), place], union(parts).subquery("u", copy=False))


def _cut(shape: Shape, where: Node, limits: list[str]) -> exp.Query:
    query = select([exp.Star()], table("named"), where)
    if not limits:
        return query
    query.order_by(*_order(shape), copy=False)
    query.set("limit", exp.Limit(expression=par(limits[0])))
    if len(limits) > 1:
        query.set("offset", exp.Offset(expression=par(limits[1])))
    return select([exp.Star()], query.subquery("l", copy=False))


def _order(shape: Shape) -> list[exp.Ordered]:
    """The order of subjects: eligible first, ranked by worth, the missing last, ties by provider and name (Q11)."""
    terms = [ordered(col("tier"))]
    if shape.order is not None:
        worth = col("worth")
        terms += [ordered(is_null(worth)), ordered(worth, descending=shape.order[1])]
    return [*terms, *(ordered(col(text)) for text in ("provider", "name", "subject_id"))]


def _counts(shape: Shape) -> exp.Select:
    """Count over steps that are kept anyway, nothing runs twice for it (Q8)."""
    sums: dict[str, Node] = {f"overall_{rank}": eq(col("overall"), num(rank)) for rank in VERDICTS}
    if shape.several:
        sums["near_count"] = eq(col("bucket"), num(NEAR))
    if shape.policy == "any":
        sums["eligible_count"] = col("eligible")
    totals = [
        named(exp.Count(this=exp.Star()), "rows_verdicts"),
        *(named(_sum_of(when), text) for text, when in sums.items()),
    ]
    counted = among_first(shape)
    # `evidence` that is not kept would run once more for its number.
    heard = [
        *([] if shape.tabled else [named(exp.Count(this=exp.Star()), "rows_evidence")]),
        named(_sum_of(every([compare(col("role"), "<", num(MENTIONED)), counted])), "claims_count"),
        *(
            named(_sum_of(every([eq(col("role"), num(bit)), counted])), f"{text}_count")
            for text, bit in _silent(shape).items()
        ),
    ]
    several = {
        **{f"rows_{step}": count_of(step) for step in ["active", *_occasional(shape)]},
        "left_out_count": _left_out(shape),
        # Where no step lists them they are counted apart, which reads every visible claim of the base.
        **({"asked_count": count_of("asked")} if shape.enumerates else {}),
    }
    names = [node.alias for node in (*totals, *heard)]
    columns = [*(col(text) for text in names), *(named(node, text) for text, node in several.items())]
    query = select(columns, select(totals, table("buckets")).subquery("t", copy=False))
    said = select(heard, table("evidence"), *([counted] if shape.tabled else []))
    return join(query, said.subquery("h", copy=False), exp.true())


def _silent(shape: Shape) -> dict[str, int]:
    return _SILENT | ({"withdrawn": WITHDRAWN} if shape.withdrawn else {})


def among_first(shape: Shape) -> Node:
    """Say that a claim is counted at the first test that hears it."""
    if shape.tabled:
        return no(col("twin"))
    twins = [num(n) for n, leaf in enumerate(shape.leaves) if leaf.twin]
    return no(exp.In(this=col("test"), expressions=twins)) if twins else exp.true()


def _sum_of(when: Node) -> Node:
    return exp.Sum(this=case([(when, num(1))], num(0)))


def _left_out(shape: Shape) -> Node:
    if not narrows_sources(shape):
        return num(0)
    return select([exp.Count(this=exp.Star())], table("active"), no(col("admitted"))).subquery(copy=False)

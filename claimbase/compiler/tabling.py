"""Steps of a plan whose tests travel as a table: the same verdicts, one row for each test and claim (C12).

What a test says is written once for each kind of test, with the columns of its row in the place of placeholders; so a
branch of `evidence` and a row of the table say the same by construction. Verdicts are rows too, and groups are put
together level by level. A test that no claim speaks to has no row: its group counts how many such members it has.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

from sqlglot import exp

from claimbase.compiler.hearing import Made, asked, version
from claimbase.compiler.judging import bucketed, lists, pairs, said, scoped, verdict_by, weight
from claimbase.compiler.nodes import (
    Node,
    call,
    case,
    col,
    compare,
    either,
    eq,
    every,
    group,
    is_null,
    join,
    named,
    no,
    num,
    par,
    select,
    table,
    union,
)
from claimbase.compiler.shape import Leaf, Shape
from claimbase.compiler.tables import FORMS, GROUPS, operand_columns
from claimbase.compiler.verdicts import DEFAULTS, FAILED, MENTIONED, MET, SHOWN, decided, turned


def before(shape: Shape) -> Iterator[Made]:
    """Yield the steps `forms`, `tests` and `groups`, which are parameters laid out as tables."""
    yield "forms", "what tests have in common beside their operands", _unfolded("forms", FORMS)
    yield "tests", "the tests, one a row", _tests(shape)
    yield "groups", "the groups they lie in, the whole question first", _unfolded("groups", GROUPS)


def steps(shape: Shape) -> Iterator[Made]:
    """Yield the steps `evidence`, `judged`, one for each level of groups, `asked` where it is needed, and `buckets`."""
    yield "evidence", "what each claim says to each test: yes, no, maybe, absence, or nothing", _evidence(shape)
    yield "judged", "the verdict of each subject on each test that some claim speaks to", _judged(shape)
    for level in range(shape.depth, 1, -1):
        yield f"level{level - 1}", f"the verdicts of the groups on level {level - 1}", _level(shape, level)
    if shape.enumerates:
        yield "asked", "every subject with a visible claim", asked(shape)
    yield "verdicts", "the verdict of each subject on the whole question", _whole(shape)
    yield "buckets", "where each subject belongs: eligible, disputed, possible, near miss, or none", _buckets(shape)


def after(shape: Shape) -> Iterator[Made]:
    """Yield the steps `spoken` and `slots`, which say of the subjects returned what was said to which test."""
    listed = exp.In(this=col("subject_id"), query=select([col("subject_id")], table("page")).subquery(copy=False))
    yield "spoken", "what the claims of the subjects returned say", _evidence(shape).where(listed, copy=False)
    yield "slots", "the verdict of each of their slots on each test", _slots(shape, "spoken")


def kept(shape: Shape) -> frozenset[str]:
    """Return the steps whose rows the engine keeps; `evidence` is far too large for that, it runs again instead."""
    deep = {"judged"} if shape.depth > 1 else set()
    return frozenset({"tests", "forms", "groups", "weighed", "page", "spoken", "slots", *deep})


def _unfolded(key: str, columns: dict[str, str]) -> exp.Select:
    """Lay a text of columns out as rows; the cast is exact, no number passes through a float.

    The text is unnested from a list of one: a constant would be read by the optimizer, over and over, value by value.
    """
    structure = exp.Literal.string(json.dumps({text: [kind] for text, kind in columns.items()}))
    given = exp.Select().select(named(call("unnest", exp.Array(expressions=[par(key)])), "given"), copy=False)
    whole = select([named(call("from_json", col("given"), structure), "x")], given.subquery("g", copy=False))
    cells = [named(call("unnest", col(text, "x")), text) for text in columns]
    return select(cells, whole.subquery("y", copy=False))


def _tests(shape: Shape) -> exp.Select:
    """Number the tests as they stand, and put what each has in common with others beside its operands."""
    ends = operand_columns(end for leaf in shape.leaves for end in leaf.ends)
    own = _unfolded("tests", {"form": "INTEGER", **ends})
    number = exp.Sub(this=call("generate_subscripts", col("form", "x"), num(1)), expression=num(1))
    own.select(named(number, "number"), copy=False)
    twin = named(compare(col("number", "t"), "<>", col("first", "f")), "twin")
    columns = [col("number", "t"), twin, *(col(text, "f") for text in FORMS if text != "first")]
    columns += [named(_end(text, ends), text) for text in ends]
    return join(select(columns, own.subquery("t", copy=False)), table("forms", "f"), _of_form("f", "t"))


def _end(text: str, ends: Collection[str]) -> Node:
    """An upper end is written where it is another one than the lower."""
    lower = text.replace("_max", "_min")
    return call("coalesce", col(text, "t"), col(lower, "t")) if lower != text and lower in ends else col(text, "t")


def _of_form(one: str, other: str) -> Node:
    return eq(col("form", one), col("form", other))


# -- what claims say -----------------------------------------------------------------------------------------------


def _evidence(shape: Shape) -> exp.Select:
    heard = [(number, leaf) for number, leaf in enumerate(shape.leaves) if not leaf.mute]
    roles = [(eq(col("kind", "t"), num(number)), _said(shape, leaf)) for number, leaf in heard]
    columns = [
        named(col("number", "t"), "test"),
        *(col(text, "w") for text in dict.fromkeys((*version(shape), "subject_id", "scope_id"))),
        named(_certain(shape), "certain"),
        *([col("paired")] if pairs(shape) else []),
        *([col("complete")] if lists(shape) else []),
        named(case(roles, num(SHOWN)) if roles else num(SHOWN), "role"),
        col("alone"),
        *(col(text, "t") for text in ("twin", "form")),
    ]  # fmt: skip
    query = select(columns, table("weighed", "w"))
    here = either([is_null(col("scope", "t")), eq(col("scope", "t"), col("scope_id", "w"))])
    when = [eq(col("at", "t"), col("moment", "w"))] if shape.moments > 1 else []
    join(query, table("tests", "t"), every([eq(col("predicate", "t"), col("predicate_id", "w")), *when, here]))
    if any(leaf.words for leaf in shape.leaves):
        words = select([named(col("value_id"), "said_id"), col("value_key")], table("value", None, "cb"))
        join(query, words.subquery("v", copy=False), eq(col("said_id", "v"), col("value_id", "w")), "LEFT")
    return query


def _certain(shape: Shape) -> Node:
    """An open claim inside an exception that is only possible is only possible as well (K6, of `single` predicates)."""
    singles = [num(n) for n, leaf in enumerate(shape.leaves) if not leaf.many]
    if not singles:
        return col("certain")
    firm = every([col("certain"), no(col("doubted"))])
    return case([(exp.In(this=col("kind", "t"), expressions=singles), firm)], col("certain"))


def _said(shape: Shape, leaf: Leaf) -> Node:
    """Write a test of a kind over the columns of its row; the methods a predicate requires are not among them."""

    def column(node: Node) -> Node:
        if isinstance(node, exp.Placeholder) and not node.name.startswith("requires"):
            return col(node.name, "t")
        return node

    return said(shape, leaf, "").transform(column, copy=False)


# -- verdicts ------------------------------------------------------------------------------------------------------


_OF_TEST = ("parent", "level", "default", "wanted")


def _slots(shape: Shape, step: str) -> exp.Select:
    """The verdict of each slot on each test; of tests that listen to one scope the slot is not told apart.

    Most slots have one claim: grouping only the others saves more than half of the time. What a test has in common with
    others is looked up behind the grouping, whose keys are so few numbers.
    """
    slot = [*(("scope_id",) if scoped(shape) else ()), "subject_id", "test"]
    keys = list(map(col, slot))
    speaking = compare(col("role"), "<", num(MENTIONED))
    one = select([*keys, col("form"), named(weight(shape), "said")], table(step), speaking, col("alone"))
    put_together = [_same("form"), named(call("bit_or", weight(shape)), "said")]
    several = group(select([*keys, *put_together], table(step), speaking, no(col("alone"))), *keys)
    columns = [*(col(text, "s") for text in slot), *(col(text, "f") for text in _OF_TEST)]
    verdict = named(verdict_by(shape, col("kind", "f")), "verdict")
    query = select([*columns, verdict], union([one, several]).subquery("s", copy=False))
    return join(query, table("forms", "f"), _of_form("f", "s"))


def _same(text: str) -> Node:
    """What all rows of a group have in common."""
    return named(call("any_value", col(text)), text)


def _judged(shape: Shape) -> exp.Select:
    """The best slot decides (Q6)."""
    slots = _slots(shape, "evidence").subquery("z", copy=False)
    query = select([col("subject_id"), *map(col, _OF_TEST), col("verdict")], slots)
    if scoped(shape):
        best = named(exp.Max(this=col("verdict")), "verdict")
        query = group(select([col("subject_id"), *map(_same, _OF_TEST), best], slots), col("subject_id"), col("test"))
    if shape.policy == "any":
        for_it = [(wanted, decided(col("verdict"), wanted=wanted)) for wanted in (True, False)]
        settled = case([(col("wanted"), for_it[0][1])], for_it[1][1])
        query = select([exp.Star(), named(settled, "settled")], query.subquery("j", copy=False))
    return query


def _rated(shape: Shape) -> list[str]:
    return ["verdict", *(["settled"] if shape.policy == "any" else [])]


def _gathered(shape: Shape, level: int) -> exp.Select:
    """Gather the members on a level by their group: the least and greatest verdict, and which defaults were heard."""
    wanted = ["subject_id", "parent", "default", *_rated(shape)]
    parts: list[exp.Query] = [select(list(map(col, wanted)), table("judged"), eq(col("level"), num(level)))]
    if level < shape.depth:
        parts.append(select(list(map(col, wanted)), table(f"level{level}")))
    ends = [
        named(end(this=col(text)), f"{word}_{text}")
        for text in _rated(shape)
        for word, end in (("least", exp.Min), ("greatest", exp.Max))
    ]
    heard = [named(_count(eq(col("default"), num(rank))), f"heard{rank}") for rank in DEFAULTS]
    met = named(_count(eq(col("verdict"), num(MET))), "met")
    keys = [col("subject_id"), col("parent")]
    return group(select([*keys, *ends, *heard, met], union(parts).subquery("m", copy=False)), *keys)


def _count(when: Node) -> Node:
    return exp.CountIf(this=when)


def _combined(text: str) -> Node:
    """Put the heard members of a group together with the others, of which only the number is known."""
    silent = {rank: compare(col(f"heard{rank}", "a"), "<", col(f"default{rank}", "g")) for rank in DEFAULTS}
    lowest = case([(silent[rank], num(rank)) for rank in DEFAULTS], num(MET))
    highest = case([(silent[rank], num(rank)) for rank in reversed(DEFAULTS)], num(FAILED))
    least = call("least", col(f"least_{text}", "a"), lowest)
    greatest = call("greatest", col(f"greatest_{text}", "a"), highest)
    kind = col("kind", "g")
    branches = [(eq(kind, exp.Literal.string("all_of")), least), (eq(kind, exp.Literal.string("any_of")), greatest)]
    return case(branches, turned(greatest))


def _level(shape: Shape, level: int) -> exp.Select:
    columns: list[Node] = [col("subject_id", "a"), col("parent", "g"), col("default", "g")]
    columns += [named(_combined(text), text) for text in _rated(shape)]
    query = select(columns, _gathered(shape, level).subquery("a", copy=False))
    return join(query, table("groups", "g"), eq(col("node", "g"), col("parent", "a")))


def _whole(shape: Shape) -> exp.Select:
    """Group 0 is the whole question; of a subject nobody speaks of its defaults hold."""
    gathered = _gathered(shape, 1).subquery("a", copy=False)
    met = exp.Sub(this=exp.Add(this=col("met", "a"), expression=col(f"default{MET}", "g")),
                  expression=col(f"heard{MET}", "a"))  # fmt: skip
    found: dict[str, Node] = {"overall": _combined("verdict"), "met": met}
    if shape.policy == "any":
        found["settled"] = _combined("settled")
    whole = table("groups", "g")
    first = eq(col("node", "g"), num(0))
    if not shape.enumerates:
        columns = [col("subject_id", "a"), *(named(node, text) for text, node in found.items())]
        return join(select(columns, gathered), whole, first)
    without = {"overall": "default", "met": f"default{MET}", "settled": "default"}
    nobody = is_null(col("subject_id", "a"))
    columns = [col("subject_id", "q")]
    columns += [named(case([(nobody, col(without[text], "g"))], node), text) for text, node in found.items()]
    query = join(select(columns, table("asked", "q")), whole, first)
    return join(query, gathered, eq(col("subject_id", "a"), col("subject_id", "q")), "LEFT")


def _buckets(shape: Shape) -> exp.Select:
    return bucketed(shape, [], table("verdicts"), exp.Sub(this=par("tops"), expression=num(1)))

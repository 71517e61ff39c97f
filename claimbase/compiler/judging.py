"""The middle steps of a plan: what each claim says, then the verdict of each slot and subject, and its bucket."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from claimbase.compiler.compare import role
from claimbase.compiler.hearing import Made, asked, every_stretch, version
from claimbase.compiler.nodes import (
    Node,
    among,
    any_bit,
    bits,
    call,
    case,
    col,
    compare,
    either,
    eq,
    every,
    group,
    is_set,
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
from claimbase.compiler.verdicts import (
    COMPLETE,
    MENTIONED,
    MET,
    NO,
    PAIRED,
    POSSIBLE,
    SHOWN,
    SPEAKING,
    UNSURE,
    WITHDRAWN,
    combined,
    least,
    many,
    settled,
    single,
    turned,
)

ELIGIBLE, DISPUTED, POSSIBLY, NEAR, NONE = 1, 2, 3, 4, 5
BUCKETS = {ELIGIBLE: "eligible", DISPUTED: "disputed", POSSIBLY: "possible", NEAR: "near_miss", NONE: "none"}


def steps(shape: Shape) -> Iterator[Made]:
    """Yield the steps `slots` and `asked` where they are needed, `verdicts` and `buckets`."""
    if scoped(shape):
        yield "slots", "the verdict of each slot: certain claims first, then what is only possible", _slots(shape)
    if shape.enumerates:
        yield "asked", "every subject with a visible claim", every_stretch() if shape.over_time else asked(shape)
    yield "verdicts", "the verdict of each subject on each test", _verdicts(shape)
    yield "buckets", "where each subject belongs: eligible, disputed, possible, near miss, or none", _buckets(shape)


# -- evidence ------------------------------------------------------------------------------------------------------


def evidence(shape: Shape) -> Made:
    """Return the step `evidence`, the only one that looks at operators and operands."""
    query = union([_layer(shape, layer) for layer in _layers(shape)])
    return "evidence", "what each claim says to each test: yes, no, maybe, absence, or nothing", query


@dataclass(frozen=True, slots=True)
class _Item:
    """A test, or a predicate that is only shown: its number, and which claims it hears."""

    number: int
    place: int
    moment: int


def _layers(shape: Shape) -> list[list[_Item]]:
    """Split tests into passes over the claims: in one pass each claim is heard by one test at most."""
    layers: list[list[_Item]] = []
    tests = [_Item(n, leaf.place, leaf.moment) for n, leaf in enumerate(shape.leaves) if not leaf.mute]
    for item in tests + [_Item(len(shape.leaves) + n, place, 0) for n, place in enumerate(shape.shown)]:
        if _reads_text(shape, item):
            layers.append([item])
            continue
        free = (layer for layer in layers if not _reads_text(shape, layer[0]) and not _taken(item, layer))
        layer = next(free, None)
        if layer is None:
            layers.append([item])
        else:
            layer.append(item)
    return layers or [[]]


def passes(shape: Shape) -> int:
    """Return how often `evidence` reads the claims; where tests travel as a table it runs again for the page."""
    if shape.tabled:
        return 2
    return len(_layers(shape))


def _taken(item: _Item, layer: list[_Item]) -> bool:
    return any((other.place, other.moment) == (item.place, item.moment) for other in layer)


def _reads_text(shape: Shape, item: _Item) -> bool:
    return item.number < len(shape.leaves) and shape.leaves[item.number].words


def _layer(shape: Shape, layer: list[_Item]) -> exp.Select:
    columns = [
        named(_chosen([(_place(shape, item), num(item.number)) for item in layer]), "test"),
        *(col(text) for text in dict.fromkeys((*version(shape), "subject_id", "scope_id"))),
        named(_certain(shape, layer), "certain"),
        *([col("paired")] if pairs(shape) else []),
        *([col("complete")] if lists(shape) else []),
        named(_chosen([(_place(shape, item), _role(shape, item)) for item in layer]), "role"),
    ]
    query = select(columns, table("weighed"))
    if layer and _reads_text(shape, layer[0]):
        words = select([named(col("value_id"), "said_id"), col("value_key")], table("value", None, "cb"))
        join(query, words.subquery("t", copy=False), eq(col("said_id", "t"), col("value_id")))
    return query.where(either([every([_place(shape, item), *_scope(shape, item)]) for item in layer]), copy=False)


def _certain(shape: Shape, layer: list[_Item]) -> Node:
    """An open claim inside an exception that is only possible is only possible as well (K6, of `single` predicates)."""
    firm = every([col("certain"), no(col("doubted"))])
    several = [item.number >= len(shape.leaves) or shape.leaves[item.number].many for item in layer]
    if all(several):
        return col("certain")
    if not any(several):
        return firm
    return _chosen(
        [(_place(shape, item), col("certain") if plain else firm) for item, plain in zip(layer, several, strict=True)]
    )


def _chosen(branches: list[tuple[Node, Node]]) -> Node:
    """Choose by predicate; the last branch needs no condition, the rows are those of the layer."""
    if not branches:
        return num(0)
    *others, (_, last) = branches
    return case(others, last) if others else last


def _place(shape: Shape, item: _Item) -> Node:
    here = eq(col("predicate_id"), par(f"predicate{item.place}"))
    return every([here, eq(col("moment"), num(item.moment))]) if shape.moments > 1 else here


def _scope(shape: Shape, item: _Item) -> list[Node]:
    exact = item.number < len(shape.leaves) and shape.leaves[item.number].scope == "exact"
    return [eq(col("scope_id"), par(f"scope{item.number}"))] if exact else []


def _role(shape: Shape, item: _Item) -> Node:
    """What a claim says to a test; or that it is only shown (Q12)."""
    if item.number >= len(shape.leaves):
        return num(SHOWN)
    return said(shape, shape.leaves[item.number], str(item.number))


def said(shape: Shape, leaf: Leaf, mark: str) -> Node:
    """Return what a claim says to a test: of a withdrawn source nothing (R2), in another scope it is mentioned (Q6).

    Args:
        shape: of the question.
        leaf: the test.
        mark: what the test's placeholders have in their names.
    """
    node = role(leaf, mark, _has_method(leaf.place, leaf.requires) if leaf.requires else None)
    if shape.withdrawn:
        node.set("ifs", [exp.If(this=col("withdrawn"), true=num(WITHDRAWN)), *node.args["ifs"]])
    if leaf.scope == "none":
        node.set("ifs", [exp.If(this=compare(col("scope_id"), "<>", num(0)), true=num(MENTIONED)), *node.args["ifs"]])
    return node


def _has_method(place: int, count: int) -> Node:
    """Say that the claim's scope has every qualifier its predicate requires (P3)."""
    there = [is_set(call("json_extract_string", col("qualifiers"), par(f"requires{place}_{n}"))) for n in range(count)]
    return exp.In(
        this=col("scope_id"), query=select([col("scope_id")], table("scope", None, "cb"), *there).subquery(copy=False)
    )


def pairs(shape: Shape) -> bool:
    """Tell whether change windows matter: some predicate is `single`."""
    return any(not leaf.many for leaf in shape.leaves)


def lists(shape: Shape) -> bool:
    """Tell whether complete lists matter."""
    return any(leaf.listed for leaf in shape.leaves)


# -- verdicts ------------------------------------------------------------------------------------------------------


def scoped(shape: Shape) -> bool:
    """Tell whether some test asks for the best slot, which is then named (Q6)."""
    return any(leaf.scope == "any" for leaf in shape.leaves)


def weight(shape: Shape) -> Node:
    """What a claim adds to what its slot says: certain ones their own bits, possible-only ones higher ones."""
    speaking = exp.Paren(this=bits(col("role"), SPEAKING))
    weight: Node = exp.Mul(this=speaking, expression=case([(col("certain"), num(1))], num(UNSURE)))
    if pairs(shape):
        paired = every([col("paired"), any_bit(col("role"), SPEAKING)])
        weight = exp.Add(this=weight, expression=case([(paired, num(PAIRED))], num(0)))
    if lists(shape):
        complete = every([col("complete"), col("certain"), eq(col("role"), num(NO))])
        weight = exp.Add(this=weight, expression=case([(complete, num(COMPLETE))], num(0)))
    return weight


def _slots(shape: Shape) -> exp.Query:
    keys = [col("test"), col("subject_id"), col("scope_id")]
    said = named(call("bit_or", weight(shape)), "said")
    heard = group(select([*keys, said], table("evidence"), compare(col("role"), "<", num(MENTIONED))), *keys)
    return select([*keys, named(verdict_by(shape, col("test")), "verdict")], heard.subquery("s", copy=False))


def verdict_by(shape: Shape, which: Node) -> Node:
    """Choose the verdict on what is said by the number of the leaf; leaves with one table share a branch."""
    tables: dict[str, tuple[Node, list[Node]]] = {}
    for number, leaf in enumerate(shape.leaves):
        verdict = table_of(leaf, col("said"))
        tables.setdefault(verdict.sql(), (verdict, []))[1].append(num(number))
    *others, (last, _) = tables.values()
    return case([(among(which, numbers), verdict) for verdict, numbers in others], last) if others else last


def table_of(leaf: Leaf, said: Node) -> Node:
    """Choose the table of verdicts for a test, and turn a test that asks for a lack (Q1, Q7)."""
    verdict = many(said, closed=leaf.closed) if leaf.listed else single(said)
    return turned(verdict) if leaf.turned else verdict


def _best_slots(shape: Shape) -> exp.Select:
    """The best verdict of any slot of each subject, by test; NULL without one."""
    best = [named(exp.Max(this=case([(eq(col("test"), num(n)), col("verdict"))])), f"v{n}") for n in _numbers(shape)]
    return group(select([col("subject_id"), *best], table("slots")), col("subject_id"))


def _one_slot(shape: Shape) -> exp.Select:
    """The verdict of each subject's one slot, by test; NULL where nothing is said at all."""
    weighted = select(
        [col("subject_id"), col("test"), named(weight(shape), "weight")],
        table("evidence"),
        compare(col("role"), "<", num(MENTIONED)),
    ).subquery("w", copy=False)
    said = [
        named(call("bit_or", case([(eq(col("test"), num(n)), col("weight"))])), f"said{n}") for n in _numbers(shape)
    ]
    heard = group(select([col("subject_id"), *said], weighted), col("subject_id")).subquery("s", copy=False)
    verdicts = [
        named(case([(is_set(col(f"said{n}")), table_of(leaf, col(f"said{n}")))]), f"v{n}")
        for n, leaf in enumerate(shape.leaves)
    ]
    return select([col("subject_id"), *verdicts], heard)


def _verdicts(shape: Shape) -> exp.Query:
    pivot = (_best_slots(shape) if scoped(shape) else _one_slot(shape)).subquery("p", copy=False)
    values = [
        named(exp.Coalesce(this=col(f"v{n}", "p"), expressions=[num(shape.leaves[n].default)]), f"v{n}")
        for n in _numbers(shape)
    ]
    if not shape.enumerates:
        return select([col("subject_id", "p"), *values], pivot)
    query = select([col("subject_id", "q"), *values], table("asked", "q"))
    return join(query, pivot, eq(col("subject_id", "p"), col("subject_id", "q")), "LEFT")


def _numbers(shape: Shape) -> range:
    return range(len(shape.leaves))


def _buckets(shape: Shape) -> exp.Query:
    leaves: list[Node] = [col(f"v{n}") for n in _numbers(shape)]
    tops = [combined(tree, leaves) for tree in shape.tree]
    columns = [col("subject_id"), *leaves, named(least(tops), "overall")]
    if shape.several:
        columns.append(named(_sum([case([(eq(top, num(MET)), num(1))], num(0)) for top in tops]), "met"))
    if shape.policy == "any":
        columns.append(named(least([settled(tree, leaves) for tree in shape.tree]), "settled"))
    judged = select(columns, table("verdicts")).subquery("b", copy=False)
    return bucketed(shape, leaves, judged, num(len(tops) - 1))


def bucketed(shape: Shape, leaves: list[Node], judged: Node, all_but_one: Node) -> exp.Select:
    """Sort subjects into buckets by their overall verdict; one condition missed by itself is a near miss (Q3)."""
    overall = col("overall")
    branches = [
        (eq(overall, num(MET)), num(ELIGIBLE)),
        (compare(overall, ">", num(POSSIBLE)), num(DISPUTED)),
        (eq(overall, num(POSSIBLE)), num(POSSIBLY)),
    ]
    if shape.several:
        branches.append((eq(col("met"), all_but_one), num(NEAR)))
    eligible: Node = eq(overall, num(MET))
    if shape.policy == "any":
        eligible = either([eligible, eq(col("settled"), num(MET))])
    columns = [*leaves, overall, named(case(branches, num(NONE)), "bucket"), named(eligible, "eligible")]
    return select([col("subject_id"), *columns], judged)


def _sum(nodes: list[Node]) -> Node:
    whole = nodes[0]
    for node in nodes[1:]:
        whole = exp.Add(this=whole, expression=node)
    return whole

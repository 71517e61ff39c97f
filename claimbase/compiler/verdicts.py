"""Q1 and Q7 as data: what claims say as bits, verdicts as ranked numbers, the table as one CASE."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sqlglot import exp

from claimbase.compiler.nodes import Node, among, any_bit, bits, call, case, either, eq, no, num

# What one claim says to one constraint. The four that speak are the low bits, those that say nothing the high ones.
YES, NO, MAYBE, ABSENCE = 1, 2, 4, 8
OVERRIDDEN, UNREAD, INCOMPARABLE, NO_METHOD = 16, 32, 64, 128
# Roles of claims cited beside a constraint: in another scope (Q6), shown only (Q12), of a withdrawn source (R2).
MENTIONED, SHOWN, WITHDRAWN = 256, 512, 1024
SPEAKING = YES | NO | MAYBE | ABSENCE
ROLES = {
    YES: "yes", NO: "no", MAYBE: "maybe", ABSENCE: "absence", OVERRIDDEN: "overridden", UNREAD: "unread",
    INCOMPARABLE: "incomparable", NO_METHOD: "no_method", MENTIONED: "other_scope", SHOWN: "shown",
    WITHDRAWN: "withdrawn",
}  # fmt: skip

# What the claims of a slot say together: certain ones as they are, possible-only ones four bits higher.
UNSURE = 16
PAIRED = 256
COMPLETE = 512

# Verdicts by rank; a dispute in which no claim satisfies (no against absence) ranks just below one in which some do.
MET, DISPUTED, DENIED, POSSIBLE, NO_EVIDENCE, ABSENT, FAILED = 7, 6, 5, 4, 3, 2, 1
VERDICTS = {
    MET: "met", DISPUTED: "disputed", DENIED: "disputed", POSSIBLE: "possible", NO_EVIDENCE: "no_evidence",
    ABSENT: "absent", FAILED: "failed",
}  # fmt: skip

DEFAULTS = (FAILED, ABSENT, NO_EVIDENCE, MET)
"""The verdicts that a test or group can have without any claim."""

# The values groups are made of; a nested tuple of test numbers and (kind, members).
GroupKind = Literal["all_of", "any_of", "none_of"]
Tree = int | tuple[GroupKind, tuple["Tree", ...]]


def single(said: Node) -> Node:
    """Return the verdict on a `single` predicate from what its claims say: the first row that applies (Q1)."""
    sure = exp.Paren(this=bits(said, SPEAKING))
    either_way = exp.Paren(this=bits(said, PAIRED | SPEAKING * UNSURE))
    disputed_by = [num(ABSENCE | rest) for rest in (NO, MAYBE, NO | MAYBE)]
    return case(
        [
            (among(sure, [num(YES), num(YES | MAYBE)]), num(MET)),
            (among(sure, [num(NO), num(NO | MAYBE)]), num(FAILED)),
            (eq(sure, num(ABSENCE)), num(ABSENT)),
            (among(sure, disputed_by), num(DENIED)),
            (no(among(sure, [num(0), num(MAYBE)])), num(DISPUTED)),
            (eq(either_way, num(PAIRED | YES * UNSURE)), num(MET)),
            (eq(either_way, num(PAIRED | NO * UNSURE)), num(FAILED)),
            (any_bit(said, MAYBE | (YES | MAYBE) * UNSURE), num(POSSIBLE)),
            (any_bit(said, (NO | ABSENCE) * UNSURE), num(FAILED)),
        ],
        num(NO_EVIDENCE),
    )


def many(said: Node, *, closed: bool) -> Node:
    """Return the verdict on a `many` predicate, which asks for one member (Q1); *closed*: no claim is a denial (Q7)."""
    return case(
        [
            (any_bit(said, YES), num(MET)),
            (any_bit(said, MAYBE | (YES | MAYBE) * UNSURE), num(POSSIBLE)),
            (any_bit(said, COMPLETE), num(FAILED)),
            (any_bit(said, ABSENCE), num(ABSENT)),
        ],
        num(FAILED if closed else NO_EVIDENCE),
    )


def turned(verdict: Node) -> Node:
    """Return what none_of makes of the verdict of any_of (Q1)."""
    return case(
        [(eq(verdict, num(rank)), num(TURNED[rank])) for rank in sorted(TURNED)],
        verdict,
    )


TURNED = {MET: FAILED, FAILED: MET, ABSENT: MET}


def nothing(operator: str, *, cardinality_many: bool, closed_world: bool) -> int:
    """Return the verdict of a test no claim speaks to (Q1 row 8, Q7)."""
    if not closed_world:
        return NO_EVIDENCE
    if operator in ("exists", "absent"):
        return {"exists": ABSENT, "absent": MET}[operator]
    if not cardinality_many:
        return NO_EVIDENCE
    return MET if operator in NEGATED else FAILED


# On a `many` predicate these ask that no member be so, which is none_of (Q7).
NEGATED = {"ne": "eq", "is_false": "is_true"}


def combined(tree: Tree, leaves: Sequence[Node]) -> Node:
    """Return the verdict of a group from those of its tests: the least, the greatest, the greatest turned (Q1)."""
    if isinstance(tree, int):
        return leaves[tree]
    kind, members = tree
    parts = [combined(member, leaves) for member in members]
    if kind == "all_of":
        return least(parts)
    return turned(greatest(parts)) if kind == "none_of" else greatest(parts)


def least(nodes: Sequence[Node]) -> Node:
    """Return the least of some verdicts."""
    return nodes[0] if len(nodes) == 1 else call("least", *nodes)


def greatest(nodes: Sequence[Node]) -> Node:
    """Return the greatest of some verdicts."""
    return nodes[0] if len(nodes) == 1 else call("greatest", *nodes)


def ranked(tree: Tree, leaves: Sequence[int]) -> int:
    """Return the verdict of a group over plain numbers."""
    if isinstance(tree, int):
        return leaves[tree]
    kind, members = tree
    return together(kind, [ranked(member, leaves) for member in members])


def together(kind: GroupKind, ranks: Sequence[int]) -> int:
    """Return the verdict of a group with members of these verdicts (Q7)."""
    if kind == "all_of":
        return min(ranks)
    return TURNED.get(max(ranks), max(ranks)) if kind == "none_of" else max(ranks)


def decided(verdict: Node, *, wanted: bool) -> Node:
    """Return the verdict of a test under the policy "any": disputed is as wanted if some claim says so (Q2)."""
    disputes = [DISPUTED] if wanted else [DISPUTED, DENIED]
    winning = either([eq(verdict, num(rank)) for rank in disputes])
    return case([(winning, num(MET if wanted else FAILED))], verdict)


def settled(tree: Tree, leaves: Sequence[Node], *, wanted: bool = True) -> Node:
    """Return a group's verdict under the policy "any": a dispute is decided as wanted if some claim says so (Q2)."""
    if isinstance(tree, int):
        return decided(leaves[tree], wanted=wanted)
    kind, members = tree
    parts = [settled(member, leaves, wanted=wanted is (kind != "none_of")) for member in members]
    if kind == "all_of":
        return least(parts)
    return turned(greatest(parts)) if kind == "none_of" else greatest(parts)

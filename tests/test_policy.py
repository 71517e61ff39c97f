"""Policies: what counts, what must hold, and a digest that depends on nothing else."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from typing import Any

import pytest

from claimbase.errors import InputError
from claimbase.evidence.model import Change, Match
from claimbase.evidence.policy import GATE, WARNING, Policy, context_flags, load_policy
from claimbase.evidence.terms import ChangeKind, QuoteStatus, Severity, Tier

EVERYTHING = """
name = "strict"
allow_tiers = ["normalized", "exact"]
allow_unsupported = true
strict_context = true
words_left_out = "flag"
elided_within = "none"
elision_negation = "warn"
min_independent = 2
sample = 0.2
seed = 7
freshness_days = 10
required_predicates = ["b", "a", "a"]
review_required = false
gate = ["coverage"]
warn = ["date-literal"]
"""
FLAGS = (
    "words-left-out:annual", "elision-crosses-unit", "elision-drops-negation", "elision-drops-qualifier",
    "negation-before:not", "negation-after:not", "qualifier-before:if", "qualifier-after:beta", "bound-before:up to",
)  # fmt: skip


def test_a_policy_is_read_whole() -> None:
    """§6.5: each key of the TOML is understood, sets are put in one order, a share is a decimal."""
    policy = load_policy(EVERYTHING)
    assert policy.model_dump(mode="json") == {
        "name": "strict", "allow_tiers": ["exact", "normalized"], "allow_unsupported": True, "strict_context": True,
        "words_left_out": "flag", "elided_within": "none", "elision_negation": "warn", "min_independent": 2,
        "sample": "0.2", "seed": 7, "freshness_days": 10, "required_predicates": ["a", "b"], "review_required": False,
        "gate": ["coverage"], "warn": ["date-literal"],
    }  # fmt: skip
    assert load_policy("") == Policy()


def test_the_digest_is_of_what_the_policy_says() -> None:
    """§6.5: the same policy written another way has the same digest; any value changes it; it is the same for ever."""
    same = [load_policy('sample = 0.20\ngate = ["coverage", "freshness"]'),
            load_policy('gate = ["freshness", "coverage"]\nsample = "0.2"\nname = "default"')]  # fmt: skip
    assert len({one.sha256 for one in same}) == 1
    assert Policy().sha256 == "10eb9842f5a9168aad601290e80bfa656b8901b3c1b87e12aec6be5a9cb21426"
    lines = EVERYTHING.strip().splitlines()
    digests = {load_policy(line).sha256 for line in lines} | {Policy().sha256}
    assert len(digests) == len(lines) + 1


@pytest.mark.parametrize(
    "text",
    [
        "= 1", "nothing = 1", 'gate = ["no-such-check"]', 'warn = ["quote_integrity"]', "sample = 1.01",
        "sample = -0.1", "sample = inf", 'sample = "1e-999999999"', "sample = 0.00000000000001",
        'sample = "some"', "sample = nan", 'allow_tiers = ["none"]', 'allow_tiers = ["fuzzy"]', 'words_left_out = "ok"',
        'gate = ["coverage"]\nwarn = ["coverage"]', "min_independent = -1", "seed = -1", "seed = 9007199254740992",
        'freshness_days = "soon"', "gate = 1", "name = ''", "min_independent = 1.5", "sample = true",
    ],
)  # fmt: skip
def test_what_is_no_policy_is_refused(text: str) -> None:
    """§6.5: unknown keys, values and checks are refused with a code and the keys there are."""
    with pytest.raises(InputError) as refused:
        load_policy(text)
    assert refused.value.code == "bad_policy"
    assert "allow_tiers" in refused.value.hint


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"nothing": 1}, "nothing"), ({"seed": "7"}, "seed"), ({"seed": -1}, "seed"),
        ({"gate": ("no-such",)}, "no-such"),
        ({"name": ""}, "name"), ({"gate": ("coverage",), "warn": ("coverage",)}, "coverage"), ({"sample": 2}, "sample"),
    ],
)  # fmt: skip
def test_a_policy_made_in_python_is_refused_alike(given: dict[str, Any], named: str) -> None:
    """§6.5, G16: what no file may say no call may say either: one error, which names it."""
    with pytest.raises(InputError, match=named) as refused:
        Policy(**given)
    assert refused.value.code == "bad_policy"


OFF_TYPE = {
    "allow_unsupported": ['"yes"', "1", "0.0"], "strict_context": ['"true"', "1"], "review_required": ["0", '"no"'],
    "min_independent": ['"2"', "2.0", "true", "1001"], "seed": ['"7"', "7.0", "true"],
    "freshness_days": ['"10"', "10.0", "true", "-1", "100001"],
    "name": ["5", '"  "', '"a\\u0000b"', '"a\\u202eb"', "true"],
    "required_predicates": ['"a"', "[1]", '[""]', '["\\u0007"]', "{a = 1}"],
    "gate": ['"coverage"', "[1]"], "warn": ["{}"],
    "allow_tiers": ['"exact"', "[1]", "[true]"], "words_left_out": ["1", "true"], "sample": ["true", "[]"],
}  # fmt: skip


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in OFF_TYPE.items() for value in values])
def test_a_value_of_another_type_is_refused(key: str, value: str) -> None:
    """C13: nothing is read as what it is not: no text as a number, no number as a truth; the key is named."""
    with pytest.raises(InputError) as refused:
        load_policy(f"{key} = {value}")
    assert (refused.value.code, refused.value.message.count(f"'{key}")) == ("bad_policy", 1)
    assert key in refused.value.hint


def test_every_key_is_strict() -> None:
    """C13: each key refuses an instant, which none is; the cases above leave out two choices alone."""
    for key in Policy.model_fields:
        with pytest.raises(InputError, match=key):
            load_policy(f"{key} = 2026-03-01T00:00:00Z")
    assert {*OFF_TYPE, "elided_within", "elision_negation"} == set(Policy.model_fields)


@pytest.mark.parametrize("text", ["x = " + "[" * 100_000, 5, b"seed = 1", "name = '\ud800'"])
def test_what_cannot_be_parsed_is_refused(text: str) -> None:
    """C13, X3, X35: nested too deep, no text, half a character: refused like any other mistake."""
    with pytest.raises(InputError) as refused:
        load_policy(text)
    assert refused.value.code == "bad_policy"


@pytest.mark.covers("T19")
def test_a_check_of_a_domain_may_be_moved_once_it_is_known() -> None:
    """§6.3: a registered check gates by default; a policy may make it warn, but only by a name that is registered."""
    text = 'warn = ["sum-of-lines"]'
    with pytest.raises(InputError, match="sum-of-lines"):
        load_policy(text)
    assert Policy().gates("sum-of-lines")
    assert not load_policy(text, checks=["sum-of-lines"]).gates("sum-of-lines")


def test_checks_are_moved_between_the_groups() -> None:
    """§6.3: every check stands in one group; gate and warn move it to the other, and nothing else moves."""
    for name in (*GATE, *WARNING):
        assert Policy().gates(name) == (name in GATE)
        assert load_policy(f'gate = ["{name}"]').gates(name)
        assert not load_policy(f'warn = ["{name}"]').gates(name)
        others = [one for one in (*GATE, *WARNING) if one != name]
        moved = load_policy(f'warn = ["{name}"]')
        assert [moved.gates(one) for one in others] == [Policy().gates(one) for one in others]
    assert not set(GATE) & set(WARNING)


def expected(policy: Policy, match: Match) -> bool:
    """The rule of §6.5 once more, in plain words."""
    flags = match.flags
    if match.status is not QuoteStatus.VERIFIED:
        swallowed = match.status is QuoteStatus.ALTERED and "elision-drops-negation" in flags
        clean = not match.changes and match.ratio >= "0.850"
        if not (swallowed and clean and match.tier is Tier.ELIDED and policy.elision_negation == "warn"):
            return False
    if match.tier not in policy.allow_tiers:
        return False
    if policy.words_left_out == "fail" and "words-left-out:annual" in flags:
        return False
    if match.tier is Tier.ELIDED and policy.elided_within == "none":
        return False
    if policy.elided_within == "unit" and "elision-crosses-unit" in flags:
        return False
    if policy.elision_negation == "fail" and "elision-drops-negation" in flags:
        return False
    around = {flag for flag in flags if ":" in flag and not flag.startswith("words")} | {"elision-drops-qualifier"}
    return not (policy.strict_context and around & set(flags))


def test_what_counts_is_what_the_rule_says() -> None:
    """§6.5: a quote counts by status, tier, words left out, elision and context: all small combinations."""
    policies = [
        Policy(strict_context=strict, words_left_out=words, elided_within=within, elision_negation=negation,
               allow_tiers=tiers)
        for strict in (False, True) for words in ("fail", "flag") for within in ("unit", "any", "none")
        for negation in ("fail", "warn") for tiers in ((Tier.EXACT,), (Tier.NEAR, Tier.ELIDED), tuple(Tier)[:4])
    ]  # fmt: skip
    some = [(), *((flag,) for flag in FLAGS), *itertools.combinations(FLAGS, 2)]
    fails = (Change(ChangeKind.NUMBER, Severity.FAIL, "1", "2"),)
    matches = [
        Match(status, tier, ratio, 0, 9, 1, flags=flags, changes=changes)
        for status in QuoteStatus for tier in Tier for flags in some
        for ratio, changes in (("1.000", ()), ("0.700", ()), ("1.000", fails))
        if (status, bool(changes)) != (QuoteStatus.VERIFIED, True)
    ]  # fmt: skip
    chosen = random.Random(5).sample(matches, 400)
    counted = [(policy.counts(match), expected(policy, match)) for policy in policies for match in chosen]
    assert all(found == wanted for found, wanted in counted)
    assert len({found for found, _ in counted}) == 2


def test_only_a_negation_in_the_dots_is_forgiven() -> None:
    """§6.5: the pieces must be alike and nothing else may be wrong with them."""
    flags = ("elision-drops-negation",)
    good = Match(QuoteStatus.ALTERED, Tier.ELIDED, "0.850", 0, 9, 1, flags=flags)
    policy = Policy(elision_negation="warn")
    assert policy.counts(good)
    assert not Policy().counts(good)
    assert not policy.counts(replace(good, ratio="0.849"))
    assert not policy.counts(replace(good, tier=Tier.NEAR))
    assert not policy.counts(replace(good, changes=(Change(ChangeKind.WORD, Severity.FAIL, "a", "b"),)))
    assert policy.counts(replace(good, changes=(Change(ChangeKind.FREE, Severity.OK, "a", "the"),)))
    for flag in ("segment-not-found", "segments-out-of-order", "gap-too-long", "struck-in-source"):
        assert not policy.counts(replace(good, flags=(*flags, flag)))


def test_an_objection_names_its_reason() -> None:
    """P2: why a quote does not count is said in words of the rule, the status first."""
    near = Match(QuoteStatus.VERIFIED, Tier.NEAR, "0.950", 0, 9, 1, flags=("words-left-out:annual",))
    assert Policy().objections(near) == ("words-left-out",)
    assert Policy(words_left_out="flag").objections(near) == ()
    assert context_flags(near) == ("words-left-out:annual",)
    assert Policy(allow_tiers=(Tier.EXACT,)).objections(near) == ("tier-not-allowed", "words-left-out")
    assert Policy().objections(Match(QuoteStatus.NOT_FOUND)) == ("quote-not-found",)
    assert Policy().objections(Match(QuoteStatus.UNVERIFIABLE, flags=("no-source-text",))) == ("quote-unverifiable",)

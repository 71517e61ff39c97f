"""The policy: which quotes count, and which checks must hold (evidence §6.5). Checks never depend on it."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Any, Literal, Protocol

import rfc8785
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from claimbase.errors import InputError, shown
from claimbase.evidence.terms import QuoteStatus, Severity, Tier

GATE = (
    "schema-valid", "source-resolves", "snapshot-present", "source-allowed", "selector-valid", "evidence-present",
    "quote-integrity", "value-in-quote", "normalized-from-value", "date-literal", "quote-not-snippet",
    "observed-values-agree", "cite-check-resolved", "dangling-citation", "retracted-citations", "contradictions",
    "no-placeholder-value", "no-authored-provenance", "as-of-consistent", "ledger-intact", "review-complete",
)  # fmt: skip
"""The checks that must hold for a receipt to pass, unless a policy moves them (evidence §6.3)."""
WARNING = (
    "quote-context", "unit-in-window", "subject-in-window", "title-says-retracted", "blanket-citation", "independence",
    "corroboration", "freshness", "coverage",
)  # fmt: skip
"""The checks that only warn, unless a policy moves them."""

ALIKE = Decimal("0.85")
"""How alike a quote and its text are, at least (N6)."""
PLACES = 12
"""How finely a share may be given, in decimal places."""

_CONTEXT = ("negation-before:", "negation-after:", "qualifier-before:", "qualifier-after:", "bound-before:")
_LEFT_OUT = "words-left-out:"
_CROSSES, _DROPS_NEGATION, _DROPS_QUALIFIER = (
    "elision-crosses-unit",
    "elision-drops-negation",
    "elision-drops-qualifier",
)
_BROKEN = ("segment-not-found", "segments-out-of-order", "gap-too-long", "struck-in-source")


class Difference(Protocol):
    """One word that differs, as a match or a receipt tells it."""

    @property
    def severity(self) -> str:
        """Whether it is tolerated."""


class Found(Protocol):
    """How a quote was found, as a match or a row of a receipt tells it."""

    @property
    def status(self) -> str:
        """How it stands in the text."""

    @property
    def tier(self) -> str:
        """What located it."""

    @property
    def ratio(self) -> str | None:
        """How alike quote and text are."""

    @property
    def changes(self) -> Sequence[Difference]:
        """The words that differ."""

    @property
    def flags(self) -> Sequence[str]:
        """What a policy may look at."""


def _share(given: Any) -> Any:
    """Read a share as a decimal in plain digits, so that 0.2, "0.2" and "0.20" are one policy."""
    if isinstance(given, bool) or not isinstance(given, int | float | str) or given in ("all", "strong-markers"):
        return given
    try:
        number = Decimal(str(given))
    except ArithmeticError:
        return given
    if not number.is_finite() or not 0 <= number <= 1 or number != round(number, PLACES):
        raise ValueError(f"a share lies between 0 and 1 and has {PLACES} places at most")
    return format(round(number, PLACES).normalize(), "f")


def _listed(given: Any) -> Any:
    return tuple(given) if isinstance(given, list) else given


def _plain(given: str) -> str:
    """Refuse characters that cannot be seen: the words stand in every receipt."""
    if not given.strip() or not given.isprintable():
        raise ValueError("plain characters are needed, none of them a control character")
    return given


_Share = Annotated[str, Field(pattern=r"^(0|1|0\.[0-9]{1,12})$")]
_Sample = Annotated[Literal["all", "strong-markers"] | _Share, BeforeValidator(_share)]
# TOML has neither tuples nor names of ours: its lists and texts are taken for them, and nothing else is (C13).
_Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_plain)]
_Names = Annotated[tuple[_Name, ...], Field(max_length=1_000), BeforeValidator(_listed)]
_Tiers = Annotated[tuple[Annotated[Tier, Field(strict=False)], ...], BeforeValidator(_listed)]


class Policy(BaseModel):
    """What counts as evidence and what must hold; its digest is part of every receipt.

    Args:
        name: what people call it.
        allow_tiers: what may have located a quote that counts.
        allow_unsupported: an unsupported or wrongly cited sentence does not fail the gate.
        strict_context: a negation, condition or bound beside the quote keeps it from counting (N8).
        words_left_out: whether content words left out in silence keep a near quote from counting (N6).
        elided_within: whether the pieces of an elided quote must lie in one sentence, item or row; none = never counts.
        elision_negation: whether a negation inside the dots keeps it from counting (N7).
        min_independent: independent voices a claim needs, else `corroboration` speaks.
        sample: which sentences of a document a judge reads: all, strong-markers, or a share of the others.
        seed: of that sample.
        freshness_days: the age limit in days in place of those of sources and predicates; None = theirs.
        required_predicates: predicates that every subject must have.
        review_required: open reviews fail the gate.
        gate, warn: checks moved to one group or the other.

    Raises:
        InputError: [bad_policy] for a key there is not, or a value that is none of its own.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    def __init__(self, **given: Any) -> None:
        try:
            super().__init__(**given)
        except ValidationError as error:
            raise _own_error(error) from error

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # so `model_validate` keeps its context

    name: _Name = "default"
    allow_tiers: _Tiers = (Tier.EXACT, Tier.NORMALIZED, Tier.NEAR, Tier.ELIDED)
    allow_unsupported: bool = False
    strict_context: bool = False
    words_left_out: Literal["fail", "flag"] = "fail"
    elided_within: Literal["unit", "any", "none"] = "unit"
    elision_negation: Literal["fail", "warn"] = "fail"
    min_independent: Annotated[int, Field(ge=0, le=1_000)] = 0
    sample: _Sample = "all"
    seed: Annotated[int, Field(ge=0, le=2**53 - 1)] = 0
    freshness_days: Annotated[int, Field(ge=0, le=100_000)] | None = None
    required_predicates: _Names = ()
    review_required: bool = True
    gate: _Names = ()
    warn: _Names = ()

    @field_validator("allow_tiers")
    @classmethod
    def _ordered(cls, given: tuple[Tier, ...]) -> tuple[Tier, ...]:
        if Tier.NONE in given:
            raise ValueError("tier none locates nothing")
        return tuple(tier for tier in Tier if tier in given)

    @field_validator("required_predicates", "gate", "warn")
    @classmethod
    def _sorted(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(set(given)))

    @field_validator("gate", "warn")
    @classmethod
    def _known(cls, given: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        known = {*GATE, *WARNING, *((info.context or {}).get("checks", ()))}
        if unknown := [name for name in given if name not in known]:
            raise ValueError(f"no check is called {', '.join(map(shown, unknown))}")
        return given

    @model_validator(mode="after")
    def _once(self) -> Policy:
        if both := set(self.gate) & set(self.warn):
            raise ValueError(f"{', '.join(sorted(both))} stands in gate and in warn")
        return self

    @cached_property
    def sha256(self) -> str:
        """The digest of its canonical JSON with all defaults filled in."""
        return hashlib.sha256(rfc8785.dumps(self.model_dump(mode="json"))).hexdigest()

    def gates(self, check: str) -> bool:
        """Tell whether a check must hold; checks of a domain must, unless moved."""
        return check in self.gate or (check not in self.warn and check not in WARNING)

    def counts(self, match: Found) -> bool:
        """Tell whether a quote counts as verified: by its status, what located it, and what its flags say.

        Args:
            match: a match, or the row of a receipt that tells of one.
        """
        return not self.objections(match)

    def objections(self, match: Found) -> tuple[str, ...]:
        """Say why a quote does not count; empty if it does.

        Args:
            match: a match, or the row of a receipt that tells of one.

        Returns:
            Short reasons, the status first: quote-altered, tier-not-allowed, words-left-out and so on.
        """
        if match.status != QuoteStatus.VERIFIED and not self._forgiven(match):
            return (f"quote-{match.status}",)
        flagged = [name for name, speaks in self._flags(match) if speaks]
        tier = () if match.tier in self.allow_tiers else ("tier-not-allowed",)
        return (*tier, *flagged)

    def _flags(self, match: Found) -> list[tuple[str, bool]]:
        elided = match.tier == Tier.ELIDED
        dropped = _DROPS_NEGATION in match.flags and self.elision_negation == "fail"
        return [
            ("words-left-out", self.words_left_out == "fail" and _flagged(match, _LEFT_OUT)),
            ("elision-not-allowed", elided and self.elided_within == "none"),
            (_CROSSES, self.elided_within == "unit" and _CROSSES in match.flags),
            (_DROPS_NEGATION, dropped),
            ("quote-context", self.strict_context and (_flagged(match, *_CONTEXT) or _DROPS_QUALIFIER in match.flags)),
        ]

    def _forgiven(self, match: Found) -> bool:
        """Tell whether a quote is altered only by a negation between its pieces, which the policy merely warns of."""
        return (
            self.elision_negation == "warn"
            and match.status == QuoteStatus.ALTERED
            and match.tier == Tier.ELIDED
            and _DROPS_NEGATION in match.flags
            and not any(flag in _BROKEN for flag in match.flags)
            and not any(one.severity == Severity.FAIL for one in match.changes)
            and Decimal(match.ratio or 0) >= ALIKE
        )


def load_policy(text: str, *, checks: Iterable[str] = ()) -> Policy:
    """Read a policy from TOML; what it leaves out has its default.

    Args:
        text: the TOML.
        checks: names of registered checks that it may speak of too.

    Raises:
        InputError: [bad_policy] for broken TOML, unknown keys, values and checks, and values of another type.
    """
    if not isinstance(text, str):
        raise _refused(f"no TOML: {type(text).__name__}")
    try:
        return Policy.model_validate(tomllib.loads(text), context={"checks": frozenset(checks)})
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _refused(f"no TOML: {error}") from error
    except ValidationError as error:
        raise _own_error(error) from error


def context_flags(match: Found) -> tuple[str, ...]:
    """Give the flags of a quote that a reader should look at though it may count (N6-N8)."""
    told = (*_CONTEXT, _LEFT_OUT, _CROSSES, _DROPS_NEGATION, _DROPS_QUALIFIER)
    return tuple(flag for flag in match.flags if flag.startswith(told))


def _flagged(match: Found, *starts: str) -> bool:
    return any(flag.startswith(starts) for flag in match.flags)


def _own_error(error: ValidationError) -> InputError:
    """Name the key, what is wrong with its value, and the keys there are."""
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        return _refused(f"{where} is no key of a policy")
    return _refused(f"{where}: {first['msg']}" if where else first["msg"])


def _refused(what: str) -> InputError:
    known = ", ".join(Policy.model_fields)
    return InputError(f"the policy cannot be read: {shown(what, 300)}", code="bad_policy", hint=f"its keys are {known}")

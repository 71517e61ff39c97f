"""Where a hit may begin and end: never inside a word, a number, a range, a date or a quantity (N3)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from claimbase.evidence.terms import ChangeKind
from claimbase.evidence.texts import SourceText
from claimbase.evidence.tokens import CURRENCY, IS_CJK, Tokens
from claimbase.evidence.words import words

_DASHES = frozenset(("-", " - ", " -", "- "))
_RANGE_WORDS = frozenset(("to", "bis", "à", "hasta", "tot", "до", "até", "through", "thru"))
_SIGN_WORDS = frozenset(("minus", "moins", "menos"))
_FRACTION = re.compile(r"[1-9]\d?/[1-9]\d{0,2}|[¼-¾⅐-⅞]")
_SHARES = frozenset(("cent", "mille"))
_PRIMES = "′″"
_LEAST_PLACES, _EFFORT = 10_000, 200_000_000
_MONEY = re.compile(f"[{CURRENCY}]")
_HANGING = re.compile(rf"[-§#№=<>~±@*/^+{CURRENCY}]")


def find_all(text: str, needle: str) -> Iterator[int]:
    """Give the places where a text holds another, overlapping ones too, as many as a bounded effort finds."""
    if not needle:
        return
    at, left = text.find(needle), max(_LEAST_PLACES, _EFFORT // len(needle))
    while at >= 0 and left:
        yield at
        at, left = text.find(needle, at + 1), left - 1


def on_boundaries(source: SourceText, first: int, last: int) -> bool:
    """Say whether a range of the normal form cuts no word, number or quantity at its ends."""
    return not (
        _inside(source, first) or _inside(source, last) or _cut_before(source, first) or _cut_after(source, last)
    )


def _inside(source: SourceText, at: int) -> bool:
    """Say whether a position lies inside a token; the possessive 's may be left off."""
    tokens = source.tokens
    token = bisect_right(tokens.starts, at) - 1
    if token < 0 or not tokens.starts[token] < at < tokens.ends[token]:
        return False
    return tokens.ends[token] - at != 2 or not source.normal.text.startswith("'s", at)


def _counts(tokens: Tokens, at: int) -> bool:
    """Say whether a token is a number in digits, words or characters."""
    return tokens.is_number(at) or words().kinds.get(tokens.text(at)) is ChangeKind.NUMBER


def _numeral(char: str) -> bool:
    """Say whether a character is a Chinese or Japanese numeral or magnitude."""
    return words().kinds.get(char) is ChangeKind.NUMBER or char in words().magnitudes


def _hyphened(text: str, left: str, right: str) -> bool:
    """Say whether a hyphen joins two words of which one turns or narrows the other."""
    return text == "-" and (left in words().prefixes or right in words().suffixes)


def _pair_is_one(tokens: Tokens, at: int) -> bool:
    """Say whether a token and the next one are one quantity, range or compound that no hit may part."""
    if at < 0 or at + 1 >= len(tokens):
        return False
    gap, left, right = tokens.gap(at), tokens.text(at), tokens.text(at + 1)
    if not gap and IS_CJK.match(right):
        return (
            (IS_CJK.match(left) is not None or tokens.is_number(at))
            and _numeral(right)
            and (_counts(tokens, at) or _numeral(left))
        )
    if gap in _DASHES:
        return (_counts(tokens, at) and _counts(tokens, at + 1)) or _hyphened(gap, left, right)
    if gap not in ("", " "):
        return False
    if tokens.is_number(at + 1) and (_MONEY.fullmatch(left) or left in _SIGN_WORDS):
        return True
    if tokens.is_number(at) and _FRACTION.fullmatch(right):  # 2 1/2
        return True
    return tokens.is_number(at) and _MONEY.fullmatch(right) is not None


def _cut_before(source: SourceText, first: int) -> bool:
    """Say whether a hit that begins here leaves something of its first token behind."""
    tokens, text = source.tokens, source.normal.text
    at = bisect_right(tokens.starts, first) - 1
    if at < 0 or tokens.starts[at] != first:
        return False
    if first and text[first - 1] in "-−" and tokens.is_number(at):
        return True
    if _pair_is_one(tokens, at - 1) or (at > 0 and _magnitude_follows(tokens, at - 1)):
        return True
    return _ratio_around(tokens, at - 1) or _ratio_around(tokens, at)


def _cut_after(source: SourceText, last: int) -> bool:
    """Say whether a hit that ends here leaves something of its last token behind."""
    tokens, text = source.tokens, source.normal.text
    if _HANGING.match(text, last - 1) and text[last : last + 1].isalnum():
        return True
    at = bisect_right(tokens.starts, last - 1) - 1
    if at < 0 or tokens.ends[at] != last:
        return False
    if _pair_is_one(tokens, at) or _minus_hangs(source, at):
        return True
    if last < len(text) and tokens.is_number(at) and source.text[source.normal.starts[last]] in _PRIMES:
        return True
    if _ratio_around(tokens, at) or _ratio_around(tokens, at + 1):
        return True
    return _magnitude_follows(tokens, at) or _range_follows(tokens, at) or _rate_follows(tokens, at)


def _minus_hangs(source: SourceText, at: int) -> bool:
    """Say whether a word is cut from the hyphen at its end: the grade B-, pre- and postwar."""
    end = source.tokens.raw(at)[1]
    after = source.text[end : end + 2]
    return after[:1] == "-" and (len(after) == 1 or after[1].isspace() or after[1] in ".,;:!?)")


def _magnitude_follows(tokens: Tokens, at: int) -> bool:
    """Say whether a number is followed, after one blank, by million, percent, per cent and the like."""
    if tokens.gap(at) != " " or not _counts(tokens, at):
        return False
    if tokens.text(at + 1) in words().magnitudes:
        return True
    return at + 2 < len(tokens) and tokens.text(at + 1) == "per" and tokens.text(at + 2) in _SHARES


def _ratio_around(tokens: Tokens, at: int) -> bool:
    """Say whether a token is the stroke of a ratio written with blanks: 38 / 0."""
    if at < 1 or at + 1 >= len(tokens) or tokens.text(at) != "/":
        return False
    spaced = tokens.gap(at - 1) == tokens.gap(at) == " "
    return spaced and tokens.is_number(at - 1) and tokens.is_number(at + 1)


def _range_follows(tokens: Tokens, at: int) -> bool:
    """Say whether a number is the lower end of a range in words or in spaced dashes."""
    if at + 2 >= len(tokens) or not (_counts(tokens, at) and _counts(tokens, at + 2)):
        return False
    middle = tokens.text(at + 1)
    return (tokens.gap(at) == " " and middle in _RANGE_WORDS) or middle == "-"


def _rate_follows(tokens: Tokens, at: int) -> bool:
    """Say whether a unit is cut from its rate, as km of km/h; a currency may stand alone."""
    if at < 1 or at + 2 >= len(tokens) or tokens.text(at + 1) != "/" or tokens.gap(at) or tokens.gap(at + 1):
        return False
    text = tokens.text(at)
    return words().kinds.get(text) is ChangeKind.UNIT and not _is_code(tokens.cased(at)) and tokens.is_number(at - 1)


_CODE = re.compile(r"[A-Z]{3}")


def _is_code(cased: str) -> bool:
    return bool(_CODE.fullmatch(cased))


def same_case(source: SourceText, first: int, last: int, quote: SourceText, at: int) -> bool:
    """Say whether numbers and units of a hit have the case they have in the quote, where their case means something.

    Args:
        first, last: the hit in the source. at: where the same characters begin in the quote.
    """
    shown, wanted = source.normal.cased[first:last], quote.normal.cased[at : at + last - first]
    if shown == wanted:
        return True
    tokens = source.tokens
    for token in tokens.within(first, last):
        key = tokens.key_of(token)
        start, end = tokens.starts[token] - first, tokens.ends[token] - first
        if shown[start:end] != wanted[start:end] and _case_means(key):
            return False
    return True


def _case_means(key: str) -> bool:
    """Say whether a token's key keeps the case of a unit."""
    tail = re.search(r"[^\W\d_]{1,5}\Z", key)
    return tail is not None and tail.group().casefold() in words().cased


def case_marks(source: SourceText, first: int, last: int) -> list[str]:
    """Give the units of a range whose case means something."""
    return [
        key.lstrip("0123456789.,+-")
        for key in map(source.tokens.key_of, source.tokens.within(first, last))
        if _case_means(key)
    ]


def stands_in(needle: str, text: str, profile: str = "plain") -> list[tuple[int, int]]:
    """Find where a value stands as a whole in a text: no part of a longer number, word, range or quantity (N3).

    Args:
        needle: the value as written. text: the text. profile: how the text was written.

    Returns:
        Half-open raw ranges of the text, in order.
    """
    source, value = SourceText(text, profile), SourceText(needle.strip())
    wanted = value.normal.text
    if not wanted:
        return []
    spans = ((at, at + len(wanted)) for at in find_all(source.normal.text, wanted))
    return [
        source.normal.raw_span(first, last)
        for first, last in spans
        if on_boundaries(source, first, last) and same_case(source, first, last, value, 0)
    ]

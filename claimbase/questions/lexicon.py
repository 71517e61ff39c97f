"""The closed list of words the question grammar knows besides names and predicates. Data only.

Every table maps a phrase to what it means; phrases are matched whole, the longest first, in any case, a hyphen counting
as a blank. A word that stands in no table is given back as not understood.
"""

from __future__ import annotations

from typing import Literal, TypeVar

Family = Literal["any", "money", "date"]
_Meaning = TypeVar("_Meaning")


def _by_phrase(table: dict[_Meaning, str]) -> dict[str, _Meaning]:
    """Turn meanings with their phrases, set apart by bars, into phrases with their meaning."""
    return {" ".join(phrase.split()): meaning for meaning, text in table.items() for phrase in text.split("|")}


def _words(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.split("|"))


# Comparators before a value. The family narrows the predicates it may speak of.
COMPARATORS: dict[str, tuple[str, Family]] = _by_phrase(
    {
        ("gt", "any"): """
            over | above | more than | greater than | larger than | bigger than | higher than | longer than |
            exceeding | exceeds | in excess of | not at most
        """,
        ("lt", "any"): """
            under | below | less than | fewer than | lower than | smaller than | shorter than | not at least |
            short of
        """,
        ("gte", "any"): """
            at least | no less than | not less than | no fewer than | not fewer than | not below | not under |
            no lower than | not lower than | no smaller than | not smaller than | minimum | minimum of |
            a minimum of | min | no shorter than | greater than or equal to | more than or equal to |
            equal to or greater than | equal to or more than | larger than or equal to
        """,
        ("lte", "any"): """
            at most | up to | no more than | not more than | not over | not above | no greater than |
            not greater than | no larger than | not larger than | no higher than | not higher than |
            not exceeding | maximum | maximum of | a maximum of | max | no bigger than | no longer than |
            less than or equal to | equal to or less than | lower than or equal to | smaller than or equal to
        """,
        ("eq", "any"): "exactly | equal to | equals | precisely",
        ("ne", "any"): "not equal to | different from | other than exactly | unequal to",
        ("lt", "money"): "cheaper than | less expensive than | costing less than",
        ("gt", "money"): "more expensive than | dearer than | costing more than",
        ("lte", "money"): "no more expensive than | not more expensive than",
        ("gte", "money"): "not cheaper than | no cheaper than",
        ("after", "date"): "newer than | later than | more recent than",
        ("before", "date"): "older than | earlier than",
    }
)
SYMBOLS = {
    ">=": "gte", "=>": "gte", "≥": "gte", "⩾": "gte", ">": "gt", "<=": "lte", "=<": "lte", "≤": "lte", "⩽": "lte",
    "<": "lt", "==": "eq", "=": "eq", "!=": "ne", "≠": "ne", "<>": "ne",
}  # fmt: skip

# Comparators after a value.
AFTERTHOUGHTS: dict[str, str] = _by_phrase(
    {
        "gte": """
            or more | or above | or higher | or larger | or greater | or bigger | or longer | or over | and up |
            and above | minimum | at least
        """,
        "lte": """
            or less | or below | or lower | or fewer | or smaller | or under | or cheaper | or shorter |
            and below | maximum | at most
        """,
    }
)
# "larger context than X": the adjective, split from its "than" by the predicate.
ADJECTIVES: dict[str, tuple[str, Family]] = _by_phrase(
    {
        ("gt", "any"): "larger | bigger | higher | greater | longer | more",
        ("lt", "any"): "smaller | lower | shorter | less | fewer",
        ("lt", "money"): "cheaper",
        ("gt", "money"): "dearer | more expensive",
        ("after", "date"): "newer | later",
        ("before", "date"): "older | earlier",
        ("eq", "any"): "the same | same",
    }
)
# Superlatives: direction of the ranking, and the predicates they may rank.
RANKS: dict[str, tuple[Literal["asc", "desc"], Family]] = _by_phrase(
    {
        ("desc", "any"): "largest | biggest | highest | greatest | longest | most",
        ("asc", "any"): "smallest | lowest | shortest | least | fewest",
        ("asc", "money"): "cheapest | least expensive | lowest priced",
        ("desc", "money"): "most expensive | priciest | dearest | costliest",
        ("desc", "date"): "newest | most recent | latest | most recently",
        ("asc", "date"): "oldest | earliest | soonest",
    }
)
ORDINALS = {
    "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10,
}  # fmt: skip
COUNTS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20,
}  # fmt: skip

# What kind of question it is.
OPERATIONS: dict[str, str] = _by_phrase(
    {
        "history": "history | histories | over time | timeline | past values",
        "contradictions": """
            contradictions | contradiction | contradicting claims | contradictory claims | conflicts | conflict |
            conflicting claims | conflicting sources | disagreements | disagreement | disputes | disputed claims |
            which sources disagree | do sources disagree | do the sources disagree | where do sources disagree |
            where do the sources disagree | sources disagree | which sources contradict each other | disagree |
            disputed | do the sources agree | do sources agree
        """,
        "when": "when | since when",
        "freshness": """
            freshness | how fresh | how stale | how recent | how old | how old is the evidence |
            how fresh is the evidence | how stale is the evidence | stale claims | stale evidence |
            which claims are stale | which evidence is stale | evidence is stale | claims are stale |
            how up to date
        """,
        "gaps": """
            gaps | gap | what is missing | missing evidence | missing claims | no evidence | no claims |
            without evidence | without claims | evidence gaps | have no evidence | has no evidence |
            have no claims | has no claims | lack evidence | what do we not know | what don't we know
        """,
    }
)
# Words of change, with their direction.
CHANGES: dict[str, Literal["increase", "decrease"] | None] = _by_phrase(
    {
        None: "changed | change | changes | changing | was changed | has changed | moved | differs",
        "decrease": """
            dropped | drop | fell | fallen | decreased | decrease | lowered | cut | reduced | went down |
            gone down | sank | shrank | got cheaper | became cheaper | shortened | declined | drops
        """,
        "increase": """
            raised | raise | rose | risen | increased | increase | went up | gone up | grew | grown | hiked |
            climbed | got more expensive | became more expensive | extended | raises
        """,
    }
)
# The basis: which clock a date belongs to (semantics section 3).
BASES: dict[str, str] = _by_phrase(
    {
        "as_of": "as of | as at | as on",
        "then": """
            as we knew it on | as we knew them on | as we knew it at | as we knew on | as known on | as known at |
            as it was known on | as was known on | as we knew it as of | as known as of | as we knew it by |
            as we knew it | what did we know on | what we knew on | known on
        """,
        "observed_by": """
            what could we have known by | what could have been known by | what could we know by |
            what could we have read by | what could have been read by | that we could have known by |
            that could have been known by | we could have known by | could have been known by | known by |
            knowable by | as observed by | observed by | as known by | with what could be known by |
            with evidence read by | evidence read by | from evidence read by | read by
        """,
        "recorded_by": """
            recorded by | as recorded by | as recorded on | recorded as of | as the base stood on |
            as the base held on | what did we hold on | as stored on
        """,
    }
)
# Words with a place in the grammar. The meaning is the name a rule looks for.
KEYS: dict[str, str] = _by_phrase(
    {
        "and": "plus | as well as | and | &",
        "comma": ", | ; | but",
        "or": "or",
        "(": "(",
        ")": ")",
        "be": "is | are | be | being | :",
        "past": "was | were | had | did",
        "future": "will | would",
        "not": """
            not | no | without | lacking | lack | lacks | don't have | don't support | do not have |
            do not support | doesn't have | doesn't support | does not have | does not support | with no |
            have no | has no | that lack | non | isn't | aren't | is not | are not | not a | no longer
        """,
        "leave_out": """
            don't show | do not show | don't list | do not list | don't include | do not include | exclude |
            excluding | leave out | leaving out | hide | skip
        """,
        "except": """
            except | except for | other than | apart from | not from | not by | but not | but not from |
            but not by
        """,
        "neither": "neither",
        "nor": "nor",
        "either": "either",
        "than": "than",
        "as": "as",
        "with": "with | having | has | have | offer | offers | offering | offered with",
        "stated": "stated | known | any stated | a stated | some | published",
        "about": "about",
        "one_of": "one of | any of",
        "in": "in | within",
        "on": "on",
        "at": "at",
        "by": "by",
        "from": "from",
        "to": "to",
        "between": "between",
        "since": "since",
        "after": "after",
        "before": "before | prior to",
        "until": "until | till",
        "through": "through",
        "into": "into",
        "beyond": "past | beyond",
        "during": "during | throughout | all through | for the whole of",
        "on_or_before": """
            on or before | not after | no later than | not later than | at the latest on | by or on |
            up to and including | until and including
        """,
        "on_or_after": """
            on or after | not before | no earlier than | not earlier than | no sooner than | not sooner than |
            starting on | from and including
        """,
        "ordered_by": "sorted by | ordered by | ranked by | order by | sort by | rank by | in order of",
        "asc": "ascending | asc | lowest first | smallest first | cheapest first | oldest first",
        "desc": "descending | desc | highest first | largest first | newest first",
        "top": "top | first",
        "limit": "limit",
        "contains": "contains | contain | containing | include | includes | including | accept | accepts",
        "starts_with": "starts with | starting with | begins with | beginning with",
        "true": "true",
        "false": "false",
        "free": "free",
        "versus": "vs | versus",
        "show": "their | its | show their | show its | together with their | with their | and their",
        "now": "now | currently | today | right now | at present | these days",
        "yesterday": "yesterday",
        "all": """
            all models | all versions | all releases | all countries | all products | all subjects | only models |
            only versions | only releases | only countries | only products | all the models
        """,
    }
)
POLICIES: dict[str, str] = _by_phrase(
    {
        "certain": """
            certain answers only | only certain answers | certain only | only certain | certain answers |
            certain ones only | only what is certain | policy certain
        """,
        "any": """
            any evidence will do | including disputed | including disputed ones | including disputed models |
            disputed ones too | even if disputed | policy any
        """,
    }
)
# "official documentation only": which sources may speak (Q12).
SOURCE_WORDS: dict[str, str] = _by_phrase(
    {
        "official_docs": "official documentation | official docs | official documents | the official documentation",
        "model_card": "model cards | model card | the model card",
        "system_card": "system cards | system card | the system card",
        "pricing": "pricing pages | pricing page | price pages | price lists",
        "deprecation": "deprecation pages | deprecation page | deprecation notices",
        "paper": "papers | research papers",
        "news": "news | news articles",
        "dataset": "datasets | data sets",
        "structured_api": "structured apis | structured api",
        "search_snippet": "search snippets | search snippet",
    }
)
SOURCE_FRAMES = (
    "{} only", "only {}", "according to {}", "according to {} only",
    "from {} only", "based on {}", "based on {} only", "using {} only",
    "using only {}", "from {}", "in {} only", "evidence from {}",
    "only from {}",
)  # fmt: skip

# Words that carry no condition of their own. Words that could change a meaning (any, all, every, only, not) are absent.
FILLERS = _words(
    """
    ! | 's | . | ? | a | also | among | an | an ai | answer | any country | any model | any models | any product |
    any products | any release | any version | any versions | been | can | charge | charges | charging | compare |
    cost | costing | costs | could | date | dates | do | does | due | ending | ends | expected | find | find all |
    for | where | both | how large is | how large are | how big is | how high is | how long is |
    how expensive is | get | give | give me | give me all | go | goes | going | has been | have been | how |
    how many | i | is the | it | it's | level | list | list all | look | looking | me | much | need | of |
    offer of | other's | planned | please | price of | priced | priced at | question | rate of | reach | reaches |
    reaching | scheduled | see | set | show | show all | show me | show me all | still | support | supported by |
    supporting | supports | tell | that | that's | the | them | then | there | these | they | those | to be | us |
    using | value | values | want | we | what | what's | whats | whether | which | which's | who | whom | whose |
    you | ’s
    """
)
# Words for subjects in general.
NOUNS = _words(
    """
    ai model | ai models | candidates | countries | country | language model | language models |
    large language models | llm | llms | model | models | ones | product | products | release | releases |
    subject | subjects | version | versions
    """
)
# Adjectives of countries, read only where the base knows the country.
DEMONYMS = {
    "austrian": "Austria", "belgian": "Belgium", "bulgarian": "Bulgaria", "croatian": "Croatia",
    "cypriot": "Cyprus", "czech": "Czechia", "danish": "Denmark", "dutch": "Netherlands",
    "estonian": "Estonia", "finnish": "Finland", "french": "France", "german": "Germany",
    "greek": "Greece", "hungarian": "Hungary", "irish": "Ireland", "italian": "Italy",
    "latvian": "Latvia", "lithuanian": "Lithuania", "luxembourgish": "Luxembourg", "maltese": "Malta",
    "polish": "Poland", "portuguese": "Portugal", "romanian": "Romania", "slovak": "Slovakia",
    "slovenian": "Slovenia", "spanish": "Spain", "swedish": "Sweden", "british": "United Kingdom",
    "swiss": "Switzerland", "norwegian": "Norway", "turkish": "Turkey", "icelandic": "Iceland",
}  # fmt: skip

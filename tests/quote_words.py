"""Words that decide what a sentence says, in English and German: what harmful edits put in, leave out and exchange."""

from __future__ import annotations

Table = dict[str, tuple[str, ...]]


def pairs(text: str) -> Table:
    """Read `one/other` pairs, which lead from each of both to the other; `_` stands for a blank within one."""
    table: dict[str, tuple[str, ...]] = {}
    for pair in text.split():
        one, other = pair.replace("_", " ").split("/")
        table[one], table[other] = (*table.get(one, ()), other), (*table.get(other, ()), one)
    return table


def words(text: str, by: str | None = None) -> tuple[str, ...]:
    """Read words apart by blanks, or by a mark where some hold a blank."""
    return tuple(text.split(by))


NEGATIONS = words(
    "not no never none neither without nothing nobody hardly nicht nie niemals ohne weder keine keinen kein keiner"
)
"""Negations that can be left out."""
LIMITS = words(
    "up to;at least;at most;more than;less than;fewer than;over;below;above;under;within;only;until;before;after;"
    "between;about;bis zu;mindestens;höchstens;über;unter;nur;bis;vor;nach;zwischen;weniger als;mehr als;etwa;"
    "rund;ab;wenigstens",
    ";",
)
"""Bounds and comparisons that can be left out."""
HEDGES = words(
    "probably likely approximately roughly nearly almost allegedly about currently usually possible provisional "
    "expected preview beta deprecated former partly except unless if vermutlich voraussichtlich angeblich "
    "ungefähr fast nahezu derzeit vorläufig gewöhnlich möglicher frühere sofern wenn außer etwa rund"
)
"""Hedges, conditions and release stages."""
COMPARATORS = pairs(
    "more/less more/fewer above/below over/under before/after at_least/at_most higher/lower rose/fell "
    "increased/reduced up_to/at_least within/after until/after since/until minimum/maximum longer/shorter "
    "larger/smaller earliest/latest exceed/undercut only/also first/last increased/fell within/beyond and/or "
    "but/and newer/older mehr/weniger mindestens/höchstens über/unter vor/nach stieg/fiel sinkt/steigt "
    "höher/niedriger bis_zu/ab häufiger/seltener größer/kleiner bis/ab stärker/schwächer länger/kürzer "
    "innerhalb/außerhalb und/oder nur/auch seit/bis steigen/fallen"
)
"""Comparisons and their opposites."""
UNITS = pairs(
    "GB/MB TB/GB KB/MB kg/g km/m cm/mm ms/µs MW/kW mA/A m²/km² cm³/m³ hours/minutes days/weeks months/years "
    "month/year week/day minutes/seconds minute/second minute/hour hours/days million/billion thousand/million "
    "pence/pounds bar/mbar mg/g mL/L °C/°F tonnes/kilograms K/M litre/gallon litres/gallons miles/kilometres "
    "Tagen/Wochen Monat/Jahr Monate/Wochen Stunden/Minuten Minuten/Sekunden Jahre/Monate Monaten/Wochen "
    "Euro/Franken Millionen/Milliarden Tonnen/Kilogramm Uhr/Stunden Minute/Stunde Sekunde/Stunde Cent/Euro "
    "Jahren/Tagen Jahr/Tag Liter/Hektoliter euros/pounds %/‰ token/byte Prozentpunkte/Prozent tokens/words "
    "percentage_points/percent"
)
"""Units and others of their kind."""
CASED = pairs("MB/Mb GB/Gb KB/Kb TB/Tb mA/MA MW/mW mm/Mm mg/Mg ms/Ms mL/ML")
"""Units that differ from another in case alone."""
MODALS = pairs(
    "may/must can/must should/must shall/may will/may must/can cannot/need_not would/will might/must could/will "
    "kann/muss darf/muss soll/muss sollte/muss können/müssen dürfen/müssen wird/kann werden/können "
    "konnten/mussten"
)
"""Modal verbs and others."""
QUANTIFIERS = pairs(
    "all/some each/any every/some most/few most/all any/all some/all always/sometimes often/always "
    "usually/always many/few both/neither one/every alle/einige jede/manche jeder/mancher allen/einigen "
    "meisten/wenigsten gewöhnlich/immer einige/alle selten/oft mehrere/alle jeden/manchen automatisch/nie"
)
"""Quantifiers and others."""
TENSES = pairs(
    "is/was are/were has/had will/did costs/cost rose/rises fell/falls said/says is/becomes was/has_been "
    "were/will_be keeps/kept holds/held gives/gave reads/will_read cost/costed included/include takes/took "
    "says/said stands/stood ist/war sind/waren hat/hatte wird/wurde werden/wurden kostet/kostete liegt/lag "
    "fiel/fällt stieg/steigt gilt/galt dauert/dauerte enthält/enthielt haben/hatten endet/endete beträgt/betrug "
    "trägt/trug zeigt/zeigte"
)
"""Verbs and their other tense."""
NUMBER_WORDS = pairs(
    "one/two two/three three/four four/six second/third half/third twice/once double/triple quarter/half "
    "single/double zwei/drei drei/vier vier/fünf zweimal/dreimal einmal/zweimal Drittel/Viertel Hälfte/Drittel "
    "halbe/ganze beide/drei zehn/elf Zehntel/Hundertstel zweiten/dritten ersten/zweiten dreimal/viermal "
    "six/seven five/six twelve/ten"
)
"""Numbers in words."""
SIGNS = {">=": "<=", "<=": ">=", "<": ">", ">": "<", "≥": "≤", "≤": "≥", "!=": "=", "≠": "="}
"""Comparison signs, turned."""
MONTHS = words(
    "January February March April May June July August September October November December Monday Tuesday "
    "Wednesday Thursday Friday Saturday Sunday Januar Februar März Mai Juni Juli Oktober Dezember Dienstag "
    "Freitag Montag"
)
"""Months and weekdays."""
PREFIXES = words("un in dis im ir non mis a")
"""Prefixes that may negate."""
AUXILIARIES = words(
    "is are was were can may must will shall should has have does ist sind war waren wird werden kann darf muss "
    "hat haben"
)
"""Verbs that a negation can follow."""
ARTICLES = words("a an das dem den der des die ein eine einem einen einer eines the")
"""Words that say nothing by themselves."""
CURRENCIES = pairs("Euro/Dollar euros/dollars pounds/euros pence/cents €/$ £/€ Cent/Rappen USD/EUR")
"""Currencies and others."""
PREPOSITIONS = pairs(
    "in/from on/under at/from by/for to/from with/by of/by for/against into/from than/as von/mit bei/nach aus/in "
    "mit/gegen zu/aus für/gegen an/von auf/unter im/vom am/beim zum/vom zur/von"
)
"""Prepositions and others, which may be left out but not exchanged."""
PRONOUNS = pairs("he/she it/they we/they his/her its/their you/we sie/wir er/sie ihr/sein es/sie us/them I/you who/he")
"""Pronouns and others."""

"""What a statement of others may be made of, in the engine's own names; what is not listed is refused."""

from __future__ import annotations

_FUNCTIONS = """
count count_star count_if countif sum avg min max median mode quantile quantile_cont quantile_disc stddev stddev_pop
stddev_samp variance var_pop var_samp corr arg_min arg_max argmin argmax min_by max_by any_value first last
list array_agg string_agg group_concat listagg bool_and bool_or approx_count_distinct

row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value

if nullif greatest least struct_pack struct_extract row list_value

abs ceil ceiling floor round trunc sign sqrt pow power exp ln log log2 log10 mod isnan isinf isfinite bit_count

lower upper lcase ucase length len strlen char_length character_length trim ltrim rtrim substring substr left right
replace reverse concat concat_ws contains starts_with ends_with prefix suffix position strpos instr like_escape
regexp_matches regexp_full_match regexp_extract regexp_extract_all regexp_replace split str_split string_split
string_to_array split_part levenshtein editdist3 damerau_levenshtein jaccard ascii chr unicode
md5 sha1 sha256 hex unhex to_hex from_hex

now today current_date date_trunc datetrunc date_diff datediff date_add date_part extract timezone
year month day quarter week weekofyear dayofweek dayofmonth dayofyear hour minute second last_day
age epoch epoch_ms epoch_us strftime strptime make_date make_timestamp to_timestamp
to_days to_hours to_minutes to_seconds to_microseconds

unnest array_length array_contains array_has array_has_all array_distinct array_sort array_reverse_sort
array_to_string array_concat array_cat array_slice array_filter list_contains list_has list_has_any list_distinct
list_unique list_sort list_reverse_sort list_filter list_transform list_apply apply filter list_concat list_sum
list_avg list_count list_any_value list_position list_aggregate map map_keys map_from_entries

json json_extract json_extract_path json_extract_path_text json_extract_string json_keys json_type to_json
"""
_OPERATORS = """
+ - * / // % ** ^ @ & | ~ << >> || ^@ -> ->> ~~ !~~ ~~* !~~* ~~~
"""
_EXPRESSIONS = """
BETWEEN CASE CAST COLUMN_REF COMPARISON CONJUNCTION CONSTANT FUNCTION LAMBDA OPERATOR POSITIONAL_REFERENCE STAR
SUBQUERY TYPE WINDOW
"""
_PARTS = """
SELECT_NODE SET_OPERATION_NODE RECURSIVE_CTE_NODE CTE_NODE
BASE_TABLE TABLE_FUNCTION SUBQUERY JOIN EMPTY EXPRESSION_LIST
DISTINCT_MODIFIER ORDER_MODIFIER LIMIT_MODIFIER LIMIT_PERCENT_MODIFIER ORDER_DEFAULT ASCENDING DESCENDING
"""

FUNCTIONS = frozenset(_FUNCTIONS.split())
"""Functions: counting, windows, choice, numbers, text, time, lists, JSON.

Left out are those that read files, settings, variables or strings as SQL, those that wait, and those that grow what
they are given without bound.
"""
OPERATORS = frozenset(_OPERATORS.split())
"""Operators that the engine reads as functions; comparisons and AND, OR, NOT are parts of the tree of their own."""
SESSIONS = frozenset({"current_catalog", "current_role", "current_schema", "current_user", "session_user", "user"})
"""Bare names that the engine reads as functions and that tell of the machine or session."""
EXPRESSIONS = frozenset(_EXPRESSIONS.split())
"""Classes of expressions in the engine's tree."""
PARTS = frozenset(_PARTS.split())
"""Types of queries, tables and modifiers in the engine's tree; deleting, copying, pivoting and showing are others."""

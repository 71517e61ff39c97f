"""The compiler: conditions and a basis become one statement of named steps, its parameters, and nothing else."""

from claimbase.compiler.export import export
from claimbase.compiler.judging import BUCKETS
from claimbase.compiler.plan import (
    BRANCH_LIMIT,
    CITED_LIMIT,
    NEAR_LIMIT,
    TEST_LIMIT,
    Filters,
    Ids,
    Plan,
    Statement,
    Step,
    Wish,
)
from claimbase.compiler.verdicts import POSSIBLE, ROLES, VERDICTS, Tree, ranked
from claimbase.compiler.writing import compiled

__all__ = [
    "BRANCH_LIMIT",
    "BUCKETS",
    "CITED_LIMIT",
    "NEAR_LIMIT",
    "POSSIBLE",
    "ROLES",
    "TEST_LIMIT",
    "VERDICTS",
    "Filters",
    "Ids",
    "Plan",
    "Statement",
    "Step",
    "Tree",
    "Wish",
    "compiled",
    "export",
    "ranked",
]

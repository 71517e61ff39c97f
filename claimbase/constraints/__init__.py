"""Constraints: what a subject must satisfy, as data, as text, and typed against a vocabulary (semantics section 8)."""

from claimbase.constraints.models import (
    OPERATORS,
    AllOf,
    AnyOf,
    Condition,
    Constraint,
    NoneOf,
    Operator,
    ValueOf,
    condition,
    group_members,
    to_json,
)
from claimbase.constraints.text import conditions, format_constraint, parse_constraint
from claimbase.constraints.typing import Form, Group, Test, all_typed, allowed_operators, typed

__all__ = [
    "OPERATORS",
    "AllOf",
    "AnyOf",
    "Condition",
    "Constraint",
    "Form",
    "Group",
    "NoneOf",
    "Operator",
    "Test",
    "ValueOf",
    "all_typed",
    "allowed_operators",
    "condition",
    "conditions",
    "format_constraint",
    "group_members",
    "parse_constraint",
    "to_json",
    "typed",
]

"""How commands fail: one line on stderr and an exit code, never a traceback for what a user can cause."""

from __future__ import annotations

import warnings
from typing import Any

import click

from claimbase.errors import ClaimbaseError, HeadMissingWarning, QuestionError, ReceiptError, StoreError

INTERRUPTED = 130
_ACCEPTED_NOT, _STORE, _NOT_UNDERSTOOD = 2, 3, 4
_EXITS: tuple[tuple[type[ClaimbaseError], int], ...] = (
    (QuestionError, _NOT_UNDERSTOOD),
    (StoreError, _STORE),
    (ReceiptError, _STORE),
    (ClaimbaseError, _ACCEPTED_NOT),
)


class Commands(click.Group):
    """A group whose commands end with the exit codes of this package."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error of ours becomes its line and its exit code, a warning of ours a line."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("always", HeadMissingWarning)
                warnings.showwarning = _warned
                return super().invoke(ctx)
        except ClaimbaseError as error:
            click.echo(line(error), err=True)
            ctx.exit(exit_code(error))
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(INTERRUPTED)


def _warned(message: Warning | str, *_: Any, **__: Any) -> None:
    from claimbase.present import harmless

    click.echo(harmless(f"warning: {message}"), err=True)


def exit_code(error: ClaimbaseError) -> int:
    """Give the exit code of an error: the first class that fits."""
    return next(code for kind, code in _EXITS if isinstance(error, kind))


def line(error: ClaimbaseError) -> str:
    """Write an error as one line: what went wrong, what to do next, its code."""
    from claimbase.present import harmless

    hint = f"; {error.hint}" if error.hint else ""
    return harmless(f"error: {error.message}{hint} [{error.code}]")

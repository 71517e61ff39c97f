"""The fuzzer: inputs one after the other, their outcomes, and what must not happen."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from time import process_time
from types import FrameType
from typing import TypeAlias

from claimbase.errors import ClaimbaseError
from fuzz.mutating import mutated, mutated_json

SLOW = 1.0
"""The most CPU seconds that one input may take."""
_KEPT = 2_000  # inputs that showed something new and are changed further
_TOLD = 20  # defects kept per run

Signature: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """A parser and how it is fed.

    Args:
        name: of the parser.
        call: takes an input; gives a result or raises a ClaimbaseError.
        seeds: gives inputs that it reads, or almost.
        words: what its grammar knows.
        json: inputs are JSON and changed as such.
    """

    name: str
    call: Callable[[str], object]
    seeds: Callable[[], Sequence[str]]
    words: tuple[str, ...]
    json: bool = False


class SlowError(BaseException):
    """An input took too long; no handler of the parser may catch it."""


@dataclass(slots=True)
class Report:
    """What a run found.

    Args:
        inputs: how many were tried. read: how many gave a result. seconds: CPU. slowest: of one input, CPU seconds.
        defects: inputs with what they did.
    """

    target: str
    seed: int
    inputs: int = 0
    read: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    defects: list[tuple[str, str]] = field(default_factory=list)
    signatures: set[Signature] = field(default_factory=set)

    def __str__(self) -> str:
        rate = self.inputs / self.seconds if self.seconds else 0.0
        return (
            f"{self.target:12} {self.inputs:9,} inputs {self.seconds:7.1f} s {rate:9,.0f}/s  read {self.read:9,}  "
            f"outcomes {len(self.signatures):4}  slowest {self.slowest:.3f} s  uncaught {len(self.defects)}  "
            f"seed {self.seed}"
        )


def attempt(target: Target, text: str) -> tuple[Signature, str | None]:
    """Try one input.

    Returns:
        What came of it, so that something new shows, and the defect if it is one.
    """
    try:
        result = target.call(text)
    except ClaimbaseError as error:
        return _raised(error), None
    except SlowError:
        return ("slow",), f"took more than {SLOW} s"
    except Exception as error:  # noqa: BLE001  # whatever it is, it is what we look for
        return _raised(error), f"{type(error).__name__}: {str(error)[:200]}"
    return ("read", *(result if isinstance(result, tuple) else ())), None


def _raised(error: Exception) -> Signature:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = (trace.tb_frame.f_code.co_name, trace.tb_lineno) if trace else ()
    return (type(error).__name__, getattr(error, "code", ""), *place)


def told(report: Report) -> Report:
    """Print a report and what it found."""
    print(report, flush=True)
    for text, defect in report.defects:
        print(f"    {defect}\n        {text!r}"[:3_000], flush=True)
    return report


def fuzz(target: Target, inputs: int, seed: int, *, seconds: float | None = None) -> Report:
    """Feed a parser with its seeds and then with mutations of what showed something new.

    Args:
        inputs: how many inputs. seed: of all randomness. seconds: CPU time after which it ends before.
    """
    rng, report = Random(f"{target.name}:{seed}"), Report(target.name, seed)
    corpus, change = list(target.seeds()), mutated_json if target.json else mutated
    started = process_time()
    with guarded():
        for number in range(inputs):
            fresh = number < len(corpus) and number < inputs // 2
            text = corpus[number] if fresh else change(rng.choice(corpus), rng, target.words)
            new = tried(target, text, report)
            if new and not fresh and len(corpus) < _KEPT:
                corpus.append(text)
            if seconds is not None and process_time() - started > seconds:
                break
    report.seconds = process_time() - started
    return report


def tried(target: Target, text: str, report: Report) -> bool:
    """Try an input and note what came of it; say whether that is new."""
    begun = process_time()
    with _limited():
        signature, defect = attempt(target, text)
    took = process_time() - begun
    report.inputs += 1
    report.read += signature[0] == "read"
    report.slowest = max(report.slowest, took)
    if defect is None and took > SLOW:
        defect = f"took {took:.1f} s"
    new = signature not in report.signatures
    report.signatures.add(signature)
    if defect is not None and new and len(report.defects) < _TOLD:
        report.defects.append((text, defect))
    return new


@contextmanager
def guarded() -> Iterator[None]:
    """Turn the CPU alarm into an error, where this thread may."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _too_slow)
    try:
        yield
    finally:
        signal.signal(signal.SIGVTALRM, before)


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise SlowError


@contextmanager
def _limited() -> Iterator[None]:
    """Let the alarm ring if an input takes far too long."""
    armed = threading.current_thread() is threading.main_thread()
    if armed:
        signal.setitimer(signal.ITIMER_VIRTUAL, 1.5 * SLOW)
    try:
        yield
    finally:
        if armed:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

"""The notebooks are executed on a real kernel, in an empty folder, and say what their prose says they say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((CHECKOUT / "notebooks").glob("*.ipynb"))

# What the reader must see, as patterns over the outputs of a notebook.
SEEN = {
    "01_ask.ipynb": (
        r"128K\+ context +context_window >= 128000 token",
        r"\d+ subjects satisfy every stated constraint, supported by \d+ claims",
        r"not_understood \('trustworthy',\)",
        r"'Claude Haiku 4\.5': \('met', 'met'\)",
        r"'Gemini 2\.5 Flash Image': \('disputed', 'met'\)",
        r"Claude Sonnet 4\.5 \| input_price < \$2/Mtok \| failed \| 3",
        r"buckets +\d+ ",
        r"\(2, \[\(3, '\w+'\)\]\)",
        r"1 subject satisfies every stated constraint, supported by 2 ",
        r"\('Acme Small', 'possible', 'start unknown'\)",
    ),
    "02_time_travel.ipynb": (
        r"no contradictions",
        r"2026-02-20 +not known +not known +not known +not known",
        r"2026-03-01 +failed +failed +failed +failed",
        r"2026-03-31 +failed +failed +failed +failed",
        r"2026-04-01 +failed +failed +possible +met",
        r"read by 3 April: +possible\nheld by the base on 3 April: failed",
        r"\('failed', 'failed'\)",
        r"2 current claims, 1 historical, 0 active conflicts",
        r"2026-04-29T23:59:59\.999999Z met\n2026-04-30T00:00:00Z failed",
        r"2026-04-15 possible start unknown",
        r"2026-05-01 met",
        r"GPT-5 context_window \| 400000 against 272000 \| \[2026-02-11T02:03:48Z, 2026-02-11T02:03:48\.000001Z\)",
        r"Ubuntu 22\.04 eol \| 2027-0\d-01 against 2027-0\d-01 \| \[2026-04-25T13:18:53Z, …\)",
        r"\[\('\$2 / Mtok', 'possible'\), \('\$3 / Mtok', 'possible'\)\]",
        r"read by 2026-04-07 \['possible', 'possible', 'possible', 'met'\]",
        r"read by 2026-04-08 \['failed', 'failed', 'met', 'met'\]",
        r"certain \[2026-03-20T00:00:00Z, …\)",
        r"2020-06-03 +19 +19 +19 +19",
        r"2020-06-05 +19 +16 +16 +19",
        r"1 change: 1 learned; moved: observed",
        r"\[2020-07-01T00:00:00Z, 2021-01-01T00:00:00Z\)",
        r"America/Mexico_City on 2023-07-01, read by 2022-10-28: +-18000 s",
        r"America/Mexico_City on 2023-07-01, read by 2022-10-30: +-21600 s",
        r"Asia/Beirut on 2023-03-27, read by 2023-03-23: +10800 s",
        r"Asia/Beirut on 2023-03-27, read by 2023-03-27: +7200 s",
        r"Asia/Beirut on 2023-03-27, read by 2023-03-29: +10800 s",
    ),
    "03_contradictions.ipynb": (
        r"3 contradictions in 1 slot: 3 hard",
        r"1000000 tokens +Pydantic +\[2025-09-29T20:38:37Z, 2026-08-19T23:18:20",
        r"hard: Anthropic 1M tokens against models\.dev 200000 tokens, \[2025-10-01T21:39:58Z, 2026-04-30T00:00:00Z\)",
        r"2026-01-01 1000000 tokens \(2\) against 200000 tokens \(1\)",
        r"2026-08-15 1000000 tokens \(1\) against 200000 tokens \(2\)\n2026-11-29\n",
        r"2025-10-02 \| 1 contradiction in 1 slot: 1 hard",
        r"2026-04-02 \| 2 contradictions in 1 slot: 2 hard",
        r"8 contradictions in 4 slots: 6 hard, 1 unclosed_predecessor, 1 unconfirmed_succession",
        r"GPT-4\.1 nano +cached_input_price +\{'hard': 1\}",
        r"DeepSeek-V4-Flash +input_price +\{'hard': 2, 'unconfirmed_succession': 1\}",
        r"Gemini Exp 1206 +input_price +\{'unclosed_predecessor': 1\}",
        r"Text Embedding 005 +input_price +incomparable_units",
        r"Claude Sonnet 4\.5 +input_price +scope_differs",
        r"no subject has evidence satisfying every constraint; 1 disputed",
        r"BerriAI +3e-07 += 0\.3 usd_per_mtok: no",
    ),
    "04_receipts.ipynb": (
        r"row 1: the quote does not stand .*number: '\$0\.30' is '\$0\.40'",
        r"verified 1\.000 \[\]\naltered 0\.\d+ \[\('negation', '', 'not'\)\]\n",
        r"altered 0\.\d+ \[\('number', '262,145', '262,144'\)\]",
        r"<Receipt r_[0-9a-f]{16}: passed; 2 claims, 2 quotes>",
        r"warning warning corroboration \| 2 claims; 2 identity_single_source",
        r"verified exact \{'start': 65, 'end': 101\} costs \$0\.40 per million",
        r"False \['supported', 'not-checked', 'not-checked'\]\n\['dangling-citation', 'quote-integrity'\]",
        r"Lark 2,input_price,\$0\.40,0\.4,0\.4,usd_per_mtok,.*supported,,c_[0-9a-f]{16},https://lark\.example/docs/models",
        r"\{'sources': 1, 'output': 2, 'evidence': 2\}\naltered_receipt",
        r"accepted: 1 same, 1 altered\nthe quote changed: '\$0\.40' is '\$0\.35'\nFalse \['review-complete'\]",
        r"(r_[0-9a-f]{16}) and \1 say the same",
        r"the ledger holds: \d+ batches",
        r"False \| another history",
    ),
}


def outputs(cell: Any) -> str:
    """The text a code cell put out."""
    texts = (out.get("text") or out.get("data", {}).get("text/plain", "") for out in cell.get("outputs", ()))
    return "".join(texts)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebook_runs_and_says_so(path: Path, tmp_path: Path) -> None:
    """Work order: the notebooks run from top to bottom without an error, and show what their prose promises."""
    notebook = nbformat.read(path, as_version=4)
    here = {"metadata": {"path": tmp_path}}
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources=here).execute()
    errors = [out for cell in notebook.cells for out in cell.get("outputs", ()) if out.output_type == "error"]
    assert errors == []
    page = "\n".join(outputs(cell) for cell in notebook.cells if cell.cell_type == "code")
    assert [pattern for pattern in SEEN[path.name] if not re.search(pattern, page)] == [], page


def test_every_notebook_is_judged() -> None:
    """House rule: a notebook without expectations would prove nothing."""
    assert [path.name for path in NOTEBOOKS] == sorted(SEEN)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebook_is_kept_bare(path: Path) -> None:
    """House rule: no outputs, counters or places of a machine are stored; every instant in the code is fixed."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.id for cell in code if cell.outputs or cell.execution_count] == []
    assert "SystemClock" not in "".join(cell.source for cell in code)
    assert set(notebook.metadata) <= {"kernelspec", "language_info"}

"""The identity of sources, what bytes become, and the guards at the door (evidence §4.3, §4.4)."""

from __future__ import annotations

import codecs
import hashlib
import io
import random
import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimbase.errors import ClaimbaseError, EvidenceError, InputError, LimitError, SnapshotRefusedError
from claimbase.evidence import formats
from claimbase.evidence.formats import extract, media_type_of, page_at, upload_uri
from claimbase.evidence.guards import Known, challenge, judge
from claimbase.evidence.records import read_selector, record_text
from claimbase.evidence.terms import SNAPSHOT_LIMIT, Disposition
from claimbase.sources import cluster_key, doi_key, source_key, url_key

# -- addresses --------------------------------------------------------------------------------------------------------

KEYS = {
    # scheme, host, port
    "HTTPS://Example.ORG:443/Path": "https://example.org/Path",
    "http://example.org:80": "http://example.org/",
    "http://example.org:443/": "http://example.org:443/",
    "https://example.org:0/": "https://example.org:0/",
    "https://example.org:/x": "https://example.org/x",
    "https://www.example.org/": "https://www.example.org/",
    "https://[2001:DB8:0:0::1]:8443/x": "https://[2001:db8::1]:8443/x",
    "https://192.0.2.1:443/x": "https://192.0.2.1/x",
    "https://ex%61mple.org/": "https://example.org/",
    # IDNA: one name however it is written, and no two names made one
    "https://Bücher.example/": "https://xn--bcher-kva.example/",
    "https://bu\u0308cher.example/": "https://xn--bcher-kva.example/",
    "https://XN--BCHER-KVA.example/": "https://xn--bcher-kva.example/",
    "https://b%C3%BCcher.example/": "https://xn--bcher-kva.example/",
    "https://straße.example/": "https://xn--strae-oqa.example/",
    "https://strasse.example/": "https://strasse.example/",
    "https://ΑΣ.example/": "https://xn--mxa0b.example/",
    "https://ασ.example/": "https://xn--mxa0b.example/",
    "https://a。example/": "https://a.example/",
    # path
    "https://h/a/./b/../c": "https://h/a/c",
    "https://h/../../a": "https://h/a",
    "https://h/a/..": "https://h/",
    "https://h/a/.": "https://h/a/",
    "https://h/%2E%2e/a": "https://h/a",
    "https://h/a//b": "https://h/a//b",
    "https://h/A/b": "https://h/A/b",
    # escapes: decoded where they need not be, written alike where they must
    "https://h/%7Euser%2Da": "https://h/~user-a",
    "https://h/a%2fb": "https://h/a%2Fb",
    "https://h/%c3%a9": "https://h/%C3%A9",
    "https://h/é": "https://h/%C3%A9",
    "https://h/100%": "https://h/100%",
    "https://h/a%zz": "https://h/a%zz",
    # query and fragment
    "https://h/x?b=2&a=1&a=0": "https://h/x?b=2&a=1&a=0",
    "https://h/x?q=%41%26": "https://h/x?q=A%26",
    "https://h/x?": "https://h/x",
    "https://h/x?a=../b": "https://h/x?a=../b",
    "https://h/x#section": "https://h/x",
    "https://h/x.pdf#page=3": "https://h/x.pdf#page=3",
    "https://h/#!/route": "https://h/#!/route",
    "https://h/x#:~:text=a%2Db": "https://h/x#:~:text=a%2Db",
    # kept to the letter
    "upload://Quarterly%20Report.pdf": "upload://Quarterly%20Report.pdf",
    "UPLOAD://Report.pdf": "upload://Report.pdf",
    "s3://Bucket/a/../Key#v1": "s3://Bucket/a/../Key#v1",
    "file:///srv/A/../b.txt": "file:///srv/A/../b.txt",
    "file:///a@b.txt": "file:///a@b.txt",
    "doi:10.1000/a@b": "doi:10.1000/a@b",
    " https://h/x ": "https://h/x",
}


@pytest.mark.parametrize(("address", "key"), KEYS.items())
@pytest.mark.covers("A07")
def test_one_address_has_one_spelling(address: str, key: str) -> None:
    """§4.3: every spelling of an address gives the same key, and the key is its own."""
    assert url_key(address) == key
    assert url_key(key) == key


REFUSED = [
    "https://user:secret@h/", "https://user@h/", "user:secret@h/x", "https:\\\\user:secret@h/", "//user:secret@h/x",
    "https:/user:secret@h/", "https://good.example\\@secret.example/", "s3://key:secret@bucket/x",
    "https://user%3Asecret%40h/", "https://user:sec ret@h/", "mailto:secret@h", "javascript:alert(1)",
    "data:text/html,x", "no address", "https://", "https:///x", "https:x", "https://h/a\x00b", "https://h/a\nb", "https://h\u202e/",
    "https://h\u00ad/", "https://a..b/", "https://h:99999/", "https://h:x/", "https://[::1/", "https://[zz]/", "",
    "s_123", "https://h/\ud800",
]  # fmt: skip


@pytest.mark.parametrize("address", REFUSED)
def test_what_is_no_address(address: str) -> None:
    """§4.3, X45: credentials are neither kept nor repeated; controls and places that are none are refused."""
    with pytest.raises(EvidenceError) as refused:
        url_key(address)
    assert refused.value.code == "bad_url"
    assert "secret" not in str(refused.value)
    with pytest.raises(LimitError):
        url_key("https://h/" + "a" * 2048)


STEPS = st.lists(st.sampled_from(["a", "b", ".", "..", "", "%2e", "c%2Fd", "é"]), max_size=8)


@given(STEPS)
def test_dot_segments_are_those_of_the_standard(steps: list[str]) -> None:
    """§4.3: the path is that which the standard library resolves; keys are fixed points."""
    path = "/" + "/".join(steps)
    key = url_key(f"https://h{path}")
    plain = path.replace("%2e", ".").replace("é", "%C3%A9")
    assert key == url_key(key)
    assert urlsplit(key).path == re.sub("^$", "/", urlsplit(_resolved(plain)).path)


def _resolved(path: str) -> str:
    """Resolve a path by RFC 3986 §5.2.4, spelled as it stands there."""
    rest, out = path, ""
    while rest:
        if rest.startswith("/./") or rest == "/.":
            rest = "/" + rest[3:]
        elif rest.startswith("/../") or rest == "/..":
            rest, out = "/" + rest[4:], out.rpartition("/")[0]
        else:
            cut = rest.find("/", 1) if "/" in rest[1:] else len(rest)
            out, rest = out + rest[:cut], rest[cut:]
    return urljoin("https://h", "https://h" + out)


@pytest.mark.parametrize(
    ("address", "key"),
    {
        "https://www.example.org/x/": "http://example.org/x",
        "http://m.example.org/x": "http://example.org/x",
        "https://amp.www.example.org/x?": "http://example.org/x",
        "https://example.org/": "http://example.org",
        "https://example.org/x?utm_source=a&b=2&UTM_Medium=c&a=1&gclid=1&fbclid=2&msclkid=3&_gl=4&mc_cid=5": "http://example.org/x?a=1&b=2",
        "https://example.org/x?utmost=1&gclids=2": "http://example.org/x?gclids=2&utmost=1",
        "https://web.archive.org/web/20200101000000/https://www.Example.org/x/?b=1&a=2": "http://example.org/x?a=2&b=1",
        "https://web.archive.org/web/20200101id_/http:/example.org/x": "http://example.org/x",
        "https://web.archive.org/web/2020/example.org/x": "http://example.org/x",
        "https://web.archive.org/web/2020/https://web.archive.org/web/2019/https://example.org/x": "http://example.org/x",
        "https://archive.org/details/x": "http://archive.org/details/x",
        "https://web.archive.org/web/2020/https://u:p@h/": "http://web.archive.org/web/2020/https://u:p@h",
        "https://m.co/": "http://m.co",
        "https://www.com/x": "http://www.com/x",
        "https://wwww.example.org/": "http://wwww.example.org",
        "https://example.org/A": "http://example.org/A",
        "https://example.org/x.pdf#page=2": "http://example.org/x.pdf",
        "https://example.org/#!/a": "http://example.org#!/a",
        "https://example.org:8443/": "http://example.org:8443",
        "s3://Bucket/www.x/": "s3://Bucket/www.x/",
    }.items(),
)
@pytest.mark.covers("A49")
def test_addresses_of_one_page_cluster(address: str, key: str) -> None:
    """§4.3: the key of a voice leaves out what does not make another page."""
    assert cluster_key(url_key(address)) == key


def test_ids_are_digests_of_addresses() -> None:
    """§4: s_ and the first 12 digits of sha1 of the key; equal for equal addresses alone."""
    key = url_key("https://example.org/x")
    assert source_key(key) == "s_" + hashlib.sha1(key.encode(), usedforsecurity=False).hexdigest()[:12]
    assert len({source_key(key) for key in KEYS.values()}) == len(set(KEYS.values()))


SICI = "10.1002/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o"


@pytest.mark.parametrize(
    ("text", "key"),
    {
        "10.1000/ABC": "10.1000/abc",
        "doi:10.1000/abc.": "10.1000/abc",
        "https://doi.org/10.1016/S0140-6736(97)11096-0": "10.1016/s0140-6736(97)11096-0",
        "(see 10.1016/S0140-6736(97)11096-0).": "10.1016/s0140-6736(97)11096-0",
        "[a](https://dx.doi.org/10.1000/abc)": "10.1000/abc",
        "https://doi.org/10.1000/abc?utm_source=x#top": "10.1000/abc",
        "https://h/x?doi=10.1000/abc&y=1": "10.1000/abc",
        "https://h/doi%3A10.1000%2Fabc%28d%29": "10.1000/abc(d)",
        SICI.upper(): SICI,
        SICI.replace("<", "&lt;").replace(">", "&gt;") + ",": SICI,
        '<a href="https://doi.org/10.1000/abc">10.1000/abc</a>': "10.1000/abc",
        "10.1000/abc</a>": "10.1000/abc",
        "“10.1000/abc”": "10.1000/abc",
        "10.1000/abc。": "10.1000/abc",
        "**10.1000/abc**": "10.1000/abc",
        "10.1000.10/abc;": "10.1000.10/abc",
        "10.1000/a(b": "10.1000/a",
        "10.1000/a[b(c]d)": "10.1000/a",
        "110.1000/x": None,
        "version 1.10.1000/x": None,
        "10.1000/": None,
        "10.12/x": None,
        "10.1000/)": None,
        "no doi": None,
        "": None,
    }.items(),
)
def test_dois_have_one_spelling(text: str, key: str | None) -> None:
    """§4.3, §9: lower case, brackets balanced, punctuation and query cut; one that holds a bracket is whole."""
    assert doi_key(text) == key
    if key:
        assert doi_key(key) == key


# -- formats ----------------------------------------------------------------------------------------------------------

PAGE = """<!doctype html><html><head><meta charset="%s"><title>Prices</title></head><body><nav>Home</nav><main><article>
<h1>Prices</h1><p>Lark_2_mini draws 10<sup>6</sup> tokens [1], H<sub>2</sub>O, at &lt; 5 ms. <del>It costs $5.</del>
It costs <strong>$2</strong> – 2*3.</p><table><tr><th>Model</th><th>Price</th></tr>
<tr><td>Lark</td><td>$3</td></tr></table>
<pre><code>a \\[ b_c</code></pre></article></main></body></html>"""


def test_text_is_stored_as_it_is() -> None:
    """§4: text keeps every character; its media type tells how it is written."""
    text = "\ufeff# Title\r\n\tcaf\u0065\u0301 \u202e"
    assert extract(text).text == text
    for media_type, profile in (
        (None, "plain"),
        ("text/markdown; charset=utf-8", "markdown"),
        ("text/plain", "plain"),
        ("text/csv", "plain"),
    ):
        found = extract(text, media_type=media_type)
        assert (found.profile, found.extractor, found.raw_sha256) == (profile, "claimbase-text/1", None)
    assert extract("<html><p>raw</p></html>", profile="plain").text == "<html><p>raw</p></html>"
    assert extract(b"x").raw_sha256 == hashlib.sha256(b"x").hexdigest()


ENCODED: list[tuple[bytes, str | None, str | None]] = [
    ("é".encode(), None, "é"),
    (codecs.BOM_UTF8 + "é".encode(), None, "é"),
    (codecs.BOM_UTF16_LE + "é".encode("utf-16-le"), None, "é"),
    (codecs.BOM_UTF16_BE + "é".encode("utf-16-be"), None, "é"),
    (codecs.BOM_UTF8 + "é".encode(), "text/plain; charset=latin-1", "é"),
    ("é€".encode("cp1252"), "text/plain; charset=ISO-8859-1", "é€"),
    ("привет".encode("koi8-r"), 'text/plain;charset="KOI8-R"', "привет"),
    ("日本".encode("shift_jis"), "text/plain; charset=Shift_JIS", "日本"),
    (b"<html><meta charset=windows-1252>", "text/plain", "<html><meta charset=windows-1252>"),
    ("about <meta charset=iso-8859-5> é".encode(), None, "about <meta charset=iso-8859-5> é"),
    ("é".encode("latin-1"), None, None),
    ("é".encode("latin-1"), "text/plain; charset=us-ascii", None),
    (codecs.BOM_UTF8 + b"\xff", None, None),
    (b"x", "text/plain; charset=rot13", None),
    (b"x", "text/plain; charset=unicode_escape", None),
    (b"x", "text/plain; charset=punycode", None),
    (b"x", "text/plain; charset=no-such", None),
    ("é".encode("utf-16-le") * 9, None, None),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "media_type", "text"), ENCODED)
def test_encodings_are_decided_strictly(raw: bytes, media_type: str | None, text: str | None) -> None:
    """§4.4: by mark, else by declaration, else UTF-8; a byte that does not fit refuses the text, none is replaced."""
    if text is not None:
        assert extract(raw, media_type=media_type).text == text
        return
    with pytest.raises(SnapshotRefusedError) as refused:
        extract(raw, media_type=media_type)
    assert refused.value.code == "not_text"


@pytest.mark.parametrize(
    "raw", [b"", "", " \n\t\u3000", "a\x00b", b"a\x00b", b"GIF89a\x01\x00", "\x01\x02\x03abc", b"%PDF-1.7"]
)
def test_what_is_no_text(raw: str | bytes) -> None:
    """§4.4: empty texts, NUL bytes and files that are no text are refused."""
    with pytest.raises(SnapshotRefusedError) as refused:
        extract(raw)
    assert refused.value.code == "not_text"


def test_bad_arguments_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """X3, §4.4: half characters, unknown profiles, missing extras, and sizes before anything is parsed."""
    wrong: list[tuple[Callable[[], Any], type[ClaimbaseError], str]] = [
        (lambda: extract("a\ud800"), InputError, "bad_char"),
        (lambda: extract("a", profile="word"), InputError, "bad_profile"),
        (lambda: extract("a", selector="/x"), InputError, "bad_selector"),
        (lambda: extract("x" * (SNAPSHOT_LIMIT + 1)), LimitError, "too_large"),
        (lambda: extract("é" * (SNAPSHOT_LIMIT // 2 + 1)), LimitError, "too_large"),
        (lambda: extract(b"\x00" * (SNAPSHOT_LIMIT + 1)), LimitError, "too_large"),
    ]
    for call, error, code in wrong:
        with pytest.raises(error) as refused:
            call()
        assert refused.value.code == code
    assert extract("x" * SNAPSHOT_LIMIT).text
    for package, media_type in (("trafilatura", "text/html"), ("pypdf", "application/pdf")):
        monkeypatch.setitem(__import__("sys").modules, package, None)
        with pytest.raises(InputError) as missing:
            extract(b"<html>x", media_type=media_type)
        assert (missing.value.code, "claimbase[" in missing.value.hint) == ("missing_extra", True)


@pytest.mark.covers("T10")
def test_html_keeps_what_changes_a_meaning() -> None:
    """§2.1: superscripts, struck text and table cells are kept; names and comparison signs are not escaped."""
    for charset in ("utf-8", "windows-1252"):
        found = extract((PAGE % charset).encode(charset))
        assert (found.profile, found.media_type, found.extractor[:12]) == ("html-md", "text/html", "trafilatura/")
        text = found.text or ""
        for kept in (
            "Lark_2_mini", "10<sup>6</sup>", "[1]", "H<sub>2</sub>O", "< 5 ms", "~~It costs $5.~~", "–", "2*3",
            "| Lark | $3 |", "a \\[ b_c",
        ):  # fmt: skip
            assert kept in text
    given_text = extract("**bold** ~~struck~~", profile="html-md")
    assert (given_text.text, given_text.extractor) == ("**bold** ~~struck~~", "claimbase-text/1")
    for empty in ("<html></html>", "<html><body><script>x()</script></body></html>", "<html>" + "<b>" * 30_000):
        with pytest.raises(SnapshotRefusedError):
            extract(empty)


def pdf(*pages: str) -> bytes:
    """Write a small PDF with a line of text on each page."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    font = DictionaryObject(
        {NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"),
         NameObject("/BaseFont"): NameObject("/Helvetica")}
    )  # fmt: skip
    for words in pages:
        page = writer.add_blank_page(300, 300)
        fonts = DictionaryObject({NameObject("/F1"): font})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 12 Tf 20 200 Td ({words}) Tj ET".encode())
        page[NameObject("/Contents")] = writer._add_object(stream)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.covers("T10")
def test_pdf_pages_can_be_told_apart() -> None:
    """§4: a page begins at its offset, and every character of the text lies on one page."""
    words = ["Page one costs 3", "", "Page three costs 5"]
    found = extract(pdf(*words))
    assert (found.profile, found.media_type, found.extractor[:6]) == ("pdf", "application/pdf", "pypdf/")
    text, offsets = found.text or "", found.page_offsets or ()
    assert len(offsets) == 3
    for number, line in enumerate(words, 1):
        if line:
            at = text.index(line)
            assert [page_at(offsets, place) for place in (at, at + len(line) - 1)] == [number, number]
    assert (page_at(None, 5), page_at((), 5)) == (None, None)
    scan = extract(pdf("", ""))
    assert (scan.text, scan.page_offsets) == (None, None)
    assert len(scan.raw_sha256 or "") == 64
    parted = extract("one\ftwo\fthree", profile="pdf")
    assert parted.page_offsets == (0, 4, 8)


RECORDS = '[{"id": "a", "in": 1.10, "tags": ["x"], "é": true}, {"id": "b", "in": 1.2, "deep": {"id": "c", "n": null}}]'


@pytest.mark.covers("T10")
@pytest.mark.parametrize(
    ("selector", "text"),
    [
        ({"id": "a"}, '{"id": "a", "in": 1.10, "tags": ["x"], "é": true}'),
        ({"in": "1.1"}, '{"id": "a", "in": 1.10, "tags": ["x"], "é": true}'),
        ({"in": 1.1, "é": True}, '{"id": "a", "in": 1.10, "tags": ["x"], "é": true}'),
        ({"tags": ["x"]}, '{"id": "a", "in": 1.10, "tags": ["x"], "é": true}'),
        ({"id": "c"}, '{"id": "c", "n": null}'),
        ("/1/deep", '{"id": "c", "n": null}'),
        ("/0/in", "1.10"),
        ({"id": "z"}, "no_record"),
        ({"in": "1.10 "}, '{"id": "a", "in": 1.10, "tags": ["x"], "é": true}'),
        ({}, "bad_selector"),
        ("/2", "no_record"),
        ("/0/tags/x", "no_record"),
        ("0", "bad_selector"),
    ],
)
def test_a_record_is_found_by_its_values(selector: Any, text: str) -> None:
    """§3, T10: values single out one record; its text has its keys in order and its numbers as written."""
    lines = RECORDS.strip("[]").replace("}, {", "}\n{")
    for given_text, media_type in ((RECORDS, "application/json"), (lines, "application/x-ndjson")):
        if text in ("no_record", "bad_selector"):
            with pytest.raises(InputError) as refused:
                record_text(given_text, media_type, selector)
            assert refused.value.code == text
        else:
            assert record_text(given_text, media_type, selector) == text


def test_records_of_tables() -> None:
    """§3: a row of a CSV file by value equality, whatever the order of its columns; two hits are none."""
    rows = 'release,eol,note\n11,2024-08-14,"a, b"\n12,2026-06-10,\n13,2026-06-10,x\n'
    turned = "eol\trelease\tnote\n2024-08-14\t11\ta, b\n"
    wanted = '{"eol": "2024-08-14", "note": "a, b", "release": "11"}'
    assert record_text(rows, "text/csv", {"release": 11}) == wanted
    assert record_text(turned, "text/tab-separated-values", {"release": "11"}) == wanted
    with pytest.raises(InputError) as refused:
        record_text(rows, "text/csv", {"eol": "2026-06-10"})
    assert refused.value.code == "ambiguous_record"
    for media_type, broken in (("text/csv", 'a,b\n"x'), ("application/json", '{"a": NaN}'), ("application/json", "{")):
        with pytest.raises(SnapshotRefusedError):
            record_text(broken, media_type, {"a": "1"})
    with pytest.raises(LimitError):
        record_text("[" * 100_000, "application/json", {"a": "1"})
    assert [read_selector('{"a": 1}'), read_selector("/a/0")] == [{"a": 1}, "/a/0"]
    for wrong in ("a", "[1]", "{", "[" * 100_000):
        with pytest.raises(InputError):
            read_selector(wrong)


@pytest.mark.covers("A17")
def test_uploads_have_an_address() -> None:
    """A17: a file's name makes an address that is kept to the letter; names that differ do not meet."""
    names = ["Report.pdf", "report.pdf", "a b.txt", "a%20b.txt", "me@home.txt", "é.md", "a#b?.csv"]
    addresses = [upload_uri(f"/some/where/{name}") for name in names]
    assert addresses[0] == "upload://Report.pdf"
    assert len({url_key(one) for one in addresses}) == len(names)
    assert [media_type_of(one) for one in ("x.MD", "x.htm", "x.PDF", "x.json", "x")] == [
        "text/markdown", "text/html", "application/pdf", "application/json", None,
    ]  # fmt: skip


def test_hostile_texts_take_linear_time() -> None:
    """Issue, §2.4: 100 KB of brackets and marks cost at most a few times as much as prose."""
    prose = "Lark 2 costs $3 per million tokens, which is less. " * 2000
    quiet = min(_took(lambda: (extract(prose), challenge(prose[:3000]), doi_key(prose))) for _ in range(3))
    for mark in "[<*~|\\`&(\n":
        hostile = mark * 100_000
        told = "x" + hostile if mark == "\n" else hostile
        spent = _took(lambda text=told: (extract(text), challenge(text[:3000]), doi_key("10.1000/" + text)))  # type: ignore[misc]
        assert spent < max(10 * quiet, 0.3), mark
        assert _took(lambda text=told: formats._ESCAPED.sub("", text)) < 1, mark  # type: ignore[misc]
    assert _took(lambda: extract("<html><p>" + "[" * 100_000 + "</p>")) < 3
    assert _took(lambda: doi_key("10.1000/" * 100_000)) < 1


def _took(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


# -- guards -----------------------------------------------------------------------------------------------------------

WALLS = [
    ("Just a moment...\n\nexample.org\n\nexample.org needs to review the security of your connection before "
    "proceeding.\n\nRay ID: 7f3a\n\nPerformance & security by Cloudflare"),
    "Enable JavaScript and cookies to continue",
    ("Our systems have detected unusual traffic from your computer network. This page checks to see if it’s really you "
    "sending the requests, and not a robot. Why did this happen?\nIP address: 192.0.2.1"),
    "Enter the characters you see below\nSorry, we just need to make sure you’re not a robot.\nTry different image",
    "Access Denied\nYou don't have permission to access \"http://example.org/\" on this server.\nReference #18.2d",
    "Access denied\nError 1020\nRay ID: 7f\nYour IP address: 192.0.2.1",
    "Log in\nUsername or email\nPassword\nForgot password?\nRemember me\nDon't have an account? Sign up",
    "Pardon Our Interruption\nAs you were browsing something about your browser made us think you were a bot.",
    "Bitte bestätigen Sie, dass Sie ein Mensch sind.\nDies kann einen Moment dauern.",
    "Vérification de votre navigateur. Veuillez patienter quelques secondes.",
    "Verifique que es un ser humano. Esto puede tardar unos segundos.",
    "Подтвердите, что вы не робот",
    "请完成安全验证\n请按住滑块，拖动到最右边",
    "続行するにはログインしてください。",
    "# ACCESS\n\n**Verifying you are human.** This may take a few seconds.",
]  # fmt: skip
HONEST = [
    "Lark 2 costs $3.",
    "Lark 2 pricing\n\nInput costs $3 per million tokens. Output costs $15. The form uses a captcha. Batch is half.",
    ("Captcha settings. Protect your forms from bots. You can add a captcha to any form. Prices start at $5 a month. "
    "Support answers in a day. The widget loads in 20 ms on a slow phone."),
    "A wall that says “Checking your browser before accessing” is shown by many sites. "
    + "Readers see it for five seconds and then the page. " * 8,
    'The page showed "Just a moment..." for days. The vendor calls it a fault of its own and has repaired it since.',
    ("Status\n\nToo many requests were refused from 10:00 to 10:20. All systems operate normally now; we have added "
    "capacity and regret the trouble for customers."),
    "Keys\n\nEnable JavaScript in the console to make one. " + "Keys are secret and begin with sk. " * 20,
    "Sign in to continue is the label of the button; a board opens. " + "Keys begin with sk and stay secret. " * 20,
    "We use cookies. Lark 2 costs $3 per million input tokens. Accept.",
    "Just a moment...\n" + "The table lists what each model costs in each region. " * 70,
    ("Cloudflare Turnstile\n\nA widget that replaces puzzles. It is free up to a million calls a month, works without "
    "cookies, and reports a score for each call. Prices above that are on request. See the guide for React and Vue."),
    "",
]  # fmt: skip


@pytest.mark.parametrize("text", WALLS)
def test_a_wall_is_recognised(text: str) -> None:
    """§4.4: bot walls and logins, in several languages, say the phrase that gives them away."""
    told = challenge(text)
    assert told
    assert all(part in text.casefold().replace("’", "'") for part in told.split(", ", 1)[:1])


@pytest.mark.parametrize("text", HONEST)
def test_a_page_that_mentions_one_is_not_one(text: str) -> None:
    """§4.4: an honest page may speak of captchas, quote a wall, or begin like one and go on."""
    assert challenge(text) is None


@pytest.mark.slow
def test_no_prose_at_hand_is_a_wall(shared: Any) -> None:
    """§4.4: of every stretch of 2,000 characters of this project's own prose none is taken for a wall."""
    prose = "\n".join(path.read_text("utf-8") for path in sorted((shared / "design").glob("*.md")))
    pieces = [prose[at : at + 2000] for at in range(0, len(prose), 1000)]
    assert len(pieces) > 50
    assert [piece for piece in pieces if challenge(piece)] == []


def ruled(text: str, cluster: str = "http://a.example", **known: Any) -> Disposition:
    """Rule on a text."""
    return judge(text, hashlib.sha256(text.encode()).hexdigest(), cluster, Known(**known)).disposition


@pytest.mark.covers("A10")
def test_a_shrunken_page_is_refused() -> None:
    """§4.4: below half of the longest and more than 500 characters lost; exactly half, or few, pass."""
    for longest, length, wanted in (
        (2000, 999, Disposition.REFUSED_SHRUNK), (2000, 1000, Disposition.ACCEPTED),
        (1001, 500, Disposition.REFUSED_SHRUNK), (1000, 500, Disposition.ACCEPTED),
        (1000, 499, Disposition.REFUSED_SHRUNK), (900, 400, Disposition.ACCEPTED),
        (900, 399, Disposition.REFUSED_SHRUNK), (500, 1, Disposition.ACCEPTED), (0, 1, Disposition.ACCEPTED),
    ):  # fmt: skip
        assert ruled("x" * length, longest=longest) == wanted, (longest, length)


@pytest.mark.covers("A10")
def test_guards_rule_in_order(rng: random.Random) -> None:
    """§4.4: what is in use is unchanged; then challenge, shrink, duplicate body, as a plain list of rules says."""
    for _ in range(500):
        text = rng.choice(["x" * 100, WALLS[1], "y" * 900])
        digest = hashlib.sha256(text.encode()).hexdigest()
        known = Known(
            rng.choice([None, digest, "0" * 64]), rng.choice([0, 100, 5000]),
            {n: rng.choice(["http://a.example", f"http://{n}.example"]) for n in rng.sample("bc", rng.randrange(3))},
            rng.choice([None, "b", "c"]),
        )  # fmt: skip
        foreign = any(key != "http://a.example" for key in known.elsewhere.values())
        rules = [
            (known.current == digest, Disposition.UNCHANGED),
            (text == WALLS[1], Disposition.REFUSED_CHALLENGE),
            (len(text) < known.longest / 2 and known.longest - len(text) > 500, Disposition.REFUSED_SHRUNK),
            (foreign and known.mirror_of not in known.elsewhere, Disposition.REFUSED_DUPLICATE_BODY),
            (True, Disposition.ACCEPTED),
        ]
        ruling = judge(text, digest, "http://a.example", known)
        assert ruling.disposition == next(wanted for holds, wanted in rules if holds)
        assert (ruling.detail is None) == (ruling.disposition in (Disposition.ACCEPTED, Disposition.UNCHANGED))

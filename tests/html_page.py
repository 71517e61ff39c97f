"""A page of HTML taken apart, for tests of what is shown."""

from __future__ import annotations

from html.parser import HTMLParser


class Page(HTMLParser):
    """A page of HTML, taken apart."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag with its attributes."""
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost tag, and no other."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Note words."""
        self.words.append(data)

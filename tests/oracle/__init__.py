"""Plain-Python models of the rules: slow, written from the semantics alone, importing nothing of the product."""

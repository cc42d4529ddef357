"""How far a result can be trusted."""

from __future__ import annotations

from typing import Any, Iterator, List, Mapping, Tuple


class Verdict:
    """Whether to trust a result, and why: one line per gate.

    Attributes:
        trust: Did every gate pass? `bool(verdict)` is the same.
        headline: The verdict in one sentence.
        lines: Pairs of (passed, sentence), one per gate.

    >>> verdict = Verdict({"trust": True, "headline": "Trust these draws.", "lines": [(True, "Chains agree.")]})
    >>> print(verdict)
    ok    Chains agree.
    Trust these draws.
    >>> bool(verdict)
    True
    """

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.trust: bool = bool(found["trust"])
        self.headline: str = str(found["headline"])
        self.lines: List[Tuple[bool, str]] = [(bool(passed), str(sentence)) for passed, sentence in found["lines"]]

    def __bool__(self) -> bool:
        return self.trust

    def __iter__(self) -> Iterator[Tuple[bool, str]]:
        return iter(self.lines)

    def __str__(self) -> str:
        marks = [("ok    " if passed else "FAIL  ") + sentence for passed, sentence in self.lines]
        return "\n".join([*marks, self.headline])

    def __repr__(self) -> str:
        return f"<{self.headline}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Verdict) and (self.trust, self.headline, self.lines) == (
            other.trust,
            other.headline,
            other.lines,
        )

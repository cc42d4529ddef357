"""Whether a result can be trusted, and why."""

from __future__ import annotations

from typing import Any, Iterator, Mapping, NamedTuple


class VerdictLine(NamedTuple):
    """One thing that was looked at.

    >>> VerdictLine(True, "Chains agree.").passed
    True
    """

    passed: bool
    sentence: str
    note: bool = False
    """Nothing was judged: something to know, which fails no gate."""


class Verdict:
    """The judgement of a run: true where every gate was passed.

    Attributes:
        trust: Were all gates passed?
        headline: One sentence: trust the result, or the first reason not to.
        lines: A `VerdictLine` for every gate.

    >>> lines = [(True, "Chains agree."), (False, "ESS is 12.")]
    >>> verdict = Verdict({"trust": False, "headline": "Do not trust these draws.", "lines": lines})
    >>> bool(verdict)
    False
    >>> print(verdict)
    ok    Chains agree.
    FAIL  ESS is 12.
    Do not trust these draws.
    """

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.trust = bool(found["trust"])
        self.headline = str(found["headline"])
        self.lines = [VerdictLine(bool(line[0]), str(line[1]), *map(bool, line[2:])) for line in found["lines"]]

    def __bool__(self) -> bool:
        return self.trust

    def __iter__(self) -> Iterator[VerdictLine]:
        return iter(self.lines)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Verdict):
            return NotImplemented
        return (self.trust, self.headline, self.lines) == (other.trust, other.headline, other.lines)

    def __hash__(self) -> int:
        return hash((self.trust, self.headline, tuple(self.lines)))

    def __repr__(self) -> str:
        return f"<Verdict: {self.headline}>"

    def __str__(self) -> str:
        marks = [
            f"{'note' if line.note else 'ok  ' if line.passed else 'FAIL'}  {line.sentence}" for line in self.lines
        ]
        return "\n".join([*marks, self.headline])

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<li>{'&ndash;' if line.note else '&#10003;' if line.passed else '&#10007;'} {escape(line.sentence)}</li>"
            for line in self.lines
        )
        return f"<p><b>{escape(self.headline)}</b></p><ul style='list-style: none'>{rows}</ul>"

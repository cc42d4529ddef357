"""What topics are asked for: their words, and how well they predict."""

from __future__ import annotations

from typing import List, NamedTuple


class Evaluation(NamedTuple):
    """Held-out perplexity by document completion, the figure of `tain lda evaluate`.

    Attributes:
        perplexity: exp(-mean log p) over the test tokens, every 10th of a document, given the others.
        standard_error: Of the perplexity, over documents.
        test_tokens: How many tokens were predicted.
        documents: Of how many documents.
        unknown_tokens: Tokens of words that the topics do not have; left out.
    """

    perplexity: float
    standard_error: float
    test_tokens: int
    documents: int
    unknown_tokens: int


class TopicWords(List[List[str]]):
    """The first words of every topic: a list of lists that prints as a table."""

    def __str__(self) -> str:
        width = len(str(len(self) - 1))
        return "\n".join(f"{number:>{width}}  {' '.join(words)}" for number, words in enumerate(self))

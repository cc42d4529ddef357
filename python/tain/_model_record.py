"""What the folder of a model says of its training, beside the arrays."""

from __future__ import annotations

import json
from typing import Any, Dict

from . import _native


def stream_record(stream: Any, command: str) -> Dict[str, Any]:
    """What a model's folder says of a stream."""
    details = {"tain": _native.__version__, "command": command, "passes": 1, "stop_reason": "end of the stream"}
    card = (
        f"# \x1a: topics of a stream\n\nLatent Dirichlet allocation of {stream.documents:,} documents, each seen once, "
        f"by {stream.method} (seed {stream.seed}).\n\n- made by `{command}`\n\n## Use\n\n"
        "    tain lda report \x1a -o topics.html  a page to explore the topics\n"
        "    tain lda topics \x1a                 words, weights and coherence of the topics\n"
        "    tain lda infer \x1a texts.tsv        topic proportions of new texts\n"
        "    tain lda evaluate \x1a CORPUS        perplexity on other documents\n"
    )
    return {
        "method": stream.method,
        "seed": stream.seed,
        "eta": stream.eta,
        "corpus_fingerprint": 0,
        "corpus_documents": stream.documents,
        "held_out": 0,
        "steps": stream.steps,
        "documents_seen": stream.documents,
        "draws_kept": 1,
        "corpus_folder": "memory",
        "corpus_manifest": "",
        "draw_documents": [],
        "details": json.dumps(details),
        "history": "",
        "card": card,
    }

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


def training_facts(manifest: Dict[str, Any]) -> Dict[str, Any]:
    """What the manifest of a model tells of its training."""
    perplexity = manifest.get("perplexity_topics")
    verdict = manifest.get("verdict") or {"trust": False, "headline": "The model does not tell.", "lines": []}
    lines = [(line["passed"], line["sentence"]) for line in verdict["lines"]]
    return {
        "passes": float(manifest.get("passes", 1)),
        "perplexity": None if perplexity is None else (float(perplexity), float(manifest["standard_error_topics"])),
        "verdict": {"trust": verdict["trust"], "headline": verdict["headline"], "lines": lines},
    }

"""Keywords and flags fill the same plans: the same results, and for what is wrong the same line in the words of each."""

import json
import os
import pathlib
import subprocess

import numpy as np
import pytest
import tain

TAIN = os.environ["TAIN"]
NAMES = {"n_components": "topics", "random_state": "seed"}


def flags(keywords):
    words = []
    for name, value in keywords.items():
        words.append("--" + NAMES.get(name, name).replace("_", "-"))
        if value is not True:
            words.append(",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value))
    return words


def program(*words):
    return subprocess.run([TAIN, *map(str, words), "--quiet"], capture_output=True, text=True)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return tain.Corpus.synthesize(tmp_path_factory.mktemp("fields") / "corpus", docs=60, topics=3, vocab_size=40)


@pytest.mark.parametrize(
    "keywords",
    [
        {"n_components": 3, "alpha": 0.25, "eta": 0.01, "optimize_alpha": True, "random_state": 2**64 - 1, "passes": 1.5},
        {"method": "sgrld", "step_size": (0.01, 30, 0.6), "batch": 7, "sweeps": 4, "steps": 9, "holdout": 5, "eval_every": 11},
        {"method": "smld-approximate", "approximation": "quadratic", "floor": 1e-3, "start": "documents", "steps": 4},
        {"method": "smld-preconditioned", "warmup": 3, "steps": 6, "assignments": "fresh", "burn_in": 20, "average_every": 13},
        {"descent": 40, "descent_batch": 9, "descent_rate": 0.75, "steps": 12, "keep_draws": 2},
    ],
)
def test_keywords_and_flags_make_the_same_plan(corpus, tmp_path, keywords):
    tain.LDA(**{"n_components": 2, **keywords}).fit(corpus).save(tmp_path / "ours")
    done = program("lda", "train", corpus.folder, "-o", tmp_path / "theirs", *flags({"n_components": 2, **keywords}))
    assert done.returncode == 0, done.stderr
    ours, theirs = (json.loads((tmp_path / name / "manifest.json").read_text()) for name in ("ours", "theirs"))
    assert ours["options"] == theirs["options"] and ours["stop_rule"] == theirs["stop_rule"]


@pytest.mark.parametrize(
    "keywords, problem",
    [
        ({"n_components": 0}, "{}: is 0; give at least 1"),
        ({"n_components": 65521}, "{}: is more than 65,520; give a smaller number"),
        ({"n_components": "many"}, "{}: 'many' is not a whole number in range; give a whole number such as 1000"),
        ({"n_components": 2.5}, "{}: '2.5' is not a whole number in range; give a whole number such as 1000"),
        ({"random_state": -1}, "{}: '-1' is not a whole number in range; give a whole number such as 1000"),
        ({"random_state": 2**64}, "{}: '18446744073709551616' is not a whole number in range; give a whole number such as 1000"),
        ({"alpha": -1}, "{}: -1 is not positive; give a number above 0"),
        ({"eta": "much"}, "{}: 'much' is not a number; give a number such as 0.5"),
        ({"max_seconds": float("inf")}, "{}: inf is infinite; give a finite number"),
        ({"descent_rate": float("nan")}, "{}: 'nan' is not a number; give a number such as 0.5"),
        ({"method": "sgrdl"}, "{}: unknown value 'sgrdl'; did you mean 'sgrld'?"),
        ({"start": "anywhere"}, "{}: unknown value 'anywhere'; give one of auto, random, documents, descent"),
        ({"step_size": [1, 2]}, "{}: has 2 numbers; give one, or three: A,B,C for A(1 + t/B)^-C"),
        ({"step_size": -1}, "{}: is not a falling sequence of positive numbers; give A > 0, B > 0 and C >= 0"),
        ({"holdout": 60}, "{}: leaves none of 60 documents to train on; hold out fewer; a tenth are 6"),
        ({"keep_draws": 100001}, "{}: is more than 100,000; give a smaller number"),
    ],
)
def test_both_say_the_same_of_what_is_wrong(corpus, tmp_path, keywords, problem):
    (name,) = keywords
    with pytest.raises(tain.InputError) as raised:
        tain.LDA(**keywords).fit(corpus)
    assert str(raised.value) == problem.format(name)
    done = program("lda", "train", corpus.folder, "-o", tmp_path / "model", *flags(keywords))
    assert done.returncode == (78 if name == "holdout" else 64)  # of the corpus, not of the number
    assert done.stderr == f"tain: {problem.format(flags(keywords)[0])}\n"
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize(
    "keywords, message",
    [
        ({"approximation": "linear"}, "approximation: does nothing to smld-root; leave it out, or give method='smld-approximate'"),
        ({"steps": 1, "passes": 2}, "steps, passes, max_seconds: more than one says when to stop; give one of them"),
        ({"method": "sgrld", "descent": 9}, "descent: nothing descends from this start; leave it out, or give start='descent'"),
        ({"batch": [3, 4]}, "batch: a list is not a whole number in range; give a whole number such as 1000"),
        ({"batch": True}, "batch: 'True' is not a whole number in range; give a whole number such as 1000"),
        ({"alpha": "0.5"}, "alpha: '0.5' is not a number; give a number such as 0.5"),
        ({"step_size": []}, "step_size: is an empty list; leave it out, or give a value"),
        ({"step_size": [0.1, "x", 1]}, "step_size: 'x' is not a number; give a number such as 0.5"),
        ({"method": None, "start": b"random"}, "start: a bytes is not a text; give a text in quotes"),
    ],
)
def test_wrong_keywords_are_named(corpus, keywords, message):
    with pytest.raises(tain.InputError) as raised:
        tain.LDA(**keywords).fit(corpus)
    assert str(raised.value) == message


def test_wrong_options_of_corpora_are_named(tmp_path):
    (tmp_path / "texts.txt").write_text("the cat sat\nthe dog sat\n")
    for options, message in [
        ({"mindf": 1}, "mindf: is no option; did you mean 'min_df'?"),
        ({"nothing_like_it": 1}, "nothing_like_it: is no option; see help(tain)"),
        ({"keep_case": 1}, "keep_case: '1' is neither True nor False; give True or False"),
        ({"memory": "much"}, "memory: 'much' is not a size; give a size such as 500M or 4G"),
        ({"memory": 2**20}, "memory: is too little to work in; give at least 16M"),
        ({"min_df": 0}, "min_df: is 0; give at least 1"),
        ({"first_id": 2}, "first_id: unknown value '2'; give one of 0, 1"),
        ({"vocab": tmp_path / "texts.txt", "min_df": 3}, "min_df: vocab says which words to keep; give one of them"),
        ({"stop_words": 1.5}, "stop_words: '1.5' is not a text; give a text in quotes"),
        ({"threads": -1}, "threads: '-1' is not a whole number in range; give a whole number such as 1000"),
    ]:
        with pytest.raises(tain.InputError) as raised:
            tain.Corpus.read(tmp_path / "texts.txt", tmp_path / "corpus", **options)
        assert str(raised.value) == message and raised.value.field == message.split(":")[0]
    assert not (tmp_path / "corpus").exists()


def test_values_of_numpy_and_paths_are_taken(tmp_path):
    (tmp_path / "texts.txt").write_text("the cat sat\nthe dog sat\n")
    (tmp_path / "stop").write_text("dog\n")
    corpus = tain.Corpus.read(
        tmp_path / "texts.txt",
        tmp_path / "corpus",
        min_df=np.int32(1),
        max_df=np.float32(1),
        min_length=1e0,
        keep_case=np.bool_(False),
        memory=2**25,
        stop_words=pathlib.Path(tmp_path / "stop"),
        max_vocab=None,
    )
    assert corpus.vocabulary == ["sat", "the", "cat"]
    numbers = tain.LDA(np.uint8(2), alpha=np.float64(0.5), step_size=np.array([3, 1, 0]), steps=np.int64(3)).fit(corpus)
    plain = tain.LDA(2, alpha=0.5, step_size=[3, 1, 0], steps=3).fit(corpus)
    assert numbers.components_.tobytes() == plain.components_.tobytes()

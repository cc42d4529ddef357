"""tain.reproduce: the studies of the program."""

import json
import os
import subprocess

import pytest
import tain

TAIN = os.environ["TAIN"]
FEW = dict(chains=1000, grid_chains=1000, further_chains=1000, iterations=100)
TOPICS = dict(topics=4, methods=["smld-approximate", "sgrld"], docs=100, holdout=30, eval_every=50, runs=1, sweeps=2)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study") / "corpus"
    return tain.Corpus.synthesize(folder, docs=300, topics=4, vocab_size=100, mean_length=40)


def curves(folder, seconds):
    """The table of a study without its column of seconds."""
    rows = [line.split(",") for line in (folder / "curves.csv").read_text().splitlines()]
    return [row[:seconds] + row[seconds + 1 :] for row in rows]


def test_a_study_is_that_of_the_program(corpus, tmp_path):
    told = []
    study = tain.reproduce.lda(tmp_path / "here", corpus, progress=lambda text, share: told.append(share), **TOPICS)
    flags = [f"--{key.replace('_', '-')}={','.join(value) if isinstance(value, list) else value}" for key, value in TOPICS.items()]
    command = [TAIN, "reproduce", "lda", corpus.folder, *flags, "-o", str(tmp_path / "there"), "--json", "-q"]
    shown = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    assert curves(tmp_path / "here", 6) == curves(tmp_path / "there", 6)
    assert study.finished and [finding.claim for finding in study.findings] == [f["claim"] for f in shown["findings"]]
    assert str(study).startswith(study.findings[0].claim)
    assert os.fspath(study.page) == str(tmp_path / "here" / "index.html") and os.path.exists(study.page)
    assert "tain.reproduce.lda(" in open(study.page).read()
    assert all(0 <= share <= 1 for share in told)


def test_wrong_use_is_told(corpus, tmp_path):
    with pytest.raises(tain.InputError, match="^chains: must lie between 1,000"):
        tain.reproduce.synthetic(tmp_path / "s", chains=10)
    with pytest.raises(tain.InputError, match="chans.*did you mean"):
        tain.reproduce.synthetic(tmp_path / "s", chans=1000)
    with pytest.raises(tain.InputError, match="^corpus: none is given; give one, or quick=True"):
        tain.reproduce.lda(tmp_path / "s")
    with pytest.raises(tain.InputError, match="did you mean 'sgrld'"):
        tain.reproduce.lda(tmp_path / "s", corpus, methods=["sgrdl"])
    with pytest.raises(tain.FileError, match="nowhere"):
        tain.reproduce.lda(tmp_path / "s", tmp_path / "nowhere")
    with pytest.raises(tain.FileError, match="study.json"):
        tain.reproduce.synthetic(tmp_path / "s", resume=True, **FEW)
    assert not (tmp_path / "s").exists()


def test_a_stopped_study_goes_on(corpus, tmp_path):
    def stop(text, share):
        raise KeyboardInterrupt

    with pytest.warns(tain.Interrupted, match="resume=True"):
        stopped = tain.reproduce.lda(tmp_path / "s", corpus, progress=stop, **{**TOPICS, "sweeps": 2000})
    assert not stopped.finished and stopped.findings == []
    with pytest.raises(tain.FileError, match="holds a study already; give resume=True"):
        tain.reproduce.lda(tmp_path / "s", corpus, **TOPICS)
    assert tain.reproduce.lda(tmp_path / "s", corpus, overwrite=True, **TOPICS).finished
    assert tain.reproduce.lda(tmp_path / "s", corpus, resume=True, **TOPICS).finished

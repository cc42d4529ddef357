#!/usr/bin/env python3
"""Checks an installed tree: the program, its manual pages and completions, the Python package, and a program outside the
project that knows the library only through pkg-config, or only through CMake's find_package.

usage: check_tree.py PREFIX CONSUMER_FOLDER [packages]

With `packages` the tree comes from the packages: then find_package is tried too, and no build path may be left.
"""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

# Through a link without blanks in its name, so that what shells and pkg-config are told needs no quotes.
LINKS = tempfile.TemporaryDirectory(prefix="tain-tree-")
PREFIX = pathlib.Path(LINKS.name, "prefix")
PREFIX.symlink_to(pathlib.Path(sys.argv[1]).resolve())
CONSUMER = pathlib.Path(sys.argv[2]).resolve()
FROM_PACKAGES = sys.argv[3:] == ["packages"]
TAIN = PREFIX / "bin" / "tain"
SHARE = PREFIX / "share"
HANGS = 900  # seconds: a guard, never what a test waits for
# Settings of whoever runs it do not reach what is tested.
for _name in list(os.environ):
    if _name.startswith(("TAIN_", "OMPI_", "PMIX_", "PMI_", "SLURM_", "LC_", "LANG", "NO_COLOR", "TERM", "COLUMNS")):
        del os.environ[_name]
os.environ["LC_ALL"] = "C.UTF-8"


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, encoding="utf-8", check=True, **options).stdout


def commands():
    return run(TAIN, "generate", "commands").splitlines()


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


class Tree(unittest.TestCase):
    def test_program_runs(self):
        self.assertRegex(run(TAIN, "--version"), r"^tain \d+\.\d+\.\d+")
        self.assertIn("Trust these draws.", run(TAIN, "sample", "--target", "dirichlet", "--counts", "12,3,0,5"))

    def test_everything_is_in_its_place(self):
        for path in ("bash-completion/completions/tain", "zsh/vendor-completions/_tain", "fish/vendor_completions.d/tain.fish",
                     "doc/tain/copyright", "doc/tain/changelog.gz", "doc/tain/changelog.Debian.gz", "doc/tain/README.md",
                     "doc/tain/docs/README.md", "doc/libtain-dev/copyright", "doc/libtain-dev/changelog.Debian.gz",
                     *(("doc/python3-tain/copyright", "doc/python3-tain/examples/tutorial.ipynb") if PYTHON else ())):
            self.assertTrue((SHARE / path).is_file(), path)
        self.assertTrue((PREFIX / "include/tain/sampling/sample.hpp").is_file())
        self.assertEqual(1, len(list(PREFIX.glob("lib/**/pkgconfig/tain.pc"))))
        self.assertEqual(1, len(list(PREFIX.glob("lib/**/cmake/tain/tainConfig.cmake"))))
        self.assertEqual(4, len(list(PREFIX.glob("lib/**/libtain_*.a"))))

    def test_every_command_has_its_manual_page_and_none_is_left_over(self):
        wanted = {"tain.1.gz"} | {f"tain-{name.replace(' ', '-')}.1.gz" for name in commands()}
        self.assertEqual(wanted, {path.name for path in (SHARE / "man/man1").iterdir()})

    def test_manual_pages_have_their_sections(self):
        for path in (SHARE / "man/man1").iterdir():
            text = gzip.decompress(path.read_bytes()).decode()
            for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "ENVIRONMENT", "EXAMPLES", "SEE ALSO"):
                self.assertIn(f"\n.SH {section}\n", text, path.name)

    @needs("man")
    def test_manual_pages_render_without_warnings(self):
        for path in sorted((SHARE / "man/man1").iterdir()):
            done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-Tutf8", "-l", path], capture_output=True, text=True,
                                  env=dict(os.environ, MANWIDTH="80", MANROFFSEQ="", LC_ALL="C.UTF-8"), check=True)
            self.assertEqual("", done.stderr, path.name)
            self.assertIn("SYNOPSIS", re.sub(".\b", "", done.stdout), path.name)

    @needs("mandoc")
    def test_mandoc_finds_nothing_to_warn_of(self):
        for path in sorted((SHARE / "man/man1").iterdir()):
            page = gzip.decompress(path.read_bytes())
            done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=page, capture_output=True)
            self.assertEqual(b"", done.stdout, path.name)

    @unittest.skipUnless(FROM_PACKAGES, "a build for development has them")
    def test_no_build_path_is_left_in_the_program(self):
        for folder in (b"/src/cli", b"/build/", b"/tmp/"):
            self.assertNotIn(folder, TAIN.read_bytes())

    def test_pkg_config_consumer(self):
        found = next(PREFIX.glob("lib/**/pkgconfig"))
        flags = run("pkg-config", "--cflags", "--libs", "tain", env=dict(os.environ, PKG_CONFIG_PATH=str(found)))
        with tempfile.TemporaryDirectory() as folder:
            run("g++", "-std=c++20", CONSUMER / "main.cpp", *flags.split(), "-o", f"{folder}/consumer")
            self.assertIn("mean", run(f"{folder}/consumer"))

    @unittest.skipUnless(FROM_PACKAGES, "done elsewhere")
    def test_find_package_consumer(self):
        with tempfile.TemporaryDirectory() as folder:
            run("cmake", "-S", CONSUMER, "-B", folder, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={PREFIX}")
            run("cmake", "--build", folder)
            self.assertIn("mean", run(f"{folder}/consumer"))


PYTHON = next(PREFIX.glob("lib/python3*/dist-packages"), None)
# A user's first program, and what it must print.
FIRST_SAMPLE = """
import importlib.metadata
import tain
print(importlib.metadata.version("tain") == tain.__version__)
print(tain.__file__)
result = tain.sample(tain.dirichlet(counts=[12, 3, 0, 5], alpha=0.5), progress=False)
print(result.draws.shape)
print(result.verdict())
"""


@unittest.skipUnless(PYTHON, "built without the Python package")
class PythonPackage(unittest.TestCase):
    def python(self, program):
        # -S would hide numpy: site packages stay, the tree comes before them.
        return run("/usr/bin/python3", "-c", program,
                   env=dict(os.environ, PYTHONPATH=str(PYTHON), PYTHONDONTWRITEBYTECODE="1"), cwd="/")

    def test_first_sample(self):
        same_version, file, shape, *verdict = self.python(FIRST_SAMPLE).splitlines()
        self.assertEqual("True", same_version)
        self.assertEqual(str(PYTHON / "tain/__init__.py"), file)
        self.assertEqual("(4, 1000, 4)", shape)
        self.assertIn("Trust these draws.", "\n".join(verdict))

    def test_annotations_come_along(self):
        for name in ("py.typed", "_native.pyi"):
            self.assertTrue((PYTHON / "tain" / name).is_file(), name)

    def test_no_path_of_libraries_is_left_in_the_module(self):
        module, = (PYTHON / "tain").glob("_native.*.so")
        self.assertNotRegex(run("readelf", "-d", module), "R(UN)?PATH")

    def test_the_module_shows_its_entry_alone(self):
        module, = (PYTHON / "tain").glob("_native.*.so")
        names = [line.split()[-1] for line in run("nm", "-D", "--defined-only", module).splitlines()]
        self.assertEqual(["PyInit__native"], names)

    @unittest.skipUnless(FROM_PACKAGES, "a build for development has them")
    def test_no_build_path_is_left_in_the_module(self):
        module, = (PYTHON / "tain").glob("_native.*.so")
        for folder in (b"/src/cli", b"/build/", b"/tmp/"):
            self.assertNotIn(folder, module.read_bytes())


# What is typed, and what may follow. Files are those of a folder with articles.tsv in it.
CASES = (
    ("tain dia", ["diagnose"]),
    ("tain corp", ["corpus"]),
    ("tain lda tr", ["train"]),
    ("tain lda train --opt", ["--optimize-alpha"]),
    ("tain corpus import --format sv", ["svmlight"]),
    ("tain sample --ball-form p", ["paper"]),
    ("tain sample --kernel sgrl", ["sgrld"]),
    ("tain sample -k sgrl", ["sgrld"]),
    ("tain sample --set posi", ["positive"]),
    ("tain sample --step-size th", ["theory"]),
    ("tain corpus import --stop-words engl", ["english"]),
    ("tain corpus import art", ["articles.tsv"]),
    ("tain corpus import --vocab art", ["articles.tsv"]),
    ("tain generate mark", ["markdown"]),
    ("tain sets art", []),
)


class Completions(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        pathlib.Path(self.folder.name, "articles.tsv").write_text("1\ta\tb\n")
        self.environment = {"PATH": f"{TAIN.parent}:{os.environ['PATH']}", "HOME": self.folder.name, "TERM": "dumb",
                            "LC_ALL": "C.UTF-8"}

    def check(self, complete):
        for typed, wanted in CASES:
            with self.subTest(typed=typed):
                self.assertEqual(wanted, complete(typed))

    def shell(self, *command):
        return run(*command, cwd=self.folder.name, env=self.environment)

    @needs("bash")
    def test_bash(self):
        script = SHARE / "bash-completion/completions/tain"
        self.assertIn("complete -o filenames -F _tain tain", self.shell("bash", "-c", f". {script}; complete -p tain"))

        def complete(typed):
            words = typed.split()
            return self.shell("bash", "-c", f". {script}; COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _tain; "
                              "printf '%s\\n' \"${COMPREPLY[@]}\"").split()
        self.check(complete)
        # bash hands --format=sv over as three words
        self.assertEqual(["svmlight"], complete("tain corpus import --format = sv"))

    @needs("fish")
    def test_fish(self):
        script = SHARE / "fish/vendor_completions.d/tain.fish"
        self.check(lambda typed: [line.split("\t")[0] for line in self.shell(
            "fish", "--no-config", "-c", f"source {script}; complete -C '{typed}'").splitlines()])

    @needs("zsh")
    def test_zsh(self):
        # Completions need zsh's line editor, so a shell on a pseudo-terminal types and prints the line that it has then.
        driver = pathlib.Path(self.folder.name, "driver.zsh")
        driver.write_text(f"""
zmodload zsh/zpty
zpty -b shell zsh -f -i
line() {{ local text; while zpty -r shell text "*$1*" && [[ $text != *$1* ]]; do :; done; print -r -- $text }}
zpty -w shell 'PS1= ; unsetopt zle_bracketed_paste beep; fpath=({SHARE}/zsh/vendor-completions $fpath)'
zpty -w shell 'autoload -Uz compinit; compinit -u -D; zstyle ":completion:*" menu no; setopt no_auto_menu'
zpty -w shell 'show() {{ print -r -- "<<<$BUFFER>>>"; BUFFER= }}; zle -N show; bindkey "^X" show; print rea""dy'
line ready >/dev/null
while IFS= read -r typed; do
  zpty -w -n shell "$typed"$'\\t\\x18'
  line '>>>'
done
""")
        typed = "".join(f"{case}\n" for case, _ in CASES)
        done = subprocess.run(["zsh", "-f", driver], input=typed, capture_output=True, text=True, cwd=self.folder.name,
                              env=self.environment, timeout=HANGS, check=True)
        lines = [text.split(">>>")[0] for text in done.stdout.split("<<<")[1:]]
        self.assertEqual(len(CASES), len(lines), done.stdout)
        for (case, wanted), line in zip(CASES, lines):
            with self.subTest(typed=case):
                completed = line.rstrip().split(" ")[-1]
                self.assertEqual(wanted[0] if wanted else case.split(" ")[-1], completed)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

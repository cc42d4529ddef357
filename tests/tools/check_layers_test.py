#!/usr/bin/env python3
"""What tools/check_layers refuses: in a small tree that keeps every law, one law at a time is broken.

usage: check_layers_test.py SCRIPT
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv[1]).resolve()
# A lawful tree, with everything that looks like a breach but is none.
TREE = {
    "include/tain/tain.hpp": '#include "tain/maps/set.hpp"\n#include "tain/targets/potential.hpp"\n',
    "include/tain/target_abi.h": "#include <stddef.h>\n",
    "include/tain/core/error.hpp": "#include <string>\nnamespace tain {\nclass Error {};\n}\n",
    "include/tain/maps/set.hpp": '#include "tain/core/error.hpp"\nnamespace tain {\nstruct Set { struct Part {}; };\n}\n',
    "include/tain/targets/potential.hpp": '#include "tain/core/error.hpp"\nnamespace tain { class AnyMap; struct Set; }\n',
    "src/core/parallel.hpp": "class Threads;\n",
    "src/core/parallel.cpp": '#include "core/parallel.hpp"\n#include <oneapi/tbb/info.h>\n'
                             "namespace tain { namespace { struct Piece {}; } }\n",
    "src/maps/simplex.hpp": '#include "tain/maps/set.hpp"\n',
    "src/maps/simplex.cpp": '#include "maps/simplex.hpp"\n#include "core/parallel.hpp"\n'
                            "namespace tain { namespace { struct Piece {}; } void f() { struct Error {}; } }\n",
    "src/targets/mirrored.hpp": '#include "maps/simplex.hpp"\nnamespace tain { struct Mirrored { struct Part {}; }; }\n',
    "src/kernels/kernel.hpp": '#include "tain/targets/potential.hpp"\n',
    "src/kernels/hmc.cpp": '#include "kernels/kernel.hpp"\n#include <hwy/highway.h>\n',
    "src/comm/agreement.cpp": '#include "core/parallel.hpp"\n',
    "src/run/sampler.hpp": '#include "kernels/kernel.hpp"\n#include "targets/mirrored.hpp"\n',
    "src/text/corpus.hpp": '#include "core/parallel.hpp"\nnamespace tain::inner { struct Error {}; }\n',
    "src/lda/engine/topics.hpp": '#include "text/corpus.hpp"\n',
    "src/lda/engine/methods/dual.hpp": '#include "lda/engine/topics.hpp"\n',
    "src/lda/model/model.hpp": '#include "lda/engine/methods/dual.hpp"\n',
    "src/lda/training/training.hpp": '#include "lda/model/model.hpp"\n',
    "src/cli/values.hpp": '#include "run/sampler.hpp"\n',
    "src/cli/main.cpp": '#include "cli/values.hpp"\n#include "tain/tain.hpp"\n',
    "python/native/bindings.hpp": "#include <pybind11/pybind11.h>\n",
    "python/native/lda.cpp": '#include "bindings.hpp"\n#include "lda/training/training.hpp"\n',
}


class CheckLayers(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="tain layers ")
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name)
        for name, text in TREE.items():
            self.write(name, text)

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def include(self, name, *headers):
        """Lets a file begin with these includes."""
        self.write(name, "".join(f"#include {header}\n" for header in headers) + TREE.get(name, ""))

    def refused(self, *messages):
        done = subprocess.run([sys.executable, SCRIPT, self.root], capture_output=True, text=True)
        self.assertEqual(1 if messages else 0, done.returncode, done.stderr)
        self.assertEqual(sorted(messages), sorted(done.stderr.splitlines()))

    def test_a_lawful_tree_passes(self):
        self.refused()

    def test_a_room_knows_only_rooms_before_it(self):
        self.include("src/core/parallel.cpp", '"maps/simplex.hpp"')
        self.refused("src/core/parallel.cpp:1: core may not include maps")

    def test_nor_by_a_public_header(self):
        self.include("src/core/parallel.cpp", "<tain/maps/set.hpp>")
        self.refused("src/core/parallel.cpp:1: core may not include maps")

    def test_nor_by_a_header_of_its_own_folder(self):
        self.include("src/maps/simplex.hpp", '"later.hpp"')
        self.include("src/maps/later.hpp", '"run/sampler.hpp"')
        self.refused("src/maps/later.hpp:1: maps may not include kernels, through src/run/sampler.hpp",
                     "src/maps/later.hpp:1: maps may not include run",
                     "src/maps/later.hpp:1: maps may not include targets, through src/run/sampler.hpp")

    def test_kernels_reach_no_map_through_headers(self):
        self.include("src/kernels/kernel.hpp", '"targets/mirrored.hpp"')
        self.refused("src/kernels/kernel.hpp:1: kernels may not include maps, through src/targets/mirrored.hpp")

    def test_nor_through_the_header_of_everything(self):
        self.include("src/kernels/hmc.cpp", '"tain/tain.hpp"')
        self.refused("src/kernels/hmc.cpp:1: kernels may not include maps, through include/tain/tain.hpp")

    def test_comm_and_text_stand_alone(self):
        self.include("src/comm/agreement.cpp", '"targets/mirrored.hpp"')
        self.include("src/text/corpus.hpp", '"kernels/kernel.hpp"')
        self.refused("src/comm/agreement.cpp:1: comm may not include targets",
                     "src/comm/agreement.cpp:1: comm may not include maps, through src/targets/mirrored.hpp",
                     "src/text/corpus.hpp:1: text may not include kernels",
                     "src/text/corpus.hpp:1: text may not include targets, through src/kernels/kernel.hpp")

    def test_doors_do_not_know_each_other(self):
        self.include("python/native/lda.cpp", '"cli/values.hpp"')
        self.include("src/cli/main.cpp", '"../../python/native/bindings.hpp"')
        self.refused("python/native/lda.cpp:1: python may not include cli",
                     "src/cli/main.cpp:1: cli may not include python",
                     "src/cli/main.cpp:1: only python may include pybind11/pybind11.h, through python/native/bindings.hpp")

    def test_rooms_within_rooms_have_an_order(self):
        self.include("src/lda/engine/methods/dual.hpp", '"lda/training/training.hpp"')
        self.refused("src/lda/engine/methods/dual.hpp:1: lda/engine may not include lda/training",
                     "src/lda/engine/methods/dual.hpp:1: lda/engine may not include lda/model, through "
                     "src/lda/training/training.hpp")

    def test_public_headers_include_public_headers_only(self):
        self.include("include/tain/maps/set.hpp", '"core/parallel.hpp"', "<Eigen/Core>", '"tain/core/error.hpp"')
        self.refused("include/tain/maps/set.hpp:1: a public header may not include src/core/parallel.hpp, which is private",
                     "include/tain/maps/set.hpp:2: a public header may not include Eigen/Core, which users need not have",
                     "src/run/sampler.hpp:2: only lda, maps, targets may include Eigen/Core, through "
                     "src/targets/mirrored.hpp, src/maps/simplex.hpp, include/tain/maps/set.hpp",
                     "src/cli/main.cpp:2: only lda, maps, targets may include Eigen/Core, through include/tain/tain.hpp, "
                     "include/tain/maps/set.hpp")

    def test_libraries_have_their_rooms(self):
        self.include("src/run/sampler.cpp", "<netcdf.h>")
        self.refused("src/run/sampler.cpp:1: only draws may include netcdf.h")

    def test_also_through_private_headers(self):
        self.include("src/core/parallel.hpp", "<oneapi/tbb/info.h>")
        places = ("src/comm/agreement.cpp:1", "src/maps/simplex.cpp:2", "src/text/corpus.hpp:1")
        self.refused(*[f"{place}: only core may include oneapi/tbb/info.h, through src/core/parallel.hpp" for place in places])

    def test_every_header_is_there_and_every_folder_a_room(self):
        self.include("src/maps/simplex.cpp", '"maps/sphere.hpp"')
        self.write("src/shapes/sphere.hpp", "")
        self.refused("src/maps/simplex.cpp:1: there is no maps/sphere.hpp",
                     "src/shapes/sphere.hpp: shapes is not a room; add it to tools/check_layers")

    def test_no_class_is_defined_twice(self):
        for kind in ("struct Error final : Base<int> {", "class Error {", "template <class T>\nstruct Error {",
                     "enum class Error : int {", "struct alignas(64) Error {", "struct [[nodiscard]] Error {"):
            self.write("src/run/twin.hpp", f"// struct\n#define X struct Y {{\nnamespace tain {{\n{kind}\n}};\n}}\n")
            self.refused("include/tain/core/error.hpp: tain::Error is also defined in src/run/twin.hpp; rename one")

    def test_nor_in_a_source_outside_of_unnamed_namespaces(self):
        self.write("src/run/twin.cpp", "namespace tain::inner {\nnamespace {\nstruct Error {};\n}\nstruct Error {};\n}\n")
        self.refused("src/run/twin.cpp: tain::inner::Error is also defined in src/text/corpus.hpp; rename one")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

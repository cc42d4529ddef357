# The commands of the project; each works on a fresh Debian 12 machine as root or through sudo.
#   make demo      install, build, sample the paper's posterior and more, leave the page demo/index.html
#   make test      install, build, run the fast tests
#   make test-all  also the slow ones, clang-tidy, sanitizers and fuzzers
#   make build     release build: build/release/tain
#   make python    the Python package: build/release/python/tain
#   make package   Debian packages: build/packages/*.deb
#   make fuzz      fuzz every reader, 60 s each (tools/fuzz says more)
#   make bench     benchmarks: JSON under bench/results/
#   make format    format all sources

JOBS := $(shell nproc)
TESTS := tests/all examples/all fuzz/all

.PHONY: demo test test-all build python bench format fuzz package packages check

packages:
	@tools/install_packages

build: packages
	cmake --preset release
	cmake --build --preset release -j $(JOBS)

python: packages
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target tain_python
	@echo "Use it:  PYTHONPATH=$(CURDIR)/build/release/python /usr/bin/python3 -c 'import tain; help(tain)'"

# The program alone, and the one benchmark that has reference draws.
demo: packages
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target tain tain_bench_problems
	tools/demo build/release/tain demo

check: packages
	tools/check_layers
	tools/check_format

test: check
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target all $(TESTS)
	ctest --preset release -j $(JOBS)

test-all: test
	tools/install_packages all
	tools/tidy
	ctest --test-dir build/release -L slow --output-on-failure -j $(JOBS)
	cmake --preset asan && cmake --build --preset asan -j $(JOBS) --target all $(TESTS) && ctest --preset asan -j $(JOBS)
	cmake --preset tsan && cmake --build --preset tsan -j $(JOBS) --target test_comm test_run test_lda_threads && ctest --preset tsan -j $(JOBS)
	tools/fuzz 5
	tools/attack 120

package: packages
	tools/package

bench: build
	cmake --build --preset release -j $(JOBS) --target bench/all
	tools/bench build/release bench/results

fuzz:
	tools/install_packages all
	tools/fuzz 60

format: packages
	clang-format-19 -i $$(git ls-files '*.cpp' '*.hpp' '*.h' '*.c')

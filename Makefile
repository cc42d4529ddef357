# The commands of the project; each works on a fresh Debian 12 machine as root or through sudo.
#   make demo      install, build, sample the paper's posterior and more, leave the page demo/index.html
#   make test      install, build, run the fast tests
#   make test-all  also the slow ones, sanitizers and fuzzers
#   make build     release build: build/release/tain
#   make python    the Python package: build/release/python/tain
#   make package   Debian packages: build/packages/*.deb
#   make fuzz      fuzz every reader, 60 s each (tools/fuzz says more)
#   make bench     benchmarks: JSON under bench/results/
#   make format    format all sources

CCACHE := $(shell command -v ccache 2>/dev/null)
# A build folder keeps the way it began to compile in: a cache that was installed meanwhile would compile all anew.
LAUNCHER := $(if $(CCACHE),-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache)
configure = cmake --preset $(1) $(if $(wildcard build/$(1)/CMakeCache.txt),,$(LAUNCHER))
JOBS := $(shell nproc)

.PHONY: demo test test-all build python bench format fuzz package packages check

packages:
	@tools/install_packages

build: packages
	$(call configure,release)
	cmake --build --preset release -j $(JOBS)

python: packages
	$(call configure,release)
	cmake --build --preset release -j $(JOBS) --target tain_python
	@echo "Use it:  PYTHONPATH=$(CURDIR)/build/release/python /usr/bin/python3 -c 'import tain; help(tain)'"

demo: build
	tools/demo build/release/tain demo

check: packages
	tools/check_layers
	tools/check_format

test: check
	$(call configure,dev)
	cmake --build --preset dev -j $(JOBS)
	ctest --preset dev -j $(JOBS)

test-all: test
	tools/install_packages all
	ctest --test-dir build/dev -L slow --output-on-failure -j $(JOBS)
	$(call configure,asan) && cmake --build --preset asan -j $(JOBS) && ctest --preset asan -j $(JOBS)
	$(call configure,tsan) && cmake --build --preset tsan -j $(JOBS) --target test_run && ctest --preset tsan -j $(JOBS)
	tools/fuzz 5

package: packages
	tools/package

bench: build
	tools/bench build/release bench/results

fuzz:
	tools/install_packages all
	tools/fuzz 60

format: packages
	clang-format-19 -i $$(git ls-files '*.cpp' '*.hpp' '*.h' '*.c')

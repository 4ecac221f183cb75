# SPDX-License-Identifier: GPL-3.0-or-later
# `make` alone prints what there is. Environments are made on demand by scripts/bootstrap.py.

PYTHON ?= python3
BOOTSTRAP = $(PYTHON) scripts/bootstrap.py
TWINE_PIN = twine==7.0.0
TWINE = "$$zig" -m pip install -q --upgrade --disable-pip-version-check --target build/twine $(TWINE_PIN) && \
	PYTHONPATH=build/twine "$$zig" -m twine check --strict
COVERAGE_PINS = coverage==7.17.3 pytest-cov==7.1.0
TYPED = omi_physics_joint typings/names_of_ours.py
PACKAGING = tests/package tests/clients tests/kernel/test_wheels.py
DIST = dist
WHEELS = build/wheels
RELEASE = build/release

export OMP_NUM_THREADS = 1
# What is compiled is kept, else each process of a test compiles all that it loads.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo examples pictures test test-package approve test-all test-blender test-ui test-usd check lint test-short coverage mutants format kernel kernels wheels build package npm release fuzz bench bench-blender bench-play bench-solver bench-godot bench-babylon bench-physx bench-robots godot manual test-godot test-gltf-transform torture clean distclean
.DEFAULT_GOAL := help

help:
	@echo "make demo          build, export, check, re-import and picture a mechanism in build/demo"
	@echo "make examples      examples/blend and examples/glb: ten mechanisms to open, saved by Blender 4.5"
	@echo "make pictures      docs/images: mechanisms that move; BLENDER=... also takes those of the window"
	@echo "make test          all tests but those of packaging, on one Blender (5.2.3 with Python 3.13, else 5.0.1 with 3.11)"
	@echo "make test-package  the zip, pip, wheels for six systems, tools, render farms and a fresh clone, as who gets them uses them"
	@echo "make test-all      all tests on Blender 4.5.15, 5.0.1 and 5.2.3  [SKIP=version]"
	@echo "make approve       tests/approved written anew of what is so now; then read what git diff says of it"
	@echo "make test-blender  all tests inside a real Blender  BLENDER=/path/to/blender"
	@echo "make test-ui       mouse and keyboard in a real Blender window  BLENDER=/path/to/blender"
	@echo "make test-usd      what is written to USD and read from it, with the newest usd-core"
	@echo "make check         lint, types and the short tests that need no Blender, in about a minute; lint or test-short alone"
	@echo "make coverage      which lines and branches the tests reach, in build/coverage"
	@echo "make mutants       break the package on purpose, count what the tests notice, in build/mutants"
	@echo "make format        let ruff lay out the code"
	@echo "make kernel        the solver compiled for this machine; without a C compiler by zig, which it fetches, else the textbook moves"
	@echo "make fuzz          random mechanisms through the kernel under sanitizers  [ARGS=\"--seed 7 --seconds 600\"]"
	@echo "make wheels        the kernel for six systems in build/wheels, ready for PyPI, checked by twine"
	@echo "make build         the extension's zip in dist/, made and validated by Blender's tool"
	@echo "make package       wheels for six systems and sources of the Python package in dist/, for pip"
	@echo "make release       all that is published, with checksums, in build/release; refused while anything is missing  [TAG=v0.1.0]"
	@echo "                   TRY=1 makes it all the same"
	@echo "make manual        the user manual in build/manual, with MkDocs; fails where a link leads nowhere"
	@echo "make godot         the add-on for Godot, as a zip in dist/; make npm: the extensions for glTF Transform"
	@echo "make test-godot    files imported with that add-on, as Python says them, and moved by Godot  GODOT=/path/to/godot"
	@echo "make bench         the export measured beside the plain exporter"
	@echo "make bench-blender many objects, redraws, posing, memory and killed exports  ARGS=\"crowd overlay posing memory kills\""
	@echo "make bench-play    a frame of play measured beside Blender's rigid bodies"
	@echo "make bench-solver  the solver measured beside PyBullet, MuJoCo and Blender in build/bench-solver"
	@echo "make bench-godot   files for Godot moved by Godot, beside our solver  GODOT=/path/to/godot OMI_GODOT=/path/to/omi-godot"
	@echo "make bench-babylon files in Khronos' extensions moved by Babylon.js, beside our solver  LOADER=/path/to/glTF_Physics_Babylon"
	@echo "make bench-physx   stages moved by PhysX, beside our solver; fetches it, 1.3 GB"
	@echo "make bench-robots  models of MuJoCo read, and mechanisms written for it, beside MuJoCo itself; fetches it and models, 300 MB"
	@echo "make torture       damaged files, odd scenes, random operators and kills, for minutes  [ARGS=\"--seed 7\"]"
	@echo "make test-gltf-transform   the extensions for glTF Transform, with node and npm"
	@echo "make clean         remove what was built; make distclean also the environments in .venv/"
	@echo
	@echo "ARGS=... is passed on to pytest, the demo or the benchmark."

demo: kernel
	@python=$$($(BOOTSTRAP) python default) && PYTHONPATH=. "$$python" examples/demo.py --output build/demo $(ARGS)

examples: kernel
	@python=$$($(BOOTSTRAP) python 4.5.15) && PYTHONPATH=. "$$python" examples/files.py

pictures: kernel
	@mkdir -p build && python=$$($(BOOTSTRAP) python default) && echo "drawing docs/images/mechanisms.webp" && \
	{ PYTHONPATH=. "$$python" examples/contact_sheet.py --output docs/images/mechanisms.webp \
	> build/mechanisms.log 2>&1 || { tail -20 build/mechanisms.log >&2; exit 1; }; } && tail -1 build/mechanisms.log
	@$(PYTHON) -m scripts.pictured mechanisms.webp
	@if test -n "$(BLENDER)"; then rm -rf build/pictures && \
	$(PYTHON) scripts/in_window.py pictures "$(BLENDER)" build/pictures $(ARGS) && \
	cp build/pictures/*.png docs/images/ && $(PYTHON) -m scripts.pictured build/pictures/*.png; else \
	echo "left as they are: pictures of the window; make pictures BLENDER=/path/to/blender (docs/developers/testing.md)"; fi

test: kernel
	@$(PYTHON) scripts/test_blenders.py default -- $(or $(ARGS),$(PACKAGING:%=--ignore=%))

test-package: kernel
	@$(PYTHON) scripts/test_blenders.py default -- $(PACKAGING) $(ARGS)

approve: kernel
	@python=$$($(BOOTSTRAP) python default) && OMI_APPROVE=1 "$$python" -m pytest -q -n 0 \
	$$(grep -rlE --include='test_*.py' 'tests\.(approved|digests) import' tests) $(ARGS) && git --no-pager diff --stat tests/approved

test-all: kernel
	@$(PYTHON) scripts/test_blenders.py all $(if $(SKIP),--skip $(SKIP)) -- $(ARGS)

test-blender: kernel
	@test -n "$(BLENDER)" || { echo "say which one: make test-blender BLENDER=/path/to/blender" >&2; exit 2; }
	@$(PYTHON) scripts/test_real_blender.py "$(BLENDER)" $(ARGS)

test-ui: kernel
	@test -n "$(BLENDER)" || { echo "say which one: make test-ui BLENDER=/path/to/blender (docs/developers/testing.md)" >&2; exit 2; }
	@$(PYTHON) scripts/in_window.py tests "$(BLENDER)" build/test-ui $(ARGS)

test-usd: kernel
	@python=$$($(BOOTSTRAP) python usd-core) && "$$python" -m pytest -q -n auto --dist worksteal tests/usd $(ARGS)

# Side by side: mypy has one core only, and takes as long as half of the tests where nothing is cached.
check: kernel
	@$(BOOTSTRAP) python check >/dev/null
	@$(MAKE) --no-print-directory -j 2 lint test-short

lint:
	@python=$$($(BOOTSTRAP) python check) && set -ex && \
	"$$python" -m ruff check --quiet . && \
	"$$python" -m ruff format --check --quiet . && \
	"$$python" -m mypy $(TYPED) && \
	(cd scripts && "$$python" -m mypy --config-file ../pyproject.toml --cache-dir ../.mypy_cache .)

test-short: kernel
	@python=$$($(BOOTSTRAP) python check) && set -x && \
	"$$python" -m pytest -q -n auto --dist worksteal -m "not long" --ignore=tests/blender --ignore=tests/package $(ARGS)

# Beside the environment and not in it: nothing else is to be measured.
coverage: kernel
	@python=$$($(BOOTSTRAP) python default) && mkdir -p build/coverage && \
	"$$python" -m pip install -q --no-deps --upgrade --target build/coverage/tools $(COVERAGE_PINS) && \
	COVERAGE_FILE=build/coverage/data PYTHONPATH=build/coverage/tools "$$python" -m pytest -q -n auto \
	--dist loadfile --cov=omi_physics_joint --cov-branch --cov-report=term:skip-covered \
	--cov-report=html:build/coverage/html $(ARGS)

mutants: kernel
	@python=$$($(BOOTSTRAP) python default) && "$$python" scripts/mutate.py $(ARGS)

format:
	@python=$$($(BOOTSTRAP) python check) && "$$python" -m ruff check --fix . ; "$$python" -m ruff format .

kernel:
	@$(PYTHON) scripts/build_kernel.py

fuzz:
	@python=$$($(BOOTSTRAP) python check) && PYTHONPATH=. "$$python" -m benchmarks.kernel_fuzz.run $(ARGS)

kernels:
	@zig=$$($(BOOTSTRAP) python kernel) && "$$zig" scripts/build_kernel.py wheels $(WHEELS) >&2

wheels: kernels
	@zig=$$($(BOOTSTRAP) python kernel) && $(TWINE) $(WHEELS)/*.whl

build: kernels
	@python=$$($(BOOTSTRAP) python default) && \
	"$$python" scripts/build_extension.py --wheels $(WHEELS) --output $(DIST)

package: kernels
	@python=$$($(BOOTSTRAP) python default) && "$$python" -m hatchling build -t sdist -d $(DIST) && \
	for wheel in $(WHEELS)/omi_physics_joint_kernel-*.whl; do \
	OMI_KERNEL_WHEEL="$$wheel" "$$python" -m hatchling build -t wheel -d $(DIST) || exit; done

godot:
	@$(PYTHON) scripts/build_godot.py --output $(DIST)

npm:
	@$(PYTHON) scripts/build_npm.py --output $(DIST)

release:
	@$(PYTHON) scripts/release.py check $(if $(TRY),--try) "$(TAG)" && rm -rf $(RELEASE) && \
	$(MAKE) --no-print-directory WHEELS=$(RELEASE) DIST=$(RELEASE) build package godot npm && zig=$$($(BOOTSTRAP) python kernel) && \
	$(TWINE) $(RELEASE)/*.whl $(RELEASE)/*.tar.gz && $(PYTHON) scripts/release.py sums $(RELEASE)

# Not quietly: what MkDocs does not say, it does not count as a fault either.
manual:
	@python=$$($(BOOTSTRAP) python manual) && NO_MKDOCS_2_WARNING=1 "$$python" -m mkdocs build --clean --strict $(ARGS) && \
	echo build/manual/index.html

# Ends with 1 where the add-on builds a file otherwise than Python says, or Godot moves a case otherwise and nobody has warned of it.
test-godot: kernel
	@test -n "$(GODOT)" || { echo "say which: make test-godot GODOT=/path/to/godot" >&2; exit 2; }
	@python=$$($(BOOTSTRAP) python check) && OMI_GODOT_PROGRAM="$(GODOT)" "$$python" -m pytest -q -n 0 tests/godot
	@python=$$($(BOOTSTRAP) python check) && PYTHONPATH=. "$$python" -m benchmarks.contacts.readers godot --godot "$(GODOT)"
	@python=$$($(BOOTSTRAP) python default) && PYTHONPATH=. "$$python" -m benchmarks.godot.exported --output build/test-godot $(ARGS)
	@python=$$($(BOOTSTRAP) python check) && PYTHONPATH=. "$$python" -m benchmarks.godot.run --godot "$(GODOT)" --exported --output build/test-godot $(ARGS)

# In a copy, so that npm leaves nothing in the sources.
test-gltf-transform:
	@rm -rf build/gltf-transform/test && mkdir -p build/gltf-transform && cp -R clients/gltf-transform/. build/gltf-transform && \
	cd build/gltf-transform && npm install --no-audit --no-fund --silent --no-package-lock && npm test --silent

bench: kernel
	@python=$$($(BOOTSTRAP) python default) && PYTHONPATH=. "$$python" benchmarks/export.py $(ARGS)

bench-blender: kernel
	@python=$$($(BOOTSTRAP) python default) && for bench in $(or $(ARGS),crowd overlay posing memory kills night); do \
	PYTHONPATH=. "$$python" benchmarks/$$bench.py || exit; done

bench-play: kernel
	@python=$$($(BOOTSTRAP) python default) && PYTHONPATH=. "$$python" benchmarks/play.py $(ARGS)

# On Python 3.11 where it is to be had: there every peer has a wheel (PyBullet has none for 3.13).
bench-solver: kernel
	@python=$$($(BOOTSTRAP) python 5.0.1 || $(BOOTSTRAP) python default) && while read -r need; do \
	"$$python" -m pip install -q --only-binary :all: "$$need" || echo "without $$need" >&2; \
	done < benchmarks/solver/requirements.txt; PYTHONPATH=. "$$python" -m benchmarks.solver.run $(ARGS)

# Ends with 1 where Godot moves a case otherwise and Check does not say so.
bench-godot: kernel
	@test -n "$(GODOT)" -a -n "$(OMI_GODOT)" || { echo "say which: make bench-godot GODOT=/path/to/godot OMI_GODOT=/path/to/omi-godot" >&2; exit 2; }
	@python=$$($(BOOTSTRAP) python check) && PYTHONPATH=. "$$python" -m benchmarks.godot.run --godot "$(GODOT)" --addon "$(OMI_GODOT)" $(ARGS)

bench-babylon: kernel
	@test -n "$(LOADER)" || { echo "say which: make bench-babylon LOADER=/path/to/glTF_Physics_Babylon (docs/measurements/engines.md)" >&2; exit 2; }
	@python=$$($(BOOTSTRAP) python check) && PYTHONPATH=. "$$python" -m benchmarks.babylon.run --loader "$(LOADER)" $(ARGS)

# Ends with 1 where PhysX moves a case otherwise and nothing is said of it.
bench-physx: kernel
	@python=$$($(BOOTSTRAP) python check) && tools=build/bench-physx && test -e $$tools/ovphysx || \
	"$$python" -m pip install -q --only-binary :all: --target $$tools -r benchmarks/physx/requirements.txt && \
	PYTHONPATH=.:$$tools "$$python" -m benchmarks.contacts.readers physx && PYTHONPATH=.:$$tools "$$python" -m benchmarks.physx.run $(ARGS)

# Ends with 1 where a model stands elsewhere than in MuJoCo, or a mechanism moves otherwise there.
bench-robots: kernel
	@python=$$($(BOOTSTRAP) python check) && tools=build/bench-robots && mkdir -p $$tools && while read -r need; do \
	test -e "$$tools/$${need##* }" || "$$python" -m pip install -q --only-binary :all: --target $$tools $$need || echo "without $$need" >&2; \
	done < benchmarks/robots/requirements.txt; PYTHONPATH=.:$$tools "$$python" -m benchmarks.robots.run $(ARGS) && \
	PYTHONPATH=.:$$tools "$$python" -m benchmarks.robots.there_and_back && \
	PYTHONPATH=.:$$tools "$$python" -m benchmarks.robots.motions --godot && \
	PYTHONPATH=.:$$tools "$$python" -m benchmarks.contacts.readers mujoco

# Ends with 1 where anything crashed, was lost in silence, or was left half done.
torture: kernel
	@python=$$($(BOOTSTRAP) python default) && PYTHONPATH=. "$$python" -m benchmarks.torture.run $(ARGS)

clean:
	rm -rf build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache

distclean: clean
	rm -rf .venv

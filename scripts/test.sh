#!/usr/bin/env bash
# The whole suite: lint, types, import order, tests with doctests, notebooks. Prints the slowest tests and,
# last, what could not run for want of a Debian package; with HYDRALAB_REQUIRE=all that is a failure.
set -uo pipefail
cd "$(dirname "$0")/.."
bin=.venv/bin
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2} TOKENIZERS_PARALLELISM=false
failed=0
step() { echo; echo "== $1"; shift; "$@" || failed=1; }

unavailable=()
[ -x /usr/bin/chromium ] || unavailable+=("chromium (browser tests)")
[[ "$(fc-list 2>/dev/null)" == *CJK* ]] || unavailable+=("fonts-noto-cjk (Chinese in the browser's screenshots)")
deselect=()
[ -x /usr/bin/chromium ] || deselect+=("and not browser")

step "ruff" $bin/ruff check .
step "format" $bin/ruff format --check .
step "mypy" $bin/mypy
step "import order" $bin/lint-imports
step "tests" $bin/python -m pytest -q -n 2 --dist loadfile --durations=15 \
  --cov --cov-report=term:skip-covered -m "not notebook ${deselect[*]:-}" \
  --doctest-modules hydralab tests
step "notebooks" $bin/python -m pytest -q --nbval --nbval-sanitize-with notebooks/sanitize.cfg -p no:randomly notebooks

echo
if [ ${#unavailable[@]} -gt 0 ]; then
  printf 'not run for want of a Debian package: %s\n' "${unavailable[@]}"
  [ "${HYDRALAB_REQUIRE:-}" = all ] && failed=1
else
  echo "everything ran: no Debian package is missing"
fi
exit $failed

#!/usr/bin/env bash
# docs/python.md is what the docstrings of the package say. Skipped (77) without Python.
set -euo pipefail
cd "$(dirname "$0")/.."
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2> /dev/null || { echo "skipped: no Python 3.9 or later"; exit 77; }
python3 python/docs/make_page.py | diff docs/python.md - ||
  { echo "FAIL: docs/python.md is another; make it by: python3 python/docs/make_page.py --write"; exit 1; }

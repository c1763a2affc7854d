#!/usr/bin/env bash
# Name what this machine lacks before anything is installed: CPython 3.11 or newer with headers, and g++.
set -u
python=${1:-python3}
missing=()
command -v "$python" >/dev/null 2>&1 || { echo "hydralab needs CPython 3.11 or newer; '$python' is not on the PATH (make PYTHON=/path/to/python3.11)" >&2; exit 1; }
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || missing+=("CPython 3.11 or newer ($("$python" --version 2>&1) found; make PYTHON=python3.11)")
"$python" -c 'import venv, ensurepip' 2>/dev/null || missing+=("the venv module (Debian: python3-venv)")
"$python" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")))' || missing+=("Python headers (Debian: python3-dev)")
command -v g++ >/dev/null 2>&1 || missing+=("g++ (Debian: g++); hnswlib is compiled on installation")
[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || echo "note: hydralab is tested on Linux x86-64; this is $(uname -s) $(uname -m)" >&2
if [ ${#missing[@]} -gt 0 ]; then
  printf 'hydralab needs %s\n' "${missing[@]}" >&2
  exit 1
fi

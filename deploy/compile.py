"""Make the same program faster: the modules that every move goes through, compiled to machine code.

    make fast                                 into build/fast
    make run FAST=1                           run that
    python deploy/compile.py FOLDER           into a folder of your choice; put it on PYTHONPATH

It needs a C compiler and Python's headers, and nothing else that is not in `.venv`. What is compiled is our own source
by way of mypy's compiler, mypyc: it does what the source says, only with fewer detours. Data and games stay as they
are, so a card or a game is still changed by editing a file in the folder.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("engine", "cards", "rooms", "server")
HOT = {
    "engine": "chance gallery journal lens look match merge offers search sight story takeback",
    "rooms": "actor answers clocks core lateness nodes pipe seating telling versions",
    "server": "connection gateway limits",
}
SETUP = """
from mypyc.build import mypycify
from setuptools import setup

modules = {modules!r}
setup(name="upcard-fast", packages=[], ext_modules=mypycify(["--strict", *modules], opt_level="2", debug_level="0"))
"""


def main() -> None:
    """Copy the packages and compile in place there."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "fast").resolve()
    trouble = missing()
    if trouble:
        sys.exit(f"Nothing was compiled: {trouble}. Upcard runs without it, only slower.")
    copy(folder)
    modules = [f"{package}/{name}.py" for package, names in HOT.items() for name in names.split()]
    print(f"Compiling {len(modules)} modules into {folder} (about a minute)", flush=True)
    compile_there(folder, modules)
    print(f"Done. Run it: make run FAST=1, or PYTHONPATH={folder} upcard serve")


def missing() -> str:
    """What this machine lacks, in a few words; nothing if it can compile."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler ({compiler})"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "Python's headers are not installed (python3-dev on Debian and Ubuntu)"
    return ""


def copy(folder: Path) -> None:
    """The four packages as they are now, without anything that was compiled before."""
    shutil.rmtree(folder, ignore_errors=True)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))


def compile_there(folder: Path, modules: list[str]) -> None:
    """Have each module translated to C and built beside its source."""
    (folder / "setup.py").write_text(SETUP.format(modules=modules), encoding="utf-8")
    environ = {**os.environ, "PYTHONPATH": str(folder), "MYPY_CACHE_DIR": str(folder / "build" / "mypy")}
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace", f"--parallel={os.cpu_count() or 1}"]
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"The compiler gave up:\n{(done.stdout + done.stderr)[-3000:]}")
    shutil.rmtree(folder / "build", ignore_errors=True)
    (folder / "setup.py").unlink()


if __name__ == "__main__":
    main()

"""What is in the repository, and what must not be."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_LINES = 450
TEXT = {
    ".py",
    ".md",
    ".toml",
    ".json",
    ".csv",
    ".lock",
    ".txt",
    ".yml",
    ".yaml",
    ".js",
    ".mjs",
    ".css",
    ".html",
    ".sh",
    ".lua",
    "",
}


def tracked() -> list[Path]:
    """The files under version control; in an unpacked archive, all but what is generated."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
    hidden = (".venv", ".git", "__pycache__", ".hypothesis", "node_modules", "build", "dist")
    return [path for path in ROOT.rglob("*") if path.is_file() and not set(path.relative_to(ROOT).parts) & {*hidden}]


def texts() -> list[Path]:
    return [path for path in tracked() if path.suffix in TEXT and "_cache" not in str(path)]


# Written in pieces, so that this file does not find itself.
PLACES = "|".join(
    ["/" + "home" + "/", "/" + "Users" + "/", "/" + "root" + "/", "/" + "work" + "/", r"[A-Z]:\\" + "Users"]
)
HOSTS = "|".join(
    [r"\." + "internal" + r"\b", "artifact" + "ory", "pypi" + r"\." + "org", "python" + "hosted", "index" + "-url ="]
)


@pytest.mark.parametrize("path", texts(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_names_a_place_on_somebody_s_machine_or_a_registry(path):
    text = path.read_text(encoding="utf-8")
    assert not re.findall(rf"(?<![\w.]){PLACES}|{HOSTS}", text)


def test_the_lock_file_holds_hashes_and_no_addresses():
    lock = (ROOT / "deploy" / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in lock
    packages = re.split(r"\n(?=[A-Za-z0-9])", lock.strip())
    assert len(packages) > 20
    for package in packages:
        if not package.startswith("#"):
            assert re.match(r"[A-Za-z0-9._-]+(\[[\w,-]+\])?==\S+", package), package
            assert "--hash=sha256:" in package, package


@pytest.mark.parametrize(
    "path", [path for path in tracked() if path.suffix == ".py"], ids=lambda path: str(path.relative_to(ROOT))
)
def test_a_module_is_about_one_thing(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < MOST_LINES


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "LICENSE", "pyproject.toml", "Makefile"])
def test_whoever_opens_the_repository_finds(name):
    assert (ROOT / name).stat().st_size > 100


def test_every_package_says_what_it_is_for():
    for floor in ("engine", "cards", "rooms", "server"):
        for path in (ROOT / floor).rglob("*.py"):
            first = path.read_text(encoding="utf-8").lstrip()
            assert first.startswith('"""') or not first, path.relative_to(ROOT)


def test_text_files_end_with_one_newline_and_have_no_tabs_in_python():
    for path in texts():
        text = path.read_text(encoding="utf-8")
        if text:
            assert text.endswith("\n"), path.relative_to(ROOT)
            assert not text.endswith("\n\n"), path.relative_to(ROOT)
        if path.suffix == ".py":
            assert "\t" not in text, path.relative_to(ROOT)

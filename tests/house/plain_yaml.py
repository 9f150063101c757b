"""Just enough YAML to read our own compose file: blocks, flow lists, literal text, anchors and merges."""

from __future__ import annotations

import re
from typing import Any

_KEY = re.compile(r"""^((?:"[^"]*"|[^\s:'"#\[{-][^:#]*?|<<)):(?:\s+(.*))?$""")


class BadYaml(Exception):
    """A line that this reader does not take."""


def read_yaml(text: str) -> Any:
    """What the text says."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1)]
    return _Reader(lines).block(0)


class _Reader:
    def __init__(self, lines: list[tuple[int, str]]) -> None:
        self.lines, self.at = lines, 0
        self.anchors: dict[str, Any] = {}

    def block(self, indent: int) -> Any:
        """Everything from here on that is indented so far, or further."""
        line = self._peek()
        if line is None or _depth(line) < indent:
            return None
        return self._list(_depth(line)) if line.lstrip().startswith("- ") else self._mapping(_depth(line))

    def _mapping(self, indent: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while (line := self._peek()) is not None and _depth(line) == indent:
            key = _KEY.match(line.strip())
            if key is None:
                raise BadYaml(f"line {self.lines[self.at][0]}: {line}")
            self.at += 1
            name, value = key[1].strip('"'), self._value(_bare(key[2] or ""), indent)
            if name == "<<":
                found = {**value, **found}
            elif name in found and not any(found[name] is old.get(name) for old in self._merged()):
                raise BadYaml(f"line {self.lines[self.at - 1][0]}: {name} stands there twice")
            else:
                found[name] = value
        return found

    def _merged(self) -> list[dict[str, Any]]:
        return [anchor for anchor in self.anchors.values() if isinstance(anchor, dict)]

    def _list(self, indent: int) -> list[Any]:
        found = []
        while (line := self._peek()) is not None and _depth(line) == indent and line.lstrip().startswith("- "):
            inside = line.strip()[2:]
            if _KEY.match(inside) and not inside.startswith('"'):
                number = self.lines[self.at][0]
                self.lines[self.at] = (number, " " * (indent + 2) + inside)
                found.append(self._mapping(indent + 2))
            else:
                self.at += 1
                found.append(self._value(_bare(inside), indent))
        return found

    def _value(self, text: str, indent: int) -> Any:
        if text.startswith("&"):
            name, _, rest = text[1:].partition(" ")
            self.anchors[name] = self._value(rest, indent)
            return self.anchors[name]
        if text.startswith("*"):
            return self.anchors[text[1:]]
        if text == "|":
            return self._literal(indent)
        return self.block(indent + 1) if not text else _scalar(text)

    def _literal(self, indent: int) -> str:
        taken = []
        while self.at < len(self.lines):
            line = self.lines[self.at][1]
            if line.strip() and _depth(line) <= indent:
                break
            taken.append(line)
            self.at += 1
        depth = min(_depth(line) for line in taken if line.strip())
        return "\n".join(line[depth:] for line in taken).rstrip("\n") + "\n"

    def _peek(self) -> str | None:
        while self.at < len(self.lines):
            line = self.lines[self.at][1]
            if line.strip() and not line.lstrip().startswith("#"):
                if "\t" in line:
                    raise BadYaml(f"line {self.lines[self.at][0]}: a tab")
                return line
            self.at += 1
        return None


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _bare(text: str) -> str:
    return re.sub(r"\s+#.*$", "", text).strip()


def _scalar(text: str) -> Any:
    if text.startswith("["):
        parts = re.findall(r"""'[^']*'|"[^"]*"|[^,\[\]]+""", text[1:-1])
        return [_scalar(part.strip()) for part in parts if part.strip()]
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch(r"\d+", text) else text

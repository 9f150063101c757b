"""What may be said with one touch, and what is better not said at all."""

from __future__ import annotations

import re
from pathlib import Path

from server.settings import BadSetting

# What a client shows as one touch, in any language. Any other word is an emote too: clients bring signs of their own.
PHRASES = {
    "hello": "Hello!",
    "good_luck": "Good luck!",
    "well_played": "Well played!",
    "thanks": "Thanks!",
    "oops": "Oops!",
    "sorry": "Sorry!",
    "thinking": "Let me think …",
    "hurry": "Take your time, but not all of it.",
    "wow": "Wow!",
    "good_game": "Good game!",
    "goodbye": "Goodbye!",
}


EMOTE = re.compile(r"[a-z][a-z0-9_]{0,31}")


class Words:
    """Words that are not said here. A line of the list is a word, or the beginning of one with a star behind it."""

    def __init__(self, path: str = "") -> None:
        words = _read(Path(path)) if path else []
        parts = [re.escape(word.rstrip("*")) + (r"\w*" if word.endswith("*") else "") for word in words]
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)", re.IGNORECASE) if parts else None

    def clean(self, text: str) -> str:
        """The text with stars in place of such words."""
        return self._pattern.sub(lambda found: "*" * len(found[0]), text) if self._pattern else text

    def bad(self, text: str) -> bool:
        """Whether there is such a word in it, also where a name runs words together."""
        if self._pattern is None:
            return False
        apart = re.sub(r"[\W_\d]+|(?<=[a-zß-ÿ])(?=[A-Z])", " ", text)
        return bool(self._pattern.search(text) or self._pattern.search(apart))


def _read(path: Path) -> list[str]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise BadSetting(f"--words: {path} cannot be read: {why}.") from None
    return [word for word in (line.partition("#")[0].strip() for line in lines) if word.rstrip("*")]

"""Names for files and folders from serials, which may have any sign in them."""

from __future__ import annotations

import hashlib
import re

_LONGEST = 60
# What Windows takes for something else, whatever follows behind a dot.
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def file_name(text: str) -> str:
    """A name that is valid on all systems, and another one for every text.

    A text that is such a name already stays as it is: "10.0.0.2:5555" does not, for its colon.
    """
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", text)[:_LONGEST].strip(".") or "_"
    if plain == text and not text.startswith("-") and not _RESERVED.fullmatch(text):
        return text
    return f"_{plain.lstrip('-')}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"

"""How objects with large arrays are shown."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return str(value.shape)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown(v)}" for key, v in value.items()) + "}"
    return repr(value)


class Shapes:
    """A dataclass that shows the shapes of its arrays, not their numbers."""

    def __repr__(self) -> str:
        parts = (f"{f.name} {_shown(getattr(self, f.name))}" for f in fields(self))  # type: ignore
        return f"<{type(self).__name__}: {', '.join(parts)}>"

"""Settings in the language of problem files."""

from __future__ import annotations

from typing import Any, Mapping, Sequence, Union

import numpy as np

Sets = Union[None, Mapping[str, Any], Sequence[str]]


class Raw(str):
    """A value that is written as it is."""


def value_text(value: Any) -> str:
    """A value of Python as a problem file writes it: True, 3, "text", [1, 2], a dict, a list of
    dicts. A text that begins with ( { or [ is taken as it is; None unsets a key."""
    if value is None:
        return "unset"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, float, np.integer, np.floating)):
        return repr(value.item() if isinstance(value, np.generic) else value)
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, str):
        if value[:1] in ("(", "{", "[", '"'):
            return value
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, Mapping):
        return "{ " + " ".join(f"{key} = {value_text(v)};" for key, v in value.items()) + " }"
    return list_text(list(value))


def list_text(values: list[Any]) -> str:
    """Numbers stand in an array; groups, lists and texts of several kinds in a list."""
    plain = all(isinstance(v, (bool, int, float, np.number)) for v in values)
    whole = plain and all(isinstance(v, (int, np.integer)) for v in values)
    texts = [value_text(float(v) if plain and not whole else v) for v in values]
    return ("[" if plain else "( ") + ", ".join(texts) + ("]" if plain else " )")


def set_texts(sets: Sets) -> list[str]:
    """Settings as of --set: a dict {"simulation.steps": 100}, or texts "path=value", or one."""
    if sets is None:
        return []
    if isinstance(sets, str):
        return [sets]
    if isinstance(sets, Mapping):
        return [f"{path}={value_text(value)}" for path, value in sets.items()]
    return [str(text) for text in sets]


def optimizer_texts(settings: Mapping[str, Any], prefix: str = "optimizer.") -> list[str]:
    return [f"{prefix}{key}={value_text(value)}" for key, value in settings.items()]

#!/usr/bin/env python3
"""Makes docs/python.md: what stands in guide.md, with the docstrings of the package after it.

The sources are read, not imported, so that it needs nothing but Python.
    make_page.py            to stdout
    make_page.py --write    into docs/python.md"""

import ast
import inspect
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.join(HERE, "..", "cqopt")
# module: what of it the page has, in this order
PARTS = [
    ("cqopt", [("problem", ["load", "parse", "builtins", "Problem", "Evaluation", "Variable",
                            "Block", "Function"]),
               ("solve", ["minimise", "Solution", "Record"]), ("terms", ["Term"]),
               ("run", ["Run", "Quantity", "Control"]),
               ("read_run", ["read_run", "RunFolder", "Trajectory"]), ("evals", ["Evaluations"]),
               ("motion", ["Motion", "Take"])]),
    ("Exceptions", [("errors", ["CqoptError", "UsageError", "ConfigError", "FileError",
                                "SimulationError", "OutOfMemory", "Interrupted"])]),
    ("cqopt.torch", [("torch", ["evaluate", "Simulation", "Rollout"])]),
    ("cqopt.gym", [("gym", ["Env", "VectorEnv", "env_id"])]),
]


def document(node):
    text = ast.get_docstring(node)
    return inspect.cleandoc(text) if text else ""


def arguments(node):
    """(x=None, gradient=False), without types and self."""
    for a in [*node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]:
        if a is not None:
            a.annotation = None
    text = ast.unparse(node.args)
    return "(" + text.removeprefix("self, ").removeprefix("self") + ")"


def is_property(node):
    return any(getattr(d, "id", "") in ("property", "cached_property") for d in node.decorator_list)


def members(node):
    """Methods and properties that have a docstring and no underscore."""
    for child in node.body:
        if isinstance(child, ast.FunctionDef) and not child.name.startswith("_"):
            is_setter = any(isinstance(d, ast.Attribute) for d in child.decorator_list)
            if document(child) and not is_setter:
                call = "" if is_property(child) else arguments(child)
                yield f"- `{child.name}{call}`: " + " ".join(document(child).split())


def entry(node):
    call = arguments(node) if isinstance(node, ast.FunctionDef) else ""
    for child in node.body if isinstance(node, ast.ClassDef) else []:
        if isinstance(child, ast.FunctionDef) and child.name == "__init__" and node.name in (
                "Simulation", "Rollout", "Env", "VectorEnv"):
            call = arguments(child)
    lines = [f"### {node.name}{call and ' '}".rstrip(), ""]
    if call:
        lines += [f"`{node.name}{call}`", ""]
    if document(node):
        lines += [document(node), ""]
    found = list(members(node)) if isinstance(node, ast.ClassDef) else []
    return lines + found + ([""] if found else [])


def page():
    with open(os.path.join(HERE, "guide.md"), encoding="utf-8") as file:
        lines = file.read().rstrip().splitlines() + [""]
    for title, modules in PARTS:
        lines += [f"## {title}", ""]
        for module, names in modules:
            with open(os.path.join(PACKAGE, f"{module}.py"), encoding="utf-8") as file:
                tree = ast.parse(file.read())
            nodes = {n.name: n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
            if title not in ("cqopt", "Exceptions"):
                lines += [document(tree), ""]
            for name in names:
                lines += entry(nodes[name])
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        place = os.path.join(HERE, "..", "..", "docs", "python.md")
        with open(place, "w", encoding="utf-8") as out:
            out.write(page())
    else:
        sys.stdout.write(page())

"""The declarations of _lib.py are those of the installed headers: structs by a program in C,
functions and statuses by their text."""

import ctypes as C
import os
import re
import shutil
import subprocess

import pytest

from cqopt import _lib

STRUCTS = {"cq_about_file": _lib.AboutFile, "cq_about_block": _lib.AboutBlock,
           "cq_about_variable": _lib.AboutVariable, "cq_about_function": _lib.AboutFunction,
           "cq_answer": _lib.Answer, "cq_about_control": _lib.AboutControl,
           "cq_about_array": _lib.AboutArray, "cq_outcome": _lib.Outcome,
           "cq_evaluation": _lib.EvaluationC, "cq_function_def": _lib.FunctionDef}


@pytest.fixture
def headers():
    folder = os.environ.get("CQOPT_HEADERS")
    if not folder:
        pytest.skip("CQOPT_HEADERS is not set")
    names = ("base", "file", "run", "solve", "optimizer", "version", "problem")
    return folder, "".join(open(f"{folder}/cqopt/{n}.h").read() for n in names)


def test_structs(headers, tmp_path):
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    lines = []
    for name, struct in STRUCTS.items():
        lines.append(f'printf("{name} %zu\\n", sizeof(struct {name}));')
        lines += [f'printf("{name}.{f} %zu\\n", offsetof(struct {name}, {f}));'
                  for f, *_ in struct._fields_]
    source = tmp_path / "layout.c"
    source.write_text('#include "cqopt/cqopt.h"\n#include <stdio.h>\nint main(void) {'
                      + "\n".join(lines) + "}\n")
    subprocess.run(["cc", f"-I{headers[0]}", str(source), "-o", str(tmp_path / "layout")],
                   check=True)
    said = subprocess.run([str(tmp_path / "layout")], capture_output=True, text=True).stdout
    for line in said.splitlines():
        name, number = line.split()
        struct, _, field = name.partition(".")
        ours = STRUCTS[struct]
        # a longer struct has new fields at its end: struct_size is for that
        got = getattr(ours, field).offset if field else C.sizeof(ours)
        assert got == int(number) or (not field and got < int(number)), name


def kind(argument):
    """'pointer', 'int', 'double', ... of a declaration in C, or of a type of ctypes."""
    if isinstance(argument, str):
        if "*" in argument or "[" in argument or re.search(r"\bcq_\w+_fn\b", argument):
            return "pointer"
        for word in ("double", "bool", "size_t", "uint64_t", "void"):
            if re.search(rf"\b{word}\b", argument):
                return word
        return "int"  # enums too
    if argument is None:
        return "void"
    plain = {C.c_double: "double", C.c_bool: "bool", C.c_size_t: "size_t", C.c_int: "int",
             C.c_uint: "int"}
    return plain.get(argument, "pointer")


def test_functions(headers):
    text = re.sub(r"/\*.*?\*/", "", headers[1], flags=re.S)
    declared = {name: (result, arguments) for result, name, arguments in
                re.findall(r"CQ_API\s+([\w\s]+?[\s*]+)(cq_\w+)\(([^;]*)\);", text)}
    for name, (result, arguments) in _lib.PROTOTYPES.items():
        assert name in declared, name
        theirs = declared[name][1].replace("\n", " ")
        listed = [] if theirs.strip() == "void" else [kind(a) for a in theirs.split(",")]
        ours = ["uint64_t" if a is _lib.u64 and listed[i] == "uint64_t" else kind(a)
                for i, a in enumerate(arguments)]
        assert ours == listed, name
        assert kind(result) == kind(declared[name][0]), name


def test_statuses(headers):
    names = re.findall(r"^  X\((\w+), \d+,", headers[1], flags=re.M)
    assert tuple(names) == _lib.STATUSES
    abi = re.search(r"#define CQ_ABI (\d+)", headers[1]).group(1)
    assert int(abi) == _lib.ABI
    for code, word in enumerate(_lib.GRADIENTS):
        assert _lib.decoded(_lib.lib.cq_gradient_kind_name(code)) == word

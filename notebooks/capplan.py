"""Asks capplan from Python: one call is one command, its JSON the answer.

    ask("size", load=120, max_blocking="1%")["servers"]

Needs the standard library; draw() needs matplotlib. The program is $CAPPLAN,
else `capplan` on the PATH, else it is built from this repository with Go.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

_ROOT = pathlib.Path(__file__).resolve().parent.parent
_program = None


class Infeasible(Exception):
    """The question is well put and has no answer; says what binds."""


def program():
    """The path of the program, which is built once where there is none."""
    global _program
    if _program is None:
        _program = os.environ.get("CAPPLAN") or shutil.which("capplan")
    if _program is None:
        _program = os.path.join(tempfile.mkdtemp(prefix="capplan-"), "capplan")
        subprocess.run(["go", "build", "-o", _program, "./cmd/capplan"], cwd=_ROOT, check=True)
    return _program


def ask(*command, **flags):
    """The answer to a command as a dict.

    A flag max_wait="20s" is given as --max-wait 20s; True gives the flag alone,
    a list repeats it. Raises Infeasible for exit code 3 and ValueError, with
    the program's own message, for anything else that is not an answer.
    """
    line = [program(), *map(str, command), "--format", "json"]
    for name, value in flags.items():
        for one in value if isinstance(value, list) else [value]:
            line.append("--" + name.replace("_", "-"))
            if one is not True:
                line.append(str(one))
    done = subprocess.run(line, capture_output=True, text=True, cwd=_ROOT)
    if done.returncode == 3 and not done.stdout:
        raise Infeasible(done.stderr.strip())
    if done.returncode not in (0, 3):
        raise ValueError(done.stderr.strip())
    return json.loads(done.stdout)


def draw():
    """matplotlib's pyplot, set so that the same figures give the same bytes."""
    import matplotlib
    import matplotlib.pyplot as plt
    from matplotlib_inline.backend_inline import set_matplotlib_formats

    set_matplotlib_formats("svg", metadata={"Date": None, "Creator": None})
    matplotlib.rcParams.update({
        "svg.hashsalt": "capplan",
        "svg.fonttype": "none",
        "figure.figsize": (8, 4),
        "figure.constrained_layout.use": True,
        "axes.grid": True,
        "grid.alpha": 0.3,
        "axes.spines.top": False,
        "axes.spines.right": False,
    })
    return plt

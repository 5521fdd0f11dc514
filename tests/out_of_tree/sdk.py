# SPDX-License-Identifier: Apache-2.0
"""The tools of plugin authors: the installed headers, pkg-config, a compiler, and a host to try
a plugin with.

The programs beside this one are called as: TEST.py ROOT BUILD WORK DRIVERS SKILLHOST MESON...
BUILD is the configured build folder to install from, WORK is emptied, DRIVERS is the folder
of drive_source and drive_auth, and SKILLHOST is the program that finally serves the plugins."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

ROOT, BUILD, WORK, DRIVERS = (pathlib.Path(one).resolve() for one in sys.argv[1:5])
SKILLHOST, MESON = str(pathlib.Path(sys.argv[5]).resolve()), sys.argv[6:]
PREFIX = WORK / "prefix"
ENTRY = ["skh_plugin_entry_v1"]


def run(*command, **options):
    """Returns the output of a command. On failure, raises with everything that it printed."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\nended with {done.returncode}\n"
                             f"{done.stdout}{done.stderr}")
    return done.stdout


def stage():
    """Installs the files for plugin authors below WORK, and moves them to PREFIX."""
    shutil.rmtree(WORK, ignore_errors=True)
    destination = WORK / "destination"
    run(*MESON, "install", "-C", BUILD, "--no-rebuild", "--tags", "devel",
        "--destdir", destination)
    configurations = list(destination.rglob("skillhost-plugin.pc"))
    assert len(configurations) == 1, f"pkg-config files: {configurations}"
    text = configurations[0].read_text()
    prefix = next(line for line in text.splitlines() if line.startswith("prefix="))[7:]
    shutil.move(destination / prefix.lstrip("/"), PREFIX)


def environment():
    """Returns an environment in which pkg-config finds the staged file with the staged prefix."""
    folder = next(PREFIX.rglob("skillhost-plugin.pc")).parent
    return {**os.environ, "PKG_CONFIG_PATH": str(folder),
            "PKG_CONFIG": f"pkg-config --define-variable=prefix={PREFIX}"}


def installed(name):
    found = list(PREFIX.rglob(name))
    assert len(found) == 1, f"installed {found}"
    return found[0]


def build(example, *options):
    """Returns the installed plugin of the Meson project examples/`example`."""
    build_folder = WORK / example
    run(*MESON, "setup", build_folder, ROOT / "examples" / example, *options, env=environment())
    run(*MESON, "install", "-C", build_folder, env=environment())
    built = list(build_folder.glob("*.so"))
    assert len(built) == 1, f"{example} built {built}"
    return installed(built[0].name)


def exported(library):
    """Returns the symbols that a library exports: only ENTRY if all is well."""
    lines = run("nm", "-D", "--defined-only", library).splitlines()
    return [line.split()[-1] for line in lines]


def drive_source(plugin, configuration=None, *files):
    """Returns the driver's output. Fails if the plugin breaks a rule."""
    output = run(DRIVERS / "drive_source", plugin, json.dumps(configuration or {}), *files)
    print(output)
    return output


def served(output):
    return [line.split(":")[0] for line in output.splitlines() if ", revision " in line]


def differences(output):
    return [line for line in output.splitlines() if line.startswith(("removed ", "changed "))]


def skills_of(plugin, configuration):
    """Returns the names that skillhost serves if `plugin` is its only source."""
    file = WORK / "skillhost.json"
    source = {"name": "example", "plugin": str(plugin), "config": configuration}
    file.write_text(json.dumps({"project_root": "", "sources": [source]}))
    listed = json.loads(run(SKILLHOST, "skill", "list", "--json", "--config", file))
    return sorted(skill["name"] for skill in listed["skills"])


def has_command(name):
    """Returns whether skillhost has the command: `check` and `try` are newer than the first
    plugins."""
    return any(line.split()[:1] == [name] for line in run(SKILLHOST, "--help").splitlines())


def check(plugin, configuration):
    """Fails unless `skillhost check` finds no fault and no warning."""
    file = WORK / "check.json"
    file.write_text(json.dumps(configuration))
    report = json.loads(run(SKILLHOST, "check", "--json", plugin, "--config", file))
    wrong = [one for one in report["checks"] if one["verdict"] not in ("ok", "skipped")]
    assert report["checks"] and not wrong, wrong
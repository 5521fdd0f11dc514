#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the example plugins as their authors would: installs the headers somewhere, lets a second
Meson find them through pkg-config, and drives what comes out.

usage: build_examples.py ROOT BUILD WORK DRIVER SKILLHOST MESON...

BUILD is the configured build folder to install from, WORK is emptied, DRIVER is drive_source,
SKILLHOST the program that serves the plugins in the end."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

ROOT, BUILD, WORK = (pathlib.Path(one).resolve() for one in sys.argv[1:4])
DRIVER, SKILLHOST, MESON = sys.argv[4], sys.argv[5], sys.argv[6:]
PREFIX = WORK / "prefix"


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\nended with {done.returncode}\n"
                             f"{done.stdout}{done.stderr}")
    return done.stdout


def stage():
    """Installs what plugin authors get, below WORK, and moves it to PREFIX."""
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
    """pkg-config finds the staged file and believes the staged prefix."""
    folder = next(PREFIX.rglob("skillhost-plugin.pc")).parent
    return {**os.environ, "PKG_CONFIG_PATH": str(folder),
            "PKG_CONFIG": f"pkg-config --define-variable=prefix={PREFIX}"}


def build(example, *options):
    """The installed plugin of the project examples/`example`."""
    build_folder = WORK / example
    run(*MESON, "setup", build_folder, ROOT / "examples" / example, *options, env=environment())
    run(*MESON, "install", "-C", build_folder, env=environment())
    built = list(build_folder.glob("*.so"))
    assert len(built) == 1, f"{example} built {built}"
    installed = list(PREFIX.rglob(built[0].name))
    assert len(installed) == 1, f"{example} installed {installed}"
    return installed[0]


def exported(library):
    lines = run("nm", "-D", "--defined-only", library).splitlines()
    return [line.split()[-1] for line in lines]


def served(output):
    return [line.split(":")[0] for line in output.splitlines() if ", revision " in line]


def skills_of(plugin, configuration):
    """The names that skillhost serves when `plugin` is its only source."""
    file = WORK / "skillhost.json"
    source = {"name": "example", "plugin": str(plugin), "config": configuration}
    file.write_text(json.dumps({"project_root": "", "sources": [source]}))
    listed = json.loads(run(SKILLHOST, "skill", "list", "--json", "--config", file))
    return sorted(skill["name"] for skill in listed["skills"])


def check(plugin, configuration=None):
    """`skillhost check` finds nothing wrong with it, down to a warning."""
    options = []
    if configuration is not None:
        file = WORK / "configuration.json"
        file.write_text(json.dumps(configuration))
        options = ["--config", file]
    report = json.loads(run(SKILLHOST, "check", "--json", *options, plugin))
    wrong = [one for one in report["checks"] if one["verdict"] not in ("ok", "skipped")]
    skipped = [one["check"] for one in report["checks"] if one["verdict"] == "skipped"]
    assert not wrong and skipped == ["search", "auth"], report


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stage()

    def test_what_is_installed(self):
        for name in ("include/skillhost/plugin.h", "include/skillhost/plugin.hpp",
                     "include/skillhost/config.hpp", "share/skillhost/plugin.map"):
            self.assertTrue((PREFIX / name).is_file(), f"{name} is not installed")

    def test_pkg_config(self):
        flags = run("pkg-config", f"--define-variable=prefix={PREFIX}", "--cflags", "--libs",
                    "skillhost-plugin", env=environment()).split()
        self.assertIn(f"-Wl,--version-script={PREFIX}/share/skillhost/plugin.map", flags)
        self.assertIn("-fvisibility=hidden", flags)
        for name, expected in (("abi_major", "1"), ("plugindir", str(PREFIX))):
            value = run("pkg-config", f"--define-variable=prefix={PREFIX}", f"--variable={name}",
                        "skillhost-plugin", env=environment())
            self.assertTrue(value.startswith(expected), f"{name} is {value}")

    def test_c(self):
        plugin = build("source-plugin-c")
        self.assertEqual(["skh_plugin_entry_v1"], exported(plugin))
        output = run(DRIVER, plugin)
        print(output)
        self.assertEqual(["commit-message/SKILL.md", "commit-message/references/first-lines.md",
                          "shell-quoting/SKILL.md"], served(output))
        self.assertEqual(["commit-message", "shell-quoting"], skills_of(plugin, {}))
        check(plugin)

    def test_cpp(self):
        plugin = build("source-plugin-cpp")
        self.assertEqual(["skh_plugin_entry_v1"], exported(plugin))
        bundle, other = WORK / "bundle.json", WORK / "other.json"
        content = json.loads((ROOT / "examples/source-plugin-cpp/bundle.json").read_text())
        content["skills"]["../escaped"] = {"SKILL.md": "left out, and nothing else with it"}
        bundle.write_text(json.dumps(content))
        expected = sorted(f"{skill}/{path}" for skill, files in content["skills"].items()
                          for path in files if not skill.startswith(".."))
        content["skills"]["sql-review"]["SKILL.md"] += "4. Is it in the changelog?\n"
        content["skills"]["sql-review"]["references/locks.md"] = "new\n"
        del content["skills"]["api-error-messages"]["references/examples.md"]
        other.write_text(json.dumps(content))
        output = run(DRIVER, plugin, json.dumps({"file": str(bundle)}), bundle, other)
        print(output)
        self.assertEqual(expected, sorted(served(output)))
        self.assertEqual(["removed api-error-messages/references/examples.md",
                          "changed sql-review/SKILL.md", "changed sql-review/references/locks.md"],
                         [line for line in output.splitlines()
                          if line.startswith(("removed ", "changed "))])
        self.assertEqual(["api-error-messages", "sql-review"],
                         skills_of(plugin, {"file": str(bundle)}))
        check(plugin, {"file": str(bundle)})

    def test_c_with_clang(self):
        clang = next((name for name in ("clang", "clang-19") if shutil.which(name)), None)
        if clang is None:
            self.skipTest("there is no clang")
        shutil.rmtree(WORK / "clang", ignore_errors=True)
        run(*MESON, "setup", WORK / "clang", ROOT / "examples/source-plugin-c",
            env={**environment(), "CC": clang})
        run(*MESON, "compile", "-C", WORK / "clang")
        plugin = next((WORK / "clang").glob("*.so"))
        self.assertEqual(["skh_plugin_entry_v1"], exported(plugin))
        run(DRIVER, plugin)

    def test_the_installed_program_finds_the_installed_plugins(self):
        destination = WORK / "whole"
        run(*MESON, "install", "-C", BUILD, "--no-rebuild", "--destdir", destination)
        program = next(destination.rglob("bin/skillhost"))
        listed = json.loads(run(program, "plugins", "--json", "--no-config",
                                "--skills-dir", ROOT / "examples/skills"))
        self.assertEqual({"org.skillhost.filesystem": "loaded", "org.skillhost.keyword": "loaded"},
                         {plugin["id"]: plugin["state"] for plugin in listed})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

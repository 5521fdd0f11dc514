#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the example plugins as their authors would: installs the headers, lets a second Meson find them through
pkg-config, and drives the built plugins."""
import json
import os
import pathlib
import re
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "integration"))
from checks import until  # noqa: E402
from http_server import Running, legacy  # noqa: E402
from sdk import (BUILD, ENTRY, MESON, PREFIX, ROOT, SKILLHOST, WORK, build, check, differences,
                 drive_source, environment, exported, run, served, skills_of, stage)


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stage()

    def test_what_is_installed(self):
        for name in (
            "include/skillhost/plugin.h",
            "include/skillhost/plugin.hpp",
            "include/skillhost/caller.h",
            "include/skillhost/config.hpp",
            "include/skillhost/explain.h",
            "include/skillhost/explain.hpp",
            "include/skillhost/facts.h",
            "include/skillhost/facts.hpp",
            "include/skillhost/health.h",
            "include/skillhost/held.h",
            "include/skillhost/held.hpp",
            "include/skillhost/http.h",
            "include/skillhost/http.hpp",
            "include/skillhost/observer.h",
            "include/skillhost/observer.hpp",
            "include/skillhost/pin.h",
            "include/skillhost/state.h",
            "include/skillhost/state.hpp",
            "include/skillhost/tools.h",
            "include/skillhost/tools.hpp",
            "include/skillhost/upstream.h",
            "include/skillhost/upstream.hpp",
            "share/skillhost/plugin.map",
        ):
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
        self.assertEqual(ENTRY, exported(plugin))
        output = drive_source(plugin)
        self.assertEqual(["commit-message/SKILL.md", "commit-message/references/first-lines.md",
                          "shell-quoting/SKILL.md"], served(output))
        self.assertEqual(["commit-message", "shell-quoting"], skills_of(plugin, {}))
        check(plugin, {})

    def test_tools(self):
        plugin = build("tools-plugin")
        self.assertEqual(ENTRY, exported(plugin))
        check(plugin, {})
        file = WORK / "tools.json"
        file.write_text(json.dumps({"search": {"plugin": "none"}, "tools": [{"name": "calendar", "plugin": str(plugin), "isolation": "thread"}]}))
        server = Running(SKILLHOST, str(ROOT / "examples/skills"), "--config", str(file))

        def after(start, count):
            answer = server.post(legacy("tools/call", name="add_working_days", arguments={"from": start, "days": count}))[1]
            return answer["result"]["structuredContent"]["date"]
        # 2026-11-27 is a Friday.
        for start, count, end in (("2026-11-27", 0, "2026-11-27"), ("2026-11-27", 1, "2026-11-30"), ("2026-11-27", 5, "2026-12-04"),
                                  ("2026-11-28", 0, "2026-11-30"), ("2026-11-28", 4, "2026-12-03"), ("2026-11-28", 5, "2026-12-04"),
                                  ("2026-11-29", 10, "2026-12-11"), ("2026-12-01", 4, "2026-12-07")):
            self.assertEqual(end, after(start, count), (start, count))
        self.assertEqual(0, server.end())

    def test_http(self):
        plugin = build("http-plugin")
        self.assertEqual(ENTRY, exported(plugin))
        check(plugin, {})
        os.environ["XDG_CACHE_HOME"] = str(WORK / "cache")
        for isolation in ("thread", "process"):
            file = WORK / "handlers.json"
            file.write_text(json.dumps({"search": {"plugin": "none"}, "http_handlers": [
                {"name": "notices", "plugin": str(plugin), "isolation": isolation, "config": {"most": 2}}]}))
            server = Running(SKILLHOST, str(ROOT / "examples/skills"), "--config", str(file))
            until(lambda: server.ask("GET", "/notices")[0].status == 200, "it is served")
            for text, status in ((b"one", 201), (b"two\nlines", 201), (b"three", 201), (b"", 400), (b"x" * 1001, 413)):
                self.assertEqual(status, server.ask("POST", "/notices", text)[0].status, text[:20])
            self.assertEqual("somebody: three\nsomebody: two lines\n", server.ask("GET", "/notices")[1])
            self.assertIn("POST /notices", server.ask("GET", "/notices/help")[1])
            self.assertEqual(404, server.ask("GET", "/notices/")[0].status)
            self.assertEqual(0, server.end())

    def test_filter(self):
        plugin = build("filter-plugin")
        self.assertEqual(ENTRY, exported(plugin))
        check(plugin, {})
        check(plugin, {"keep": ["example.com"], "replacement": ""})
        skills = WORK / "addresses"
        (skills / "ask").mkdir(parents=True)
        (skills / "ask/SKILL.md").write_text("---\nname: ask\ndescription: Whom to ask, such as bob@example.com.\n---\n"
                                             "Ask ada.l+x@mail.example.com, or eve@example.org. Not an address: @ada, a@b, 1 @ 2.\n")
        (skills / "ask/picture.png").write_bytes(b"\x00ada@example.com\xff")
        os.environ["XDG_CACHE_HOME"] = str(WORK / "cache")
        for isolation in ("thread", "process"):
            file = WORK / "filters.json"
            file.write_text(json.dumps({"search": {"plugin": "none"}, "sources": [
                {"name": "team", "config": {"directories": [str(skills)]}, "filters": [
                    {"name": "redact", "plugin": str(plugin), "isolation": isolation, "config": {"keep": ["example.org"]}}]}]}))
            server = Running(SKILLHOST, str(ROOT / "examples/skills"), "--config", str(file))
            text = str(server.post(legacy("tools/call", name="load_skill", arguments={"skill_name": "ask"}))[1])
            self.assertIn("Ask [e-mail address], or eve@example.org. Not an address: @ada, a@b, 1 @ 2.", text)
            listed = str(server.post(legacy("tools/call", name="list_skills", arguments={}))[1])
            self.assertIn("such as [e-mail address].", listed)
            self.assertNotIn("example.com", text + listed)
            self.assertEqual(0, server.end())

    def test_observer(self):
        plugin = build("observer-plugin")
        self.assertEqual(ENTRY, exported(plugin))
        check(plugin, {})
        os.environ["XDG_CACHE_HOME"] = str(WORK / "cache")
        for isolation in ("thread", "process"):
            journal = WORK / f"{isolation}.jsonl"
            config = {"file": str(journal)} if isolation == "thread" else {}
            file = WORK / "observers.json"
            file.write_text(json.dumps({"search": {"plugin": "none"}, "observers": [
                {"name": "journal", "plugin": str(plugin), "isolation": isolation, "config": config}]}))
            server = Running(SKILLHOST, str(ROOT / "examples/skills"), "--config", str(file))
            for name in ("release-notes", "no-such-skill"):
                server.post(legacy("tools/call", name="load_skill", arguments={"skill_name": name}))
            self.assertEqual(0, server.end())
            log = "".join(server.log)
            written = pathlib.Path(re.search(r"\[journal\] writes to (.*)", log)[1])
            self.assertEqual(isolation == "thread", written == journal)
            lines = [json.loads(line) for line in written.read_text().splitlines()]
            # The end of a call is reported after its answer, and perhaps after the end of the next one.
            self.assertEqual([("no-such-skill", False), ("release-notes", True)],
                             sorted((one.get("skill", one.get("text")), one["outcome"] == "ok")
                                    for one in lines if one["event"] == "use"), lines)
            self.assertEqual(["started", "stopped"], [one["kind"] for one in lines if one["event"] == "audit"], lines)
            self.assertIn("catalogue", {one["event"] for one in lines})
            self.assertNotIn("lost", {one["event"] for one in lines})

    def test_search(self):
        plugin = build("search-plugin")
        self.assertEqual(ENTRY, exported(plugin))
        run(*MESON, "test", "-C", WORK / "search-plugin", env=environment())
        check(plugin, {})
        check(plugin, {"least": 0.1})

        def found(*words, **config):
            options = ["--no-config", "--skills-dir", ROOT / "examples/skills", "--set", f"search.plugin={plugin}",
                       "--set", "search.config=" + json.dumps(config)]
            listed = json.loads(run(SKILLHOST, "search", "--json", *words, *options))
            return [one["name"] for one in listed]
        self.assertEqual("release-notes", found("writ relaese nots")[0])
        self.assertEqual([], found("writ relaese nots", least=0.99))

    def test_cpp(self):
        plugin = build("source-plugin-cpp")
        self.assertEqual(ENTRY, exported(plugin))
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
        output = drive_source(plugin, {"file": str(bundle)}, bundle, other)
        self.assertEqual(expected, sorted(served(output)))
        self.assertEqual(["removed api-error-messages/references/examples.md",
                          "changed sql-review/SKILL.md", "changed sql-review/references/locks.md"],
                         differences(output))
        self.assertEqual(["api-error-messages", "sql-review"],
                         skills_of(plugin, {"file": str(bundle)}))
        check(plugin, {"file": str(bundle)})
        self.follows(plugin, content)

    def follows(self, plugin, content):
        """Fails unless a server notices by itself that the file of the plugin was replaced."""
        folder = WORK / "followed"
        folder.mkdir(exist_ok=True)
        bundle, next_one, file = folder / "bundle.json", folder / "next.json", folder / "skillhost.json"
        os.environ["XDG_CACHE_HOME"] = str(WORK / "cache")
        for isolation in ("thread", "process"):
            bundle.write_text(json.dumps(content))
            file.write_text(json.dumps({"search": {"plugin": "none"}, "sources": [
                {"name": "team", "plugin": str(plugin), "isolation": isolation, "allow_read": [str(folder)], "config": {"file": str(bundle)}}]}))
            server = Running(SKILLHOST, str(ROOT / "examples/skills"), "--config", str(file))

            def loads(name):
                return str(server.post(legacy("tools/call", name="load_skill", arguments={"skill_name": name}))[1])
            until(lambda: "Reviewing a migration" in loads("sql-review"), f"{isolation}: the first file is served")
            skills = {**content["skills"], "added": {"SKILL.md": "---\nname: added\ndescription: Was added.\n---\nLater text.\n"}}
            next_one.write_text(json.dumps({"skills": skills}))
            next_one.replace(bundle)
            until(lambda: "Later text." in loads("added"), f"{isolation}: the next file is served: {''.join(server.log)[-2000:]}")
            self.assertEqual(0, server.end())

    def test_c_with_clang(self):
        clang = next((name for name in ("clang", "clang-19") if shutil.which(name)), None)
        if clang is None:
            self.skipTest("there is no clang")
        shutil.rmtree(WORK / "clang", ignore_errors=True)
        run(*MESON, "setup", WORK / "clang", ROOT / "examples/source-plugin-c",
            env={**environment(), "CC": clang})
        run(*MESON, "compile", "-C", WORK / "clang")
        plugin = next((WORK / "clang").glob("*.so"))
        self.assertEqual(ENTRY, exported(plugin))
        drive_source(plugin)

    def test_the_installed_program_finds_the_installed_plugins(self):
        destination = WORK / "whole"
        run(*MESON, "install", "-C", BUILD, "--no-rebuild", "--destdir", destination)
        program = next(destination.rglob("bin/skillhost"))
        self.assertIn("Get and check the language model", run(program, "model", "--help"))
        listed = json.loads(run(program, "plugins", "--json", "--no-config",
                                "--skills-dir", ROOT / "examples/skills"))
        self.assertEqual({"org.skillhost.filesystem": "loaded", "org.skillhost.hybrid": "loaded",
                          **{f"org.skillhost.{name}": "unconfigured" for name in ("github", "keyword", "mcp", "oci", "well_known", "store", "static", "oauth", "jwt",
                                                                                          *(("valkey",) if (BUILD / "plugins/state/valkey/valkey.so").is_file() else ()))}},
                         {plugin["id"]: plugin["state"] for plugin in listed})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the layering check on small trees made for it."""
import pathlib
import sys
import tempfile
import unittest

import layering


class Layering(unittest.TestCase):
    def violations(self, files):
        with tempfile.TemporaryDirectory() as folder:
            host = pathlib.Path(folder)
            for name, text in files.items():
                path = host / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return list(layering.violations(host))

    def test_downwards_is_allowed(self):
        self.assertEqual([], self.violations({
            "main.cpp": '#include "app/run.hpp"\n',
            "app/run.cpp": '#include "app/run.hpp"\n#include "net/stdio.hpp"\n',
            "mcp/tools.cpp": '#include "runtime/call.hpp"\n#include "ground/json.hpp"\n',
            "plugin/load.cpp": '#include <skillhost/plugin.h>\n#include "plugin_calls/library.hpp"\n',
            "net/stdio.cpp": '#include "base/log.hpp"\n#include "line.hpp"\n'}))

    def test_upwards_is_not(self):
        found = self.violations({"base/include/base/x.hpp": '#include "skills/skill.hpp"\n'})
        self.assertEqual(1, len(found))
        self.assertIn("base may not use skills", found[0])

    def test_a_library_knows_libraries_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            host, libraries = pathlib.Path(folder) / "host", pathlib.Path(folder) / "subprojects"
            (libraries / "net/http").mkdir(parents=True)
            (libraries / "net/http/a.cpp").write_text('#include "base/log.hpp"\n#include <boost/asio.hpp>\n')
            self.assertEqual([], list(layering.violations(host, libraries)))
            (libraries / "net/http/a.cpp").write_text('  # include "mcp/call.hpp"\n')
            self.assertEqual(1, len(list(layering.violations(host, libraries))))

    def test_what_features_bring_along_is_not_for_the_host(self):
        for header in ("skillcheck/inspect_text.hpp", "database/sqlite.hpp", "http_client/exchange.hpp"):
            with self.subTest(header):
                self.assertEqual(1, len(self.violations({"app/x.cpp": f'#include "{header}"\n'})))

    def test_climbing_out(self):
        self.assertEqual(1, len(self.violations({"base/x.cpp": '#include "../skills/y.hpp"\n'})))

    def test_unknown_folder(self):
        self.assertEqual(1, len(self.violations({"misc/x.cpp": "\n"})))

    def test_foreign_library_in_the_wrong_folder(self):
        for header in ("skillhost/plugin.h", "yaml-cpp/yaml.h", "CLI/CLI.hpp",
                       "openssl/evp.h", "boost/dll.hpp", "boost/beast.hpp"):
            with self.subTest(header):
                self.assertEqual(1, len(self.violations({"search/x.cpp": f"#include <{header}>\n"})))

    def test_the_checker_knows_base_and_the_ground_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            check = pathlib.Path(folder)
            (check / "a.cpp").write_text('#include "ground/json.hpp"\n#include <skillhost/plugin.h>\n')
            self.assertEqual([], list(layering.checker_violations(check)))
            (check / "b.cpp").write_text('#include "plugin/registry.hpp"\n')
            self.assertEqual(1, len(list(layering.checker_violations(check))))

    def test_a_program_knows_little_of_the_server(self):
        with tempfile.TemporaryDirectory() as folder:
            programs = pathlib.Path(folder)
            (programs / "a.cpp").write_text('#include "base/json.hpp"\n#include "commandline/parser.hpp"\n#include "archive/packed.hpp"\n')
            self.assertEqual([], list(layering.program_violations(programs)))
            (programs / "b.cpp").write_text('#include "app/run.hpp"\n#include "plugin/registry.hpp"\n')
            self.assertEqual(2, len(list(layering.program_violations(programs))))
            # Its meson.build says how much more of the server a program may use.
            for needs, violations in (("[base]", 2), ("[configuration]", 1), ("[app, base]", 0)):
                (programs / "c").mkdir(exist_ok=True)
                (programs / "c/meson.build").write_text(f"executable('skillhost-c', 'c.cpp', dependencies: {needs})\n")
                (programs / "c/c.cpp").write_text('#include "configuration/keys.hpp"\n#include "skills/library.hpp"\n')
                self.assertEqual(2 + violations, len(list(layering.program_violations(programs))), needs)

    def test_a_plugin_knows_nothing_of_the_host(self):
        with tempfile.TemporaryDirectory() as folder:
            plugins = pathlib.Path(folder)
            (plugins / "shared/http").mkdir(parents=True)
            (plugins / "shared/http/client.hpp").write_text("#pragma once\n")
            (plugins / "a.cpp").write_text('#include "ground/json.hpp"\n#include "http_client/exchange.hpp"\n#include "http/client.hpp"\n#include <skillhost/plugin.hpp>\n')
            self.assertEqual([], list(layering.plugin_violations(plugins)))
            (plugins / "b.cpp").write_text('#include "plugin/registry.hpp"\n#include "base/log.hpp"\n#include "http/http_routes.hpp"\n#include "database/sqlite.hpp"\n')
            self.assertEqual(4, len(list(layering.plugin_violations(plugins))))

    def test_a_feature_is_included_by_nobody_else(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in {"host/app/host.cpp": '#include "skills/library.hpp"\n', "plugins/filters/lock/meson.build": "",
                               "plugins/filters/lock/lock.cpp": '#include "lock/lock.hpp"\n', "plugins/observers/usage/meson.build": "",
                               "plugins/observers/usage/usage.cpp": '#include "usage/usage.hpp"\n'}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            self.assertEqual([], list(layering.other_feature_violations(root / "host", root / "plugins")))
            (root / "host/app/host.cpp").write_text('#include "lock/lock.hpp"\n')
            (root / "plugins/observers/usage/usage.cpp").write_text('#include "lock/lock.hpp"\n')
            self.assertEqual(2, len(list(layering.other_feature_violations(root / "host", root / "plugins"))))

    def test_a_feature_knows_the_server_and_its_adapter_the_configuration(self):
        with tempfile.TemporaryDirectory() as folder:
            plugins = pathlib.Path(folder)
            (plugins / "http/hooks").mkdir(parents=True)
            (plugins / "http/hooks/hooks.cpp").write_text('#include "hooks.hpp"\n#include "http/route_handler.hpp"\n#include "mcp/server.hpp"\n')
            (plugins / "http/hooks/feature.cpp").write_text('#include "app/http_feature.hpp"\n')
            (plugins / "observers/diary").mkdir(parents=True)
            (plugins / "observers/diary/diary.cpp").write_text('#include "diary.hpp"\n#include "plugin/observer.hpp"\n#include "database/sqlite.hpp"\n')
            (plugins / "observers/diary/configured.cpp").write_text('#include "app/configuration.hpp"\n#include "base/log.hpp"\n')
            self.assertEqual([], list(layering.feature_violations(plugins)))
            self.assertEqual([], list(layering.plugin_violations(plugins)))
            (plugins / "http/hooks/other.cpp").write_text('#include "app/configuration.hpp"\n#include "database/sqlite.hpp"\n')
            self.assertEqual(2, len(list(layering.feature_violations(plugins))))
            (plugins / "observers/diary/other.cpp").write_text('#include "app/configuration.hpp"\n#include "plugin/registry.hpp"\n')
            self.assertEqual(4, len(list(layering.feature_violations(plugins))))

    def test_the_ground_knows_nothing_of_ours(self):
        with tempfile.TemporaryDirectory() as folder:
            ground = pathlib.Path(folder)
            (ground / "a.cpp").write_text('#include "ground/json.hpp"\n#include <openssl/evp.h>\n#include <sys/stat.h>\n')
            self.assertEqual([], list(layering.ground_violations(ground)))
            (ground / "b.cpp").write_text('#include "base/log.hpp"\n#include <skillhost/plugin.h>\n')
            self.assertEqual(2, len(list(layering.ground_violations(ground))))

    def test_foreign_library_in_two_files(self):
        found = self.violations({"plugin_calls/a.cpp": "#include <boost/dll.hpp>\n",
                                 "plugin_calls/b.cpp": "#include <boost/dll/shared_library.hpp>\n"})
        self.assertEqual(1, len(found))
        self.assertIn("plugin_calls/a.cpp, plugin_calls/b.cpp", found[0])


if __name__ == "__main__":
    sys.exit(unittest.main())

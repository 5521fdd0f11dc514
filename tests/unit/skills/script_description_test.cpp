// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "skills/script_description.hpp"

#include <string>

using namespace skillhost;

namespace {

bool holds(const std::string &text, const std::string &part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("scripts are known by extension or first line") {
  for (const char *path : {"a.py", "x/a.sh", "a.bash", "a.js", "a.ts", "a.rb", "a.pl"})
    CHECK(isScript(path, ""));
  CHECK(isScript("scripts/run", "#!/bin/sh\n"));
  CHECK_FALSE(isScript("a.md", "text"));
  CHECK_FALSE(isScript("a.py/b", "text"));
}

TEST_CASE("a script is described by how to run it") {
  const std::string out =
      describeScript("scripts/run.py", "/s/pdf/scripts/run.py",
                     "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n\"\"\"Fills a form.\n\n"
                     "Usage: run.py IN OUT\n\"\"\"\nimport secret\n");
  CHECK(holds(out, "    python3 /s/pdf/scripts/run.py\n"));
  CHECK(holds(out, "> Fills a form."));
  CHECK(holds(out, "> Usage: run.py IN OUT"));
  CHECK_FALSE(holds(out, "import secret"));
}

TEST_CASE("the first line decides on the interpreter, then the extension") {
  CHECK(holds(describeScript("a.py", "/a.py", "#!/usr/bin/env -S uv run\n"), "    uv run /a.py\n"));
  CHECK(holds(describeScript("a", "/a", "#!/bin/bash -e\n"), "    bash -e /a\n"));
  CHECK(holds(describeScript("a.sh", "/a.sh", ""), "    bash /a.sh\n"));
  CHECK(holds(describeScript("a.ts", "/a.ts", ""), "    npx tsx /a.ts\n"));
  CHECK(holds(describeScript("a.rb", "/a b's.rb", ""), "    ruby '/a b'\\''s.rb'\n"));
  CHECK(holds(describeScript("a.py", "/a.py", "#!\n"), "    python3 /a.py\n"));
}

TEST_CASE("a script elsewhere is fetched first") {
  const std::string out = describeScript("scripts/run.py", "skill://s/pdf/scripts/run.py", "");
  CHECK(holds(out, "read the resource `skill://s/pdf/scripts/run.py`"));
  CHECK(holds(out, "    python3 run.py\n"));
}

TEST_CASE("first comments are found in every language") {
  CHECK(holds(describeScript("a.sh", "/a", "#!/bin/sh\n# One.\n#\n# Two.\nrm x\n"),
              "> One.\n> \n> Two.\n"));
  CHECK(holds(describeScript("a.js", "/a", "/**\n * One.\n * Two.\n */\nx()"), "> One.\n> Two.\n"));
  CHECK(holds(describeScript("a.ts", "/a", "// One.\n// Two.\nx()"), "> One.\n> Two.\n"));
  CHECK_FALSE(holds(describeScript("a.sh", "/a", "rm x\n# later\n"), "later"));
  CHECK(describeScript("a.py", "/a", "'''" + std::string(100'000, 'x')).size() < 5'000);
}

// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/shell.hpp"

using skillhost::shellQuoted;

TEST_CASE("a word of a shell is quoted where a shell would see more in it") {
  CHECK(shellQuoted("/opt/a-b_c.d@1:x=%,+") == "/opt/a-b_c.d@1:x=%,+");
  CHECK(shellQuoted("/caf\xC3\xA9") == "/caf\xC3\xA9");
  CHECK(shellQuoted("") == "''");
  CHECK(shellQuoted("a b") == "'a b'");
  CHECK(shellQuoted("it's $x") == "'it'\\''s $x'");
  for (const char *text : {"~", "a;b", "*", "a\nb", "\"", "`x`", "#"})
    CHECK(shellQuoted(text) == "'" + std::string(text) + "'");
}

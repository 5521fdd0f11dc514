// SPDX-License-Identifier: Apache-2.0
// Counts the work of reading programs, in bytes that are read or copied.
#include "catch2.hpp"
#include "command_reader.hpp"

#include <string>
#include <string_view>
#include <utility>

using namespace skillhost;

namespace {

std::string repeated(std::string_view piece, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += piece;
  return text;
}

// Returns the work for a program, and whether it sufficed.
std::pair<std::size_t, bool> workOf(const std::string &program, bool isCode) {
  CommandReader reader(program.size(), {[](const PlainCommand &) {}, [](const UnseenRun &) {}});
  const std::size_t before = reader.workLeft();
  if (isCode)
    reader.readCode(program, 0);
  else
    reader.readShell(program, 0);
  return {before - reader.workLeft(), !reader.isCutShort()};
}

} // namespace

TEST_CASE("usual programs need a small part of the work that their size allows") {
  for (const std::string_view piece :
       {"echo 'A line of a script.'\n", "ab=1\n",
        "name=value\nother=\"$name and more\"\nls \"$other\"\n",
        "if [ -f a ]; then cp a b; else rm -f b; fi\n",
        "a=(b c d)\nfor i in \"${a[@]}\"; do ls; done\n",
        "cat <<EOF >file\nThe text of a file.\nEOF\n", "log() { echo \"$1\"; }\nlog 'a message'\n",
        "n=$(ls | wc -l)\ncase \"$n\" in 1) ls ;; *) ls -l ;; esac\n"}) {
    const std::string program = repeated(piece, 100'000);
    const auto [work, isRead] = workOf(program, false);
    INFO(piece);
    CHECK(isRead);
    CHECK(work < 16 * program.size());
  }
  for (const std::string_view piece :
       {"print('A line of a program.')\n", "ab = 1\n",
        "value = read(name) + 'text'\nstore(value)\n",
        "const { a, b } = require('fs');\na(b, { c: 1, d: [2, 3] });\n",
        "def f(a, b):\n    return a + b\n\nf(1, 2)\n", "items = ['a', 'b', 'c']\nuse(items)\n"}) {
    const std::string program = repeated(piece, 100'000);
    const auto [work, isRead] = workOf(program, true);
    INFO(piece);
    CHECK(isRead);
    CHECK(work < 16 * program.size());
  }
}

TEST_CASE(
    "programs that multiply their text are given up, after work in proportion to their size") {
  const std::string doubled = "a=xxxxxxxxxxxxxxxx\n" + repeated("a=$a$a; ", 200);
  for (const std::string_view piece :
       {"echo \"$a\"; ", "b+=$a\n", "cat f f f f >g; ", "c=(\"$a\"); \"${c[@]}\" \"${c[@]}\"\n",
        "set -- \"$a\" \"$a\"; \"$@\"\n", "eval \"$a\"; ", "f() { f; g; }; g() { f \"$a\"; }; g\n",
        "echo \"$a\" | base64 -d | rev | tr a b\n", "sh <f; read -r b <f\n"}) {
    const std::string program = doubled + "echo \"$a\" >f\n" + repeated(piece, 100'000);
    INFO(piece);
    CHECK_FALSE(workOf(program, false).second);
    CHECK(workOf(program, false).first <= 33 * program.size() + 65'536);
  }
  const std::string joined = "x = 'aaaaaaaaaaaaaaaa'\n" + repeated("x = x + x\n", 150);
  for (const std::string_view piece : {"x\n", "y = [x, x, x]\n", "f(x, x)\n",
                                       "z = x.replace('a', x)\n", "w = ''.join([x, x])\n"}) {
    const std::string program = joined + repeated(piece, 100'000);
    INFO(piece);
    CHECK_FALSE(workOf(program, true).second);
  }
}

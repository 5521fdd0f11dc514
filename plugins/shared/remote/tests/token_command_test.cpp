// SPDX-License-Identifier: Apache-2.0
// Tests what is taken as a token of the things that a program prints.
#include "catch2.hpp"
#include "remote/token_command.hpp"

#include <limits>
#include <string>
#include <vector>

namespace remote = skillhost::remote;

namespace {

std::string tokenOf(const std::vector<std::string> &command) {
  const remote::Operation operation([] { return false; },
                                    remote::Operation::Clock::time_point::max(),
                                    std::numeric_limits<std::uint64_t>::max());
  return remote::tokenFrom(command, operation);
}

std::string refusalOf(const std::vector<std::string> &command) {
  try {
    tokenOf(command);
  } catch (const skh::Error &error) {
    return error.what();
  }
  return {};
}

} // namespace

TEST_CASE("a token is what a program prints, and nothing of it is in a message") {
  CHECK(tokenOf({"printf", "abc\n"}) == "abc");
  for (const char *printed : {"", "two words", "two\nlines"}) {
    const std::string why = refusalOf({"printf", printed});
    CHECK(why.starts_with("token_command: printf prints"));
    CHECK(why.find("two") == std::string::npos);
  }
  CHECK(refusalOf({"/no/such/program"}).find("cannot be started") != std::string::npos);
}

TEST_CASE("a program that fails gives no token, whatever it prints") {
  CHECK(refusalOf({"sh", "-c", "printf abc; exit 3"}) ==
        "token_command: sh ended with exit code 3: run it by hand to see why");
  CHECK(refusalOf({"sh", "-c", "exit 4"}) ==
        "token_command: sh ended with exit code 4: run it by hand to see why");
  CHECK(refusalOf({"sh", "-c", "printf abc; kill -KILL $$"})
            .starts_with("token_command: sh was ended by signal 9"));
  CHECK(tokenOf({"sh", "-c", "printf abc; exec >&-; exit 0"}) == "abc");
}

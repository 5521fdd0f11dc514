// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/authorities.hpp"
#include "temporary_folder.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace skillhost;

namespace {

void write(const std::string &path, const std::string &text) { std::ofstream(path) << text; }

} // namespace

TEST_CASE("authorities are those of the library where it has them, else the system's own") {
  ::unsetenv("SSL_CERT_FILE");
  const TemporaryFolder folder;
  const std::string builtIn = folder.path() + "/built-in.pem", first = folder.path() + "/first.pem",
                    second = folder.path() + "/second.pem";
  const std::array usual{first.c_str(), second.c_str()};
  CHECK(authoritiesInstead(nullptr, usual).empty());
  CHECK(
      // The library then reports the missing file.
      authoritiesInstead(builtIn.c_str(), usual).empty());
  write(second, "of this system");
  CHECK(authoritiesInstead(builtIn.c_str(), usual) == second);
  CHECK(authoritiesInstead(nullptr, usual).empty()); // a library without a file has other sources
  std::filesystem::create_directory(first);
  CHECK(authoritiesInstead(builtIn.c_str(), usual) == second);
  std::filesystem::remove(first);
  write(first, "");
  CHECK(authoritiesInstead(builtIn.c_str(), usual) == second);
  write(first, "of this system");
  CHECK(authoritiesInstead(builtIn.c_str(), usual) == first);
  write(builtIn, "of the library");
  CHECK(authoritiesInstead(builtIn.c_str(), usual).empty());
}

TEST_CASE("SSL_CERT_FILE names authorities, where it can be read") {
  const TemporaryFolder folder;
  const std::string builtIn = folder.path() + "/built-in.pem", named = folder.path() + "/named.pem";
  const std::array usual{builtIn.c_str()};
  write(builtIn, "of the library");
  ::setenv("SSL_CERT_FILE", named.c_str(), 1);
  CHECK(authoritiesInstead(builtIn.c_str(), usual).empty());
  write(named, "of the user");
  CHECK(authoritiesInstead(builtIn.c_str(), usual) == named);
  CHECK(authoritiesInstead(nullptr, usual) == named);
  ::setenv("SSL_CERT_FILE", "named.pem", 1);
  CHECK(authoritiesInstead(builtIn.c_str(), usual).empty());
  ::unsetenv("SSL_CERT_FILE");
}

TEST_CASE("the usual authorities are absolute paths, each once") {
  const auto usual = usualAuthorities();
  REQUIRE(usual.size() > 3);
  for (const char *const file : usual) {
    CHECK(file[0] == '/');
    CHECK(std::count(usual.begin(), usual.end(), std::string(file)) == 1);
  }
}

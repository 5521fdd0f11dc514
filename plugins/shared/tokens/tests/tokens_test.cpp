// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "ground/constant_time.hpp"
#include "lent.hpp"
#include "tokens/exclusive_file.hpp"
#include "tokens/token.hpp"
#include "tokens/token_file.hpp"

#include <sys/stat.h>

#include <fstream>
#include <set>
#include <thread>

using namespace skillhost;
using namespace skillhost::tokens;
using auth_test::TemporaryFolder;
using Catch::Matchers::Contains;

namespace {

TokenEntry entry(const std::string &name) {
  return {name, hashOfToken(newToken()), {"skills:read"}, 1'800'000'000, 0};
}

unsigned modeOf(const std::string &path) {
  struct stat state{};
  return ::stat(path.c_str(), &state) == 0 ? state.st_mode & 07777U : 0;
}

} // namespace

TEST_CASE("a token, and what is nearly one") {
  const std::string token = newToken();
  CHECK(token.size() == 52);
  CHECK(isWellFormed(token));
  CHECK(newToken() != token);
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string typo = token;
    typo[i] = typo[i] == 'x' ? 'y' : 'x';
    CHECK_FALSE(isWellFormed(typo));
  }
  CHECK_FALSE(isWellFormed(""));
  CHECK_FALSE(isWellFormed(token + 'A'));
  CHECK_FALSE(isWellFormed(token.substr(0, 51)));
  CHECK(hashOfToken(token).size() == 64);
  CHECK(hashOfToken(token).find(token.substr(4)) == std::string::npos);
  CHECK(equalInConstantTime("ab", "ab"));
  CHECK_FALSE(equalInConstantTime("ab", "ac"));
  CHECK_FALSE(equalInConstantTime("ab", "abc"));
}

TEST_CASE("what a list of tokens may not hold") {
  const std::string good = writeTokenList({entry("ada"), entry("bob")});
  CHECK(readTokenList(good).size() == 2);
  const auto broken = [&](const std::string &from, const std::string &to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  CHECK_THROWS_WITH(readTokenList("[]"), Contains("not a JSON object"));
  CHECK_THROWS_WITH(readTokenList("{}"), Contains("version"));
  CHECK_THROWS_WITH(readTokenList(broken("\"version\": 1", "\"version\": 2")), Contains("version"));
  CHECK_THROWS_WITH(readTokenList(broken("\"bob\"", "\"ada\"")),
                    Contains("tokens[1].name: is there twice"));
  CHECK_THROWS_WITH(readTokenList(broken("\"ada\"", "\"a b\"")), Contains("tokens[0].name"));
  CHECK_THROWS_WITH(readTokenList(broken("\"skills:read\"", "\"two words\"")),
                    Contains("tokens[0].scopes"));
  CHECK_THROWS_WITH(readTokenList(broken("1800000000", "\"soon\"")), Contains("tokens[0].created"));
  CHECK_THROWS_WITH(readTokenList(broken("\"hash\"", "\"hsah\"")),
                    Contains("tokens[0]: knows no such key"));
}

TEST_CASE("a file of tokens is private") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a/b/tokens.json");
  changeTokenFile(path, [](auto &entries) { entries.push_back(entry("ada")); });
  CHECK(modeOf(path) == 0600);
  CHECK(modeOf(folder.file("a/b")) == 0700);
  CHECK(TokenFile::read(path).entries().size() == 1);
  ::chmod(path.c_str(), 0640);
  changeTokenFile(path, [](auto &entries) { entries.push_back(entry("bob")); });
  CHECK(modeOf(path) == 0640);
  for (const mode_t mode : {0644, 0604, 0660, 0666}) {
    ::chmod(path.c_str(), mode);
    CHECK_THROWS_WITH(TokenFile::read(path), Contains("chmod 600"));
  }
  CHECK_THROWS_WITH(TokenFile::read(folder.file("a")), Contains("regular file"));
  CHECK_THROWS_WITH(TokenFile::read(folder.file("none")), Contains("skillhost token add makes it"));
}

TEST_CASE("what is refused leaves the file as it was") {
  const TemporaryFolder folder;
  const std::string path = folder.file("tokens.json");
  changeTokenFile(path, [](auto &entries) { entries.push_back(entry("ada")); });
  const TokenFile before = TokenFile::read(path);
  CHECK_THROWS_WITH(changeTokenFile(path,
                                    [](auto &entries) {
                                      entries.clear();
                                      throw std::runtime_error("no");
                                    }),
                    "no");
  CHECK(before.isCurrent(path));
  changeTokenFile(path, [](auto &entries) { entries.push_back(entry("bob")); });
  CHECK_FALSE(before.isCurrent(path));
}

TEST_CASE("several writers lose nothing") {
  const TemporaryFolder folder;
  const std::string path = folder.file("tokens.json");
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer)
    writers.emplace_back([&path, writer] {
      for (int i = 0; i < 5; ++i)
        changeTokenFile(path, [&](auto &entries) {
          entries.push_back(entry(std::to_string(writer) + '-' + std::to_string(i)));
        });
    });
  for (std::thread &writer : writers) writer.join();
  CHECK(TokenFile::read(path).entries().size() == 20);
}

TEST_CASE("where the file is by itself") {
  CHECK(defaultTokenFile("/c", "/h") == "/c/skillhost/tokens.json");
  CHECK(defaultTokenFile("relative", "/h") == "/h/.config/skillhost/tokens.json");
  CHECK(defaultTokenFile("", "").empty());
}

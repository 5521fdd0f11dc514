// SPDX-License-Identifier: Apache-2.0
// Tests the parsing of replies and the classification of errors.
#include "catch2.hpp"
#include "engine/sentinel.hpp"
#include "protocol/reply_reader.hpp"
#include "refusal.hpp"
#include "trial.hpp"

#include <skillhost/plugin.hpp>

using namespace skillhost::valkey;

namespace {

std::vector<Reply> repliesOf(std::string_view bytes, std::size_t step) {
  ReplyReader reader;
  std::vector<Reply> all;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    reader.feed(bytes.substr(at, step));
    while (auto reply = reader.next()) all.push_back(*std::move(reply));
  }
  return all;
}

bool isBad(std::string_view bytes, bool *tooLarge = nullptr) {
  try {
    static_cast<void>(repliesOf(bytes, 16'384));
    return false;
  } catch (const BadReply &bad) {
    if (tooLarge != nullptr) *tooLarge = bad.isTooLarge;
    return true;
  }
}

skh_status statusOf(const std::string &error) {
  Reply reply;
  reply.kind = Reply::Kind::Error;
  reply.text = error;
  try {
    throwError(reply, "engine");
  } catch (const skh::Error &thrown) {
    return thrown.status();
  }
  return SKH_OK;
}

} // namespace

TEST_CASE("commands are written as the protocol wants them") {
  CHECK(commandOf({"GET", "a"}) == "*2\r\n$3\r\nGET\r\n$1\r\na\r\n");
  CHECK(commandOf({"SET", "", std::string_view("\0\r\n", 3)}) ==
        std::string("*3\r\n$3\r\nSET\r\n$0\r\n\r\n$3\r\n\0\r\n\r\n", 28));
  CHECK(scriptCommand("EVAL", "return", "k", {"1"}) ==
        "*5\r\n$4\r\nEVAL\r\n$6\r\nreturn\r\n$1\r\n1\r\n$1\r\nk\r\n$1\r\n1\r\n");
}

TEST_CASE("replies are read however they are cut") {
  const std::string bytes = "+OK\r\n-ERR no\r\n:-5\r\n$3\r\na\r\n\r\n$0\r\n\r\n$-1\r\n*-1\r\n*0\r\n"
                            "*3\r\n$1\r\nx\r\n*2\r\n:1\r\n$-1\r\n+last\r\n";
  for (std::size_t step = 1; step <= bytes.size(); ++step) {
    INFO(step);
    const std::vector<Reply> all = repliesOf(bytes, step);
    REQUIRE(all.size() == 9);
    CHECK(all[0].isStatus("OK"));
    CHECK((all[1].isError() && all[1].text == "ERR no"));
    CHECK((all[2].kind == Reply::Kind::Integer && all[2].integer == -5));
    CHECK((all[3].kind == Reply::Kind::Text && all[3].text == "a\r\n"));
    CHECK((all[4].kind == Reply::Kind::Text && all[4].text.empty()));
    CHECK((all[5].kind == Reply::Kind::Nil && all[6].kind == Reply::Kind::Nil));
    CHECK((all[7].kind == Reply::Kind::List && all[7].elements.empty()));
    REQUIRE(all[8].elements.size() == 3);
    CHECK(all[8].elements[0].text == "x");
    CHECK(all[8].elements[1].elements[0].integer == 1);
    CHECK(all[8].elements[1].elements[1].kind == Reply::Kind::Nil);
    CHECK(all[8].elements[2].isStatus("last"));
  }
}

TEST_CASE("what is no reply ends the reading") {
  for (const char *const bytes :
       {"HTTP/1.1 200\r\n", "$-2\r\n", "$99999999999999999999\r\n", ":x\r\n", "*x\r\n", "\1\r\n"}) {
    INFO(bytes);
    CHECK(isBad(bytes));
  }
  std::string deep;
  for (int i = 0; i < 20; ++i) deep += "*1\r\n";
  CHECK(isBad(deep));
}

TEST_CASE("a reply has bounds, and they are told from what is no reply") {
  bool tooLarge = false;
  CHECK((isBad("*65537\r\n", &tooLarge) && tooLarge));
  CHECK((isBad("*2000000000\r\n", &tooLarge) && tooLarge));
  CHECK((isBad(
             "*2\r\n*40000\r\n" +
                 [] {
                   std::string ones;
                   for (int i = 0; i < 40'000; ++i) ones += ":1\r\n";
                   return ones;
                 }() +
                 "*40000\r\n",
             &tooLarge) &&
         tooLarge));
  CHECK((isBad("$2000000\r\n" + std::string(2'000'000, 'x'), &tooLarge) && tooLarge));
  CHECK((isBad("+" + std::string(2'000'000, 'x'), &tooLarge) && tooLarge));
  std::string parts = "*20\r\n";
  for (int i = 0; i < 20; ++i) parts += "$100000\r\n" + std::string(100'000, 'x') + "\r\n";
  CHECK((isBad(parts, &tooLarge) && tooLarge));
  CHECK_FALSE(isBad("$1048576\r\n" + std::string(1U << 20U, 'x') + "\r\n"));
  std::string many; // each value is within the limits
  for (int i = 0; i < 30; ++i) many += "$100000\r\n" + std::string(100'000, 'x') + "\r\n";
  CHECK(repliesOf(many, 16'384).size() == 30);
}

TEST_CASE("errors mean what the kind calls them") {
  CHECK(statusOf("WRONGTYPE Operation against a key holding the wrong kind of value") ==
        SKH_CORRUPT);
  CHECK(statusOf("ERR value is not an integer or out of range") == SKH_CORRUPT);
  CHECK(statusOf("ERR increment or decrement would overflow") == SKH_INVALID);
  for (const char *const passing :
       {"OOM command not allowed when used memory > 'maxmemory'.",
        "LOADING Redis is loading the dataset in memory",
        "READONLY You can't write against a read only replica.",
        "MASTERDOWN Link with MASTER is down", "CLUSTERDOWN Hash slot not served",
        "TRYAGAIN Multiple keys request", "BUSY Redis is busy running a script.",
        "MISCONF Redis is configured to save RDB snapshots", "NOREPLICAS Not enough good replicas",
        "NOPERM no", "NOAUTH Authentication required.", "ERR max number of clients reached"})
    CHECK(statusOf(passing) == SKH_UNAVAILABLE);
  CHECK(statusOf("ERR unknown command") == SKH_FAILED);
  CHECK(statusOf("ASKED") == SKH_FAILED);
  // Version 6.2 wraps an error in a script this way.
  CHECK(refusalOf("ERR Error running script (call to f_1): @user_script:2: WRONGTYPE Operation") ==
        Refusal::WrongType);
  CHECK(refusalOf("NOSCRIPT No matching script.") == Refusal::NoScript);
  CHECK(refusalOf("") == Refusal::Other);
  CHECK(shownError(std::string(1'000, 'a') + "\x1b").size() < 400);
  CHECK(shownError("a\x1b[31m\r\nb").find('\x1b') == std::string::npos);
}

TEST_CASE("what an engine says of itself is read") {
  const EngineInfo about = readEngineInfo(
      "# Server\r\nredis_version:7.2.4\r\nvalkey_version:8.0.1\r\n# Memory\r\nmaxmemory:100\r\n"
      "maxmemory_policy:allkeys-lru\r\naof_enabled:1\r\n");
  CHECK(about.version == "7.2.4");
  CHECK(about.evictionPolicy == "allkeys-lru");
  CHECK(about.limitsMemory);
  CHECK(about.appendsToDisk);
  CHECK(readEngineInfo("").version.empty());
  CHECK_FALSE(readEngineInfo("\nmaxmemory:0").limitsMemory);
  CHECK(isNewEnough("6.2.0"));
  CHECK(isNewEnough("10.0"));
  CHECK(isNewEnough("unstable"));
  CHECK_FALSE(isNewEnough("6.1.9"));
  CHECK_FALSE(isNewEnough("5.0.14"));
}

TEST_CASE("the master that a sentinel names is read") {
  const auto read = [](const std::string &bytes) {
    return readMaster(repliesOf(bytes, 1).front());
  };
  CHECK(*read("*2\r\n$9\r\n127.0.0.1\r\n$4\r\n6379\r\n") == Address{"127.0.0.1", 6'379});
  CHECK(*read("*2\r\n$3\r\n::1\r\n$1\r\n7\r\n") == Address{"::1", 7});
  CHECK_FALSE(read("*-1\r\n"));
  CHECK_FALSE(read("*2\r\n$5\r\n/path\r\n$1\r\n7\r\n"));
  CHECK_FALSE(read("*2\r\n$1\r\na\r\n$1\r\n0\r\n"));
  CHECK_FALSE(read(":1\r\n"));
}

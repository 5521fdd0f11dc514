// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "rpc/long_message.hpp"
#include "rpc/message.hpp"

using namespace skillhost;

namespace {

// Returns the id; it must be the same for a message in one piece and byte by byte.
std::string idOf(std::string_view text) {
  LongMessage whole, pieces;
  whole.add(text);
  for (std::size_t i = 0; i < text.size(); ++i) pieces.add(text.substr(i, 1));
  CHECK(whole.id() == pieces.id());
  return whole.id();
}

} // namespace

TEST_CASE("the id of a long request is found at its beginning and at its end") {
  CHECK(idOf(R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"id":1,"x":["id",{"id":2}]}})") ==
        "7");
  CHECK(idOf(R"({"method":"m","params":{"a":"}\",\"id\":3"},"jsonrpc":"2.0","id":"a\"b"})") ==
        R"("a\"b")");
  CHECK(idOf("\xEF\xBB\xBF { \"id\" : -5 , \"method\" : \"m\" }") == "-5");
  const std::string large(100'000, 'x');
  CHECK(idOf(R"({"method":"m","params":{"a":")" + large + R"("},"id":8})") == "8");
  CHECK(idOf(R"({"method":"m","id":9,"params":{"a":")" + large) == "9"); // the message has no end
}

TEST_CASE("what is no request, or has no clear id, has none") {
  CHECK(idOf("") == "null");
  CHECK(idOf(R"({"jsonrpc":"2.0","id":1,"result":{"method":"m"}})") == "null");
  CHECK(idOf(R"({"method":"m","params":{"id":1}})") == "null");
  CHECK(idOf(R"([{"id":1,"method":"m"}])") == "null");
  CHECK(idOf(R"({"id":1,"id":2,"method":"m"})") == "null");
  CHECK(idOf(R"({"id":{"a":1},"method":"m"})") == "null");
  CHECK(idOf(R"({"id":[1],"method":"m"})") == "null");
  CHECK(idOf(R"({"id":1.5,"method":"m"})") == "null");
  CHECK(idOf(R"({"id":null,"method":"m"})") == "null");
  CHECK(idOf(R"({"id":")" + std::string(2000, 'x') + R"(","method":"m"})") == "null");
  CHECK(idOf(R"({"id":")" + std::string(20'000, 'x') + R"(","method":"m"})") == "null");
  CHECK(idOf("x}{]:,\"") == "null");
}

TEST_CASE("a message of too many values or levels is refused under its id") {
  std::string deep = R"({"jsonrpc":"2.0","id":4,"method":"m","params":{"a":)";
  deep += std::string(100, '[') + std::string(100, ']') + "}}";
  CHECK(parseMessage(deep, 1000).refusal.id == "4");
  CHECK(parseMessage(R"({"jsonrpc":"2.0","method":"m","params":{"a":[1,2,3,4]},"id":"x"})", 3)
            .refusal.id == R"("x")");
  CHECK(parseMessage(R"({"jsonrpc":"2.0","id":4,"method":"m")", 1000).refusal.id == "null");
}

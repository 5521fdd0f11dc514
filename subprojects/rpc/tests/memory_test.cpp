// SPDX-License-Identifier: Apache-2.0
// Tests that each allocation fails in turn while a message is read, copied and destroyed. An
// allocation that fails in a destructor would end the process.
#include "catch2.hpp"
#include "failing_memory.hpp"
#include "rpc/message.hpp"

#include <new>
#include <string>

using namespace skillhost;

namespace {

std::string repeated(const std::string &item, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + item;
  return text;
}

// Returns more members than the parser compares one by one, and than a small object has room for.
std::string members(std::size_t count, const std::string &value) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += (i == 0 ? "\"a name that needs memory " : ",\"a name that needs memory ") +
            std::to_string(i) + "\":" + value;
  return text;
}

std::string request(const std::string &params) {
  return R"({"jsonrpc":"2.0","id":"an id that needs memory","method":"a/method/that/needs/memory",)"
         R"("params":{"x":)" +
         params + "}}";
}

} // namespace

TEST_CASE("no allocation that fails while a message is read or destroyed ends the process") {
  const std::string text = "\"a text that needs memory of its own\"";
  const std::string shapes[] = {
      request("[" + repeated("1.5", 40) + "]"),
      request(std::string(50, '[') + std::string(50, ']')),
      request("{" + members(40, "1") + "}"),
      request("{" + members(9, "{" + members(5, "[" + text + ",[1,{}]]") + "}") + "}"),
      request("[" + repeated("[" + repeated(text, 3) + ",{\"k\":[" + text + "]}]", 6) + "]"),
      R"({"jsonrpc":"2.0","method":["no method",{"but":["a tree"]}],"id":1})",
      R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"x":[[1,2],[{"y":[)", // ends in the middle
      R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"x":{"k":[1],"k":[2]}}})",
      request("[" + repeated("[]", 2'000) + "]"), // has too many values
  };
  for (const std::string &shape : shapes)
    for (const Lack lack : {Lack::Once, Lack::Lasting}) {
      CAPTURE(shape.substr(0, 200), lack == Lack::Lasting);
      std::size_t whole = 0;
      const std::size_t count = failEachAllocation(lack, [&] {
        try {
          const ParsedMessage parsed = parseMessage(shape, 1'000);
          if (!parsed.message) return;
          const Json copy = parsed.message->params;
          ++whole;
        } catch (const std::bad_alloc &) {
          return;
        }
      });
      CHECK(count > 5);
      CHECK(parseMessage(shape, 1'000).message.has_value() == (whole != 0));
    }
}

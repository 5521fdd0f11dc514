// SPDX-License-Identifier: Apache-2.0
// Any bytes as the lines of a client: nothing crashes or throws, every answer is one JSON message,
// and no request is answered twice.
#include "base/log.hpp"
#include "mcp/server.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

using namespace skillhost;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// A host without skills; made once, never destroyed.
Server &server() {
  static Server *const made = [] {
    log::start(LogLevel::Error, log::Format::Text);
    auto *const library = new Library({}, std::chrono::milliseconds(1));
    library->start({});
    while (!library->ready()) {
      // start() with no sources makes the library ready on its own thread, at once.
    }
    return new Server({}, *library, nullptr);
  }();
  return *made;
}

// How often each id was sent, so that answers can be counted against it.
using Counts = std::map<std::string, int>;

void countRequest(std::string_view line, Counts &sent) {
  const Json message = Json::parse(line.begin(), line.end(), nullptr, false);
  if (message.is_object() && message.contains("id")) ++sent[message["id"].dump()];
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  Counts sent, answered;
  const auto session = server().open([&](Fragments message) {
    const Json answer = Json::parse(message.text());
    require(answer["jsonrpc"] == "2.0");
    if (!answer.contains("id")) return;
    require(answer.contains("result") != answer.contains("error"));
    if (!answer["id"].is_null()) ++answered[answer["id"].dump()];
  });
  std::string_view rest(reinterpret_cast<const char *>(data), size);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty()) continue;
    countRequest(line, sent);
    session->receive(line);
  }
  session->close();
  for (const auto &[id, times] : answered) require(times <= sent[id]);
  return 0;
}

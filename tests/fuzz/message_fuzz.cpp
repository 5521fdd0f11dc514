// SPDX-License-Identifier: Apache-2.0
// Sends any bytes as the lines of a client: nothing crashes or throws, every answer is one JSON
// message, and no request is answered twice.
#include "base/log.hpp"
#include "mcp/server.hpp"
#include "rpc/long_message.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

using namespace skillhost;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// Returns a host without skills, made once and never destroyed.
Server &server() {
  static Server *const made = [] {
    log::start(LogLevel::Error, log::Format::Text);
    auto *const library = new Library({}, std::chrono::milliseconds(1));
    library->start({});
    while (!library->ready()) {
      // start() without sources makes the library ready on its own thread, at once.
    }
    return new Server({}, *library, nullptr);
  }();
  return *made;
}

// Counts for each id how many of its requests have no answer yet. Any thread may call it, because
// long requests are answered on a thread of their own, which may end after the session was closed.
class Unanswered {
public:
  void sent(std::string_view line) {
    const Json message = Json::parse(line.begin(), line.end(), nullptr, false);
    std::string id;
    if (message.is_discarded()) {
      // The server may refuse such a line before it reaches the invalid JSON. It then answers under
      // the id that it has read so far.
      LongMessage broken;
      broken.add(line);
      id = broken.id();
    } else if (message.is_object() && message.contains("id")) {
      id = message["id"].dump();
    }
    const std::scoped_lock lock(mutex_);
    ++requests_[id];
  }
  void answered(const Json &answer) {
    if (!answer.contains("id")) return;
    require(answer.contains("result") != answer.contains("error"));
    if (answer["id"].is_null()) return;
    const std::scoped_lock lock(mutex_);
    require(--requests_[answer["id"].dump()] >= 0);
  }

private:
  std::mutex mutex_;
  std::map<std::string, int> requests_; // by id
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  // The session may still deliver an answer after close(), if another thread was sending it.
  const auto unanswered = std::make_shared<Unanswered>();
  const auto session = server().open([unanswered](const Fragments &message) {
    const Json answer = Json::parse(message.text());
    require(answer["jsonrpc"] == "2.0");
    unanswered->answered(answer);
  });
  std::string_view rest(reinterpret_cast<const char *>(data), size);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty()) continue;
    unanswered->sent(line);
    session->receive(line);
  }
  session->close();
  return 0;
}

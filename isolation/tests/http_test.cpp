// SPDX-License-Identifier: Apache-2.0
// A handler of HTTP requests must receive the same statuses in a process of its own, and what it
// tells the host must neither stop it nor be lost.
#include "base/log.hpp"
#include "base/metrics.hpp"
#include "catch2.hpp"
#include "http_instance.hpp"
#include "running.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace skillhost;
using namespace running;

namespace {

const std::string answering = fixtures + "/answering.so";

struct Handler {
  explicit Handler(const std::string &name)
      : proxy(proxyFor(answering)),
        instance(*Instance::create(proxy->descriptor(), {name, answering, "{}", {}})),
        http(instance) {
    log::listen([this](LogLevel, std::string_view, std::string_view text) {
      const std::scoped_lock lock(mutex);
      lines.emplace_back(text);
    });
  }
  ~Handler() { log::listen({}); }
  Handler(const Handler &) = delete;
  Handler &operator=(const Handler &) = delete;
  Result<HandlerAnswer> ask(const std::string &what) {
    HandlerRequest request;
    request.method = "GET";
    request.path = "/" + what;
    request.body = std::make_shared<BodyStream>();
    request.body->finish();
    return wait<HandlerAnswer>([&](auto answer) { http.handle({}, request, answer); });
  }
  bool hasLine(const std::string &part) {
    const std::scoped_lock lock(mutex);
    for (const std::string &line : lines)
      if (contains(line, part)) return true;
    return false;
  }

  std::mutex mutex;
  std::vector<std::string> lines;
  std::unique_ptr<process::Proxy> proxy;
  std::shared_ptr<Instance> instance;
  HttpInstance http;
};

// The process tells all before its answer, but the host reads it on another thread.
template <class Holds> bool becomesTrue(Holds holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!holds() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return holds();
}

} // namespace

TEST_CASE("an answer that breaks the rules is refused to the plugin in another process as well") {
  Handler handler("refusing");
  CHECK_FALSE(handler.ask("refused"));
  CHECK(becomesTrue([&] { return handler.hasLine("statuses: -4 -4 -4 0 -4"); }));
}

TEST_CASE("a process that tells very much is not stopped by it, and nothing is lost in silence") {
  Handler handler("flooding");
  const Result<HandlerAnswer> answer = handler.ask("flood");
  REQUIRE(answer);
  CHECK(std::stoi(answer->body) < 2000); // it was 15 s when each call was a frame
  metrics::Counter &counted =
      metrics::all().counter({"skillhost_plugin_flood", {{"instance", "flooding"}}});
  CHECK(becomesTrue([&] { return counted.value() == 30'000; }));
  CHECK(becomesTrue([&] { return handler.instance->describe().state == PluginState::Degraded; }));
  CHECK(becomesTrue([&] { return handler.hasLine("dropped: it logs too much"); }));
}

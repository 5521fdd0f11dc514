// SPDX-License-Identifier: Apache-2.0
// Tests what becomes of plugins under `http_handlers` that cannot be made or served.
#include "http_plugins.hpp"

#include "catch2.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

using namespace skillhost;
using namespace skillhost::app;

namespace {

class PluginOfTest final : public HttpPlugin {
public:
  explicit PluginOfTest(Result<HandlerRoutes> routes) : routes_(std::move(routes)) {}
  const std::string &name() const noexcept override { return name_; }
  void routes(CallOptions, ResultCallback<HandlerRoutes> answer) override { answer(routes_); }
  void handle(CallOptions, HandlerRequest, ResultCallback<HandlerAnswer> answer) override {
    answer(Failure{Fault::Internal, "not called"});
  }
  bool isFailing() const override { return !trouble.empty(); }
  void setTrouble(std::string text) override { trouble = std::move(text); }
  void stop() override { ++stopped; }

  std::string trouble;
  int stopped = 0;

private:
  const std::string name_ = "board";
  const Result<HandlerRoutes> routes_;
};

Configuration configured() {
  Configuration configuration;
  configuration.httpHandlers.resize(2);
  configuration.httpHandlers[0].name = "board";
  configuration.httpHandlers[1].name = "off";
  configuration.httpHandlers[1].enabled = false;
  return configuration;
}

bool hostGoesOn() { return false; }

HandlerRoutes twoRoutes() {
  HandlerRoutes routes(2);
  routes[0].path = "/a";
  routes[1].path = "/b";
  return routes;
}

} // namespace

TEST_CASE("the routes of a plugin are served when it is made") {
  HttpPlugins plugins(configured());
  CHECK_FALSE(plugins.areMade());
  CHECK(plugins.readiness().isDegraded); // not made yet
  CHECK(plugins.readiness().details["http_handlers"]["board"] ==
        Json{{"failing", false}, {"routes", 0}});
  const auto board = std::make_shared<PluginOfTest>(twoRoutes());
  std::size_t served = 0;
  plugins.makeAll(
      [&](const PluginEntry &one) -> Result<std::shared_ptr<HttpPlugin>> {
        CHECK(one.name == "board"); // the other one is switched off
        return std::shared_ptr<HttpPlugin>(board);
      },
      [&](const std::shared_ptr<HttpPlugin> &, const HandlerRoutes &routes) -> Status {
        served = routes.size();
        return Done{};
      },
      hostGoesOn);
  CHECK(plugins.areMade());
  CHECK(served == 2);
  CHECK_FALSE(plugins.readiness().isDegraded);
  CHECK(plugins.readiness().details["http_handlers"]["board"] ==
        Json{{"failing", false}, {"routes", 2}});
  plugins.stop();
  CHECK(board->stopped == 1);
}

TEST_CASE("a plugin that is not served is degraded and says why") {
  const auto made = [](const std::shared_ptr<PluginOfTest> &board, const Status &answer) {
    HttpPlugins plugins(configured());
    plugins.makeAll(
        [&](const PluginEntry &) -> Result<std::shared_ptr<HttpPlugin>> {
          if (!board) return Failure{Fault::NotFound, "there is no such plugin"};
          return std::shared_ptr<HttpPlugin>(board);
        },
        [&](const std::shared_ptr<HttpPlugin> &, const HandlerRoutes &) { return answer; },
        hostGoesOn);
    CHECK(plugins.areMade());
    CHECK(plugins.readiness().isDegraded);
    CHECK(plugins.readiness().details["http_handlers"]["board"] ==
          Json{{"failing", true}, {"routes", 0}});
    return board ? board->trouble : std::string();
  };
  CHECK(made(nullptr, Done{}).empty());
  CHECK(made(std::make_shared<PluginOfTest>(twoRoutes()), {Fault::Conflict, "two claim /a"}) ==
        "board: none of its paths is served: two claim /a");
  CHECK(made(std::make_shared<PluginOfTest>(Failure{Fault::InvalidFormat, "board: routes: wrong"}),
             Done{}) == "board: routes: wrong");
}

TEST_CASE("plugins are made side by side, and the earlier one claims its paths first") {
  Configuration configuration;
  for (const char *const name : {"slow", "quick"})
    configuration.httpHandlers.emplace_back().name = name;
  HttpPlugins plugins(configuration);
  std::promise<void> quick;
  std::future<void> isQuickMade = quick.get_future();
  bool isOvertaken = false;
  const auto first = std::make_shared<PluginOfTest>(twoRoutes());
  const auto second = std::make_shared<PluginOfTest>(twoRoutes());
  std::vector<const HttpPlugin *> order;
  plugins.makeAll(
      [&](const PluginEntry &one) -> Result<std::shared_ptr<HttpPlugin>> {
        if (one.name == "quick") {
          quick.set_value();
          return std::shared_ptr<HttpPlugin>(second);
        }
        isOvertaken = isQuickMade.wait_for(std::chrono::seconds(10)) == std::future_status::ready;
        return std::shared_ptr<HttpPlugin>(first);
      },
      [&](const std::shared_ptr<HttpPlugin> &plugin, const HandlerRoutes &) -> Status {
        order.push_back(plugin.get());
        return Done{};
      },
      hostGoesOn);
  CHECK(isOvertaken);
  CHECK(order == std::vector<const HttpPlugin *>{first.get(), second.get()});
}

TEST_CASE("a host that stops does not wait for routes()") {
  class Hanging final : public HttpPlugin {
  public:
    const std::string &name() const noexcept override { return name_; }
    void routes(CallOptions options, ResultCallback<HandlerRoutes>) override {
      cancel = options.cancel;
    }
    void handle(CallOptions, HandlerRequest, ResultCallback<HandlerAnswer>) override {}
    bool isFailing() const override { return false; }
    void setTrouble(std::string) override {}
    void stop() override {}
    CancelToken cancel;

  private:
    const std::string name_ = "board";
  };
  const auto hanging = std::make_shared<Hanging>();
  HttpPlugins plugins(configured());
  plugins.makeAll([&](const PluginEntry &) { return std::shared_ptr<HttpPlugin>(hanging); }, {},
                  [] { return true; });
  CHECK(hanging->cancel.cancelled());
  CHECK(plugins.areMade());
}

TEST_CASE("without plugins all of them are made") { CHECK(HttpPlugins(Configuration{}).areMade()); }

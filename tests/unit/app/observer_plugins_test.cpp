// SPDX-License-Identifier: Apache-2.0
// Tests which lines of the log observers receive, and how they are made.
#include "observer_plugins.hpp"

#include "catch2.hpp"

#include <chrono>
#include <future>

using namespace skillhost;
using namespace skillhost::app;

TEST_CASE("observers receive no line that an observer wrote or that reports about one") {
  const ObserverNames names{"audit", "journal"};
  const auto isLeftOut = [&](std::string_view part, std::string_view text,
                             std::string_view origin = {}) {
    return isAboutObserver({LogLevel::Info, part, text, {}, origin}, names);
  };
  CHECK(isLeftOut("journal", "I write", "journal"));
  CHECK(isLeftOut("plugin", "journal: its process has ended"));
  CHECK(isLeftOut("network", "audit: connection to example.org:443 refused, it is not listed"));
  CHECK_FALSE(isLeftOut("plugin", "journalist: its process has ended"));
  CHECK_FALSE(isLeftOut("http", "listens"));
  // An observer may have the name of a part of the host.
  CHECK_FALSE(isLeftOut("audit", "started subject=http"));
  CHECK_FALSE(isLeftOut("journalist", "audit: it is no observer that writes this", "journalist"));
}

TEST_CASE("an observer that takes long to be made delays no other one") {
  Configuration configuration;
  for (const char *const name : {"slow", "quick"})
    configuration.observers.emplace_back().name = name;
  ObserverPlugins observers(configuration, ObserverPlugins::Delivery::Nothing);
  std::promise<void> quick;
  std::future<void> isQuickMade = quick.get_future();
  bool isOvertaken = false;
  observers.makeAll([&](const PluginEntry &one) -> Result<std::shared_ptr<ObserverPlugin>> {
    if (one.name == "quick")
      quick.set_value();
    else
      isOvertaken = isQuickMade.wait_for(std::chrono::seconds(10)) == std::future_status::ready;
    return Failure{Fault::Unavailable, "there is none"};
  });
  CHECK(isOvertaken);
}

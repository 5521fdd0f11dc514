// SPDX-License-Identifier: Apache-2.0
#include "mcp/source_notices.hpp"

#include "base/log.hpp"
#include "mcp/services.hpp"

#include <atomic>
#include <functional>
#include <string>

namespace skillhost {
namespace {

constexpr std::string_view channel = "source-changed";
constexpr std::size_t longestSource = 64;
// All replicas miss the same messages when the engine comes back, and the hosts of the sources
// should not get requests from all of them at one moment.
constexpr std::size_t spreadMilliseconds = 2'000;

} // namespace

void notifySourceChanged(SharedStore *state, std::string_view source) {
  if (state != nullptr) state->publish(channel, source);
}

void followSourceNotices(const std::shared_ptr<Services> &services) {
  // The replica's name is random, so each replica has another moment.
  const std::chrono::milliseconds own(std::hash<std::string>{}(services->shared->replica()) %
                                      spreadMilliseconds);
  auto waits = std::make_shared<std::atomic<bool>>(false);
  const std::weak_ptr<Services> weak = services;
  SharedStore::Listener listener;
  listener.onMessage = [weak](std::string_view source) {
    const auto known = weak.lock();
    if (!known || source.size() > longestSource) return;
    log::info("server", source.empty()
                            ? std::string("another replica was told to look at every source")
                            : "another replica was told of source " + std::string(source));
    if (source.empty())
      known->library.refresh();
    else
      known->library.refresh(source);
  };
  listener.onLoss = [weak, waits, own] {
    const auto known = weak.lock();
    if (!known || waits->exchange(true)) return;
    // The timer is destroyed before the rest of the services.
    known->timer.after(own, [&library = known->library, waits] {
      waits->store(false);
      log::info("server", "notices of other replicas may be lost: looking at every source");
      library.refresh();
    });
  };
  services->shared->listen(channel, std::move(listener));
}

} // namespace skillhost

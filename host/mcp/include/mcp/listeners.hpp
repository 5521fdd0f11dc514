// SPDX-License-Identifier: Apache-2.0
// The sessions that are notified of changes. This does not keep them alive.
#pragma once

#include "ground/guarded.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace skillhost {

class ClientSession;

// Any thread.
class Listeners {
public:
  void add(const std::shared_ptr<ClientSession> &session) {
    state_.with([&](State &state) {
      // Ended sessions are removed when there are as many of them as of others, so that adding
      // costs the same however many sessions begin and end.
      if (state.sessions.size() >= state.sweepAt) {
        std::erase_if(state.sessions, [](const auto &one) { return one.expired(); });
        state.sweepAt = std::max(fewest, 2 * state.sessions.size());
      }
      state.sessions.push_back(session);
    });
  }

  std::vector<std::shared_ptr<ClientSession>> open() {
    return state_.with([](State &state) {
      std::vector<std::shared_ptr<ClientSession>> open;
      std::erase_if(state.sessions, [&](const auto &weak) {
        auto session = weak.lock();
        const bool gone = !session;
        if (!gone) open.push_back(std::move(session));
        return gone;
      });
      return open;
    });
  }

private:
  static constexpr std::size_t fewest = 16;
  struct State {
    std::vector<std::weak_ptr<ClientSession>> sessions;
    std::size_t sweepAt = fewest;
  };
  Guarded<State> state_;
};

} // namespace skillhost

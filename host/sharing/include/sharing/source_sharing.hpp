// SPDX-License-Identifier: Apache-2.0
// What the replicas tell each other of the sources that they share.
#pragma once

#include "ground/guarded.hpp"
#include "ground/timer.hpp"
#include "state/shared_state.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

// One for all shared sources of a host. Any thread.
class SourceSharing : public std::enable_shared_from_this<SourceSharing> {
public:
  enum class What : std::uint8_t {
    Snapshot, // there is another one, or the one that there is has been looked at: its digest
    Refresh,  // whoever leads is to ask the source now
    Damaged,  // a file in the folder, by its digest
    Failed    // whoever leads has asked, and why that failed
  };
  // Neither may block.
  struct Listener {
    std::function<void(What what, const std::string &text)> told;
    // Something may have been missed, or the engine has come or gone: look again.
    std::function<void()> disturbed;
  };

  // Listens from now on.
  static std::shared_ptr<SourceSharing> make(std::shared_ptr<SharedState> state);

  const std::shared_ptr<SharedState> &state() const noexcept { return state_; }
  Timer &timer() noexcept { return timer_; }

  // Heard for as long as it lives. `source` is what all replicas call it.
  void listen(const std::string &source, const std::shared_ptr<Listener> &listener);
  void tell(const std::string &source, What what, std::string_view text);

private:
  explicit SourceSharing(std::shared_ptr<SharedState> state) : state_(std::move(state)) {}
  void heard(std::string_view message);
  void disturb();

  const std::shared_ptr<SharedState> state_;
  Guarded<std::multimap<std::string, std::weak_ptr<Listener>>> listeners_;
  Timer timer_;
};

} // namespace skillhost

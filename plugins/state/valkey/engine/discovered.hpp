// SPDX-License-Identifier: Apache-2.0
// A topology that is learnt from other servers: by the first call that needs it, then by the
// keeper.
#pragma once

#include "topology.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <string>

namespace skillhost::valkey {

// Returns the share of `whole` for each of `count` servers that are asked in turn.
inline Limit::Span partOf(Limit::Span whole, std::size_t count) {
  constexpr Limit::Span least{50};
  return std::max(least, whole / static_cast<Limit::Span::rep>(count + 1));
}

class Discovered : public Topology {
public:
  NodePointer nodeFor(std::string_view key, const Limit &limit) final;
  void refresh(const Limit &limit) final;

protected:
  explicit Discovered(const NodeNeeds &needs) : needs_(needs) {}
  virtual NodePointer knownNode(std::string_view key) const = 0; // null: nothing is known yet
  // Asks the servers. One thread at a time. Throws as nodeFor() does, and LoginRefused.
  virtual void discover(const Limit &limit) = 0;

  const NodeNeeds &needs_;

private:
  // Holds the right to ask until it is destroyed.
  class Turn {
  public:
    // Waits for its turn; throws ConnectionLost if that takes too long.
    Turn(Discovered &of, const Limit &limit);
    ~Turn();
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

  private:
    Discovered &of_;
  };

  std::mutex mutex_;
  std::condition_variable turnFreed_;
  bool asking_ = false; // a thread has its turn
  std::string failure_; // reason of the last failure; empty if it succeeded or was never tried
};

} // namespace skillhost::valkey

// SPDX-License-Identifier: Apache-2.0
// A topology that others are asked about: by the first call that needs it, then by the keeper.
#pragma once

#include "topology.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <string>

namespace skillhost::valkey {

// What each of several gets who are asked in turn, when all together have `whole`.
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
  virtual NodePointer known(std::string_view key) const = 0; // null: nothing is known yet
  // Asks. One thread at a time. Throws as nodeFor(), and Refused.
  virtual void learn(const Limit &limit) = 0;

  const NodeNeeds &needs_;

private:
  // The turn to ask, until it is destroyed.
  class Turn {
  public:
    Turn(Discovered &of, const Limit &limit); // waits for it; throws Lost when it does not come
    ~Turn();
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

  private:
    Discovered &of_;
  };

  std::mutex mutex_;
  std::condition_variable turn_;
  bool asking_ = false; // somebody has the turn
  std::string failure_; // why it was in vain; empty: it was not, or nobody has tried
};

} // namespace skillhost::valkey

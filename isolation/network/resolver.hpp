// SPDX-License-Identifier: Apache-2.0
// Names to addresses, on a few threads of its own, for a thread that must not wait.
#pragma once

#include "base/network_rule.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skillhost::network {

class Resolver {
public:
  // `wake` is written to (an eventfd) when an answer can be taken.
  explicit Resolver(int wake);
  // Does not wait for a name server: what is still asked ends by itself.
  ~Resolver();
  Resolver(const Resolver &) = delete;
  Resolver &operator=(const Resolver &) = delete;

  struct Answer {
    std::uint64_t number;                // as asked
    std::vector<AddressBytes> addresses; // empty: there are none, or they are not known
  };
  // False when too many wait already.
  bool ask(std::uint64_t number, const std::string &name);
  std::vector<Answer> take();

private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

} // namespace skillhost::network

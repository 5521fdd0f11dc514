// SPDX-License-Identifier: Apache-2.0
// Resolves names to addresses on a few threads, for a thread that must not block.
#pragma once

#include "base/network_rule.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skillhost::network {

class Resolver {
public:
  // `wake` is an eventfd, to which the resolver writes if an answer is ready.
  explicit Resolver(int wake);
  // Does not wait for name servers. Running lookups end by themselves.
  ~Resolver();
  Resolver(const Resolver &) = delete;
  Resolver &operator=(const Resolver &) = delete;

  struct Answer {
    std::uint64_t number;                // number given to enqueue()
    std::vector<AddressBytes> addresses; // empty if there are none or the lookup failed
  };
  // Returns false if too many questions are waiting.
  bool enqueue(std::uint64_t number, const std::string &name);
  std::vector<Answer> takeAnswers();

private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

} // namespace skillhost::network

// SPDX-License-Identifier: Apache-2.0
// Combines the states of an instance's parts into the health that the host shows.
#pragma once

#include <skillhost/health.h>
#include <skillhost/plugin.hpp>

#include <array>
#include <mutex>
#include <string>

namespace skillhost::keyword {

// The host sees a healthy instance only if every part is healthy. Any thread may call any function.
class Health {
public:
  enum class Part : std::uint8_t { Index, Meaning };
  explicit Health(const skh::Host &host) : host_(host.extension<skh_health>(SKH_HEALTH)) {}
  void tell(Part part, std::int32_t state, std::string why);

private:
  struct PartState {
    std::int32_t state = SKH_HEALTHY;
    std::string why;
  };
  const skh_health *const host_; // null if the host does not support health
  std::mutex mutex_;
  std::array<PartState, 2> parts_;
};

} // namespace skillhost::keyword

// SPDX-License-Identifier: Apache-2.0
// How an instance is, from what its parts tell of themselves.
#pragma once

#include <skillhost/health.h>
#include <skillhost/plugin.hpp>

#include <array>
#include <mutex>
#include <string>

namespace skillhost::keyword {

// The host hears that all is well when every part is. Any thread may call anything.
class Health {
public:
  enum class Part : std::uint8_t { Index, Meaning };
  explicit Health(const skh::Host &host) : host_(host.extension<skh_health>(SKH_HEALTH)) {}
  void tell(Part part, std::int32_t state, std::string why);

private:
  struct Told {
    std::int32_t state = SKH_HEALTHY;
    std::string why;
  };
  const skh_health *const host_; // null: it does not ask
  std::mutex mutex_;
  std::array<Told, 2> parts_;
};

} // namespace skillhost::keyword

// SPDX-License-Identifier: Apache-2.0
// Receives the principal that an auth plugin names: exactly one, copied, within limits. Anything
// else makes the plugin's whole answer void.
#pragma once

#include "frame.hpp"
#include "plugin/auth.hpp"

#include <skillhost/plugin.h>

#include <cstddef>
#include <string_view>

namespace skillhost {

class PrincipalSink {
public:
  using Raw = OwnedTable<skh_principals>;
  explicit PrincipalSink(const CallFrame &frame);
  PrincipalSink(const PrincipalSink &) = delete;
  PrincipalSink &operator=(const PrincipalSink &) = delete;
  const skh_principals *raw() const noexcept { return raw_.get(); }

  // Returns why the answer of a call that returned `status` is void: the plugin has broken a rule
  // of accept(). Empty if it has not, so the status counts.
  std::string_view faultAfter(skh_status status) const noexcept;
  AuthPrincipal principal; // valid only after SKH_OK without a fault

private:
  skh_status accept(const skh_principal *raw);
  const CallFrame &frame_;
  std::size_t accepted_ = 0;
  std::string_view fault_; // of the first one, if it breaks a rule
  Raw raw_;
};

} // namespace skillhost

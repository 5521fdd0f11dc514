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

  // Returns why the answer is void; empty after exactly one good principal.
  std::string_view fault() const noexcept;
  AuthPrincipal principal; // valid only if there is no fault

private:
  skh_status accept(const skh_principal *raw);
  const CallFrame &frame_;
  std::size_t accepted_ = 0;
  std::string_view fault_; // of the first one, if it breaks a rule
  Raw raw_;
};

} // namespace skillhost

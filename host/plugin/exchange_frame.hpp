// SPDX-License-Identifier: Apache-2.0
// The client behind a call as tools.h describes it.
#pragma once

#include "frame.hpp"
#include "plugin/tools.hpp"

#include <skillhost/tools.h>

namespace skillhost {

// Exists until the plugin's function has returned, as the frame and the exchange do.
class ExchangeFrame {
public:
  ExchangeFrame(const CallFrame &frame, const Exchange &exchange);
  ExchangeFrame(const ExchangeFrame &) = delete;
  ExchangeFrame &operator=(const ExchangeFrame &) = delete;
  const skh_exchange *raw() const noexcept { return &raw_.base; }

private:
  struct Raw {
    skh_exchange base;
    const ExchangeFrame *owner;
  };
  static const ExchangeFrame &of(const skh_exchange *raw) noexcept;
  static skh_status log(const skh_exchange *raw, int32_t level, skh_str logger,
                        skh_str data) noexcept;
  static skh_status ask(const skh_exchange *raw, skh_str method, skh_str params,
                        const skh_bytes *answer) noexcept;

  const CallFrame &frame_;
  const Exchange &exchange_;
  Raw raw_;
};

} // namespace skillhost

// SPDX-License-Identifier: Apache-2.0
// Represents the client of a call in a runner. Messages to the client go to the host beside the
// answer.
#pragma once

#include "process/runner_call.hpp"

#include <skillhost/tools.h>

#include <atomic>

namespace skillhost::process {

class RunnerExchange {
public:
  // Reads its part of the request: flags, capabilities, input responses, request state and caller.
  // The texts stay borrowed.
  RunnerExchange(RunnerCall &call, Unpacker &from);
  RunnerExchange(const RunnerExchange &) = delete;
  RunnerExchange &operator=(const RunnerExchange &) = delete;
  const skh_exchange *raw() const noexcept { return &raw_.base; }

private:
  struct Raw {
    skh_exchange base;
    RunnerExchange *owner;
  };
  static RunnerExchange &of(const skh_exchange *raw) noexcept;
  static skh_status log(const skh_exchange *raw, int32_t level, skh_str logger,
                        skh_str data) noexcept;
  static skh_status ask(const skh_exchange *raw, skh_str method, skh_str params,
                        const skh_bytes *answer) noexcept;

  RunnerCall &call_;
  std::atomic<std::uint32_t> questions_{0};
  Raw raw_;
};

} // namespace skillhost::process

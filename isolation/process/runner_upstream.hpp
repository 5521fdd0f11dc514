// SPDX-License-Identifier: Apache-2.0
// The source that a filter wraps, as the runner lends it to the filter. The host performs the
// calls.
#pragma once

#include "ground/c_table.hpp"
#include "process/runner_call.hpp"

#include <skillhost/upstream.h>

#include <string>

namespace skillhost::process {

class RunnerUpstream {
public:
  using Raw = OwnedTable<skh_upstream>;
  explicit RunnerUpstream(std::string name);
  RunnerUpstream(const RunnerUpstream &) = delete;
  RunnerUpstream &operator=(const RunnerUpstream &) = delete;
  const skh_upstream *raw() const noexcept { return raw_.get(); }

private:
  skh_status list(const skh_call *call, const skh_documents *out);
  skh_status changes(const skh_call *call, skh_str since, const skh_documents *out);
  skh_status read(const skh_call *call, const skh_document *which, const skh_bytes *out);
  skh_status readEach(const skh_call *call, const skh_document *const *which, size_t count,
                      const skh_readings *out);
  skh_status facts(const skh_call *call, skh_str snapshot, const skh_bytes *out);

  const std::string name_;
  Raw raw_;
};

} // namespace skillhost::process

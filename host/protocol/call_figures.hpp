// SPDX-License-Identifier: Apache-2.0
// Counts what is asked and how it goes: by method, and by tool.
#pragma once

#include "base/fault.hpp"
#include "base/metrics.hpp"

#include <map>
#include <string>
#include <string_view>

namespace skillhost {

class Call;

// Any thread. A method nobody knows counts as "other", a skill that is a tool as "skill", so that
// no client can make new series.
class CallFigures {
public:
  explicit CallFigures(metrics::Registry &registry = metrics::all());

  // A call has its answer, or will never have one.
  void finished(const Call &call);
  // A call of a tool fails, in words of the envelope.
  void failed(const Call &call, Fault fault);

private:
  using Histograms = std::map<std::string, metrics::Histogram *, std::less<>>;
  void add(Histograms &to, const char *series, const char *label, std::string_view value);

  metrics::Registry &registry_;
  Histograms methods_, tools_; // filled before the first call, never changed
};

} // namespace skillhost

// SPDX-License-Identifier: Apache-2.0
#include "network/permit.hpp"

#include "base/log.hpp"
#include "base/metrics.hpp"
#include "ground/counted.hpp"

#include <utility>

namespace skillhost::network {
namespace {

constexpr std::chrono::minutes span{1};
constexpr std::size_t maxLines = 10; // lines in a span

} // namespace

void Permit::reportRefused(const std::string &what, const std::string &why) {
  metrics::all().counter({"skillhost_network_refused_total", {{"instance", instance}}}).add();
  const auto now = std::chrono::steady_clock::now();
  if (logged_ == 0 || now - since_ >= span) {
    since_ = now;
    logged_ = 0;
    if (const std::size_t count = std::exchange(silent_, 0); count != 0)
      log::warning("network", instance + ": " + counted(count, "more connection") +
                                  (count == 1 ? " was" : " were") + " refused");
  }
  if (logged_ == maxLines) {
    ++silent_;
    return;
  }
  ++logged_;
  log::warning("network", instance + ": connection to " + what + " refused, " + why);
}

} // namespace skillhost::network

// SPDX-License-Identifier: Apache-2.0
#include "process/runner_host.hpp"

#include "process/text.hpp"

#include "ground/utf8.hpp"

namespace skillhost::process {
namespace {

constexpr std::size_t maxMetricNameBytes = 200;
constexpr std::size_t maxHealthBytes = 1000;

} // namespace

RunnerHost::RunnerHost(const Start &start, FrameSocket &control)
    : outbox_(control), pin_{sizeof(skh_pin), start.pinMode, toSkhStr(start.pinned)},
      health_{{sizeof(skh_health), 0, &tellHealth}, this},
      upstream_(start.upstream.empty() ? nullptr
                                       : std::make_unique<RunnerUpstream>(start.upstream)),
      raw_{{sizeof(skh_host), SKH_ABI_MINOR, toSkhStr("skillhost"), toSkhStr(start.hostVersion),
            toSkhStr(start.instance), toSkhStr(start.config), toSkhStr(start.cacheDirectory), &log,
            &metric, &changed, &extension},
           this} {}

void RunnerHost::tellReady() {
  Packer packer = telling(Record::Ready);
  packer.u8(asked_);
  outbox_.send(packer);
}

void RunnerHost::tellRefused(skh_status status, std::string_view why) {
  Packer packer = telling(Record::Refused);
  packer.i32(status);
  packer.text(why);
  outbox_.send(packer);
}

RunnerHost &RunnerHost::of(const skh_host *raw) noexcept {
  return *reinterpret_cast<const Raw *>(raw)->owner; // base is the first member of Raw
}

void RunnerHost::log(const skh_host *raw, int32_t level, skh_str message) noexcept try {
  // Long enough to show that the message was cut.
  of(raw).outbox_.log(level, cutUtf8(toStringView(message), maxPluginLineBytes + 4));
} catch (...) {
  // Out of memory: the line is lost.
}

void RunnerHost::metric(const skh_host *raw, int32_t kind, skh_str name, double value) noexcept
    try {
  of(raw).outbox_.metric(kind, cutUtf8(toStringView(name), maxMetricNameBytes), value);
} catch (...) {
  // Out of memory: the metric is lost.
}

void RunnerHost::changed(const skh_host *raw) noexcept try {
  of(raw).outbox_.changed();
} catch (...) {
  // Out of memory: the host polls by itself after a while.
}

void RunnerHost::tellHealth(const skh_health *raw, int32_t state, skh_str why) noexcept try {
  RunnerHost &host = *reinterpret_cast<const RawHealth *>(raw)->owner; // base is the first member
  host.outbox_.health(state, cutUtf8(toStringView(why), maxHealthBytes));
} catch (...) {
  // Out of memory: the previous state stays.
}

const void *RunnerHost::extension(const skh_host *raw, const char *id) noexcept {
  if (id == nullptr) return nullptr;
  RunnerHost &host = of(raw);
  if (std::string_view(id) == SKH_HEALTH) return &host.health_.base;
  if (std::string_view(id) == SKH_UPSTREAM) {
    if (!host.upstream_) return nullptr;
    host.asked_ |= askedForUpstream;
    return host.upstream_->raw();
  }
  if (std::string_view(id) != SKH_PIN) return nullptr;
  host.asked_ |= askedForPin;
  return &host.pin_;
}

} // namespace skillhost::process

// SPDX-License-Identifier: Apache-2.0
// pin: a source that asks which snapshot to serve must serve that one or fail.
#include "cases.hpp"
#include "source_calls.hpp"

#include "ground/utf8.hpp"

#include <skillhost/pin.h>

#include <chrono>
#include <utility>
#include <vector>

namespace skillhost::check {
namespace {

// A source may use all of this time to look for a snapshot that does not exist.
constexpr std::chrono::seconds timeToLook{2};

std::string shown(const std::string &snapshot) {
  return '"' + mendUtf8(cutUtf8(snapshot, 100)) + '"';
}

void expectOnly(const std::string &pinned, const std::string &call, skh_status status,
                const DocumentSink &sink) {
  if (status == SKH_OK && sink.snapshot != pinned)
    fail(call + " names the snapshot " + shown(sink.snapshot) + ", and is held to " + shown(pinned),
         "who asks for SKH_PIN serves what skh_pin names, or fails");
}

// Returns true if the source lists the pinned snapshot.
bool servesOnly(Probe &probe, const skh_plugin &plugin, const std::string &snapshot) {
  const ProcessState before = ProcessState::now();
  bool served = false;
  {
    const StandInHost host(probe.configuration(), probe.cacheDirectory(), {snapshot});
    const Created created = create(probe, plugin, host);
    if (created.status != SKH_OK) return false;
    const auto &source = *static_cast<const skh_source *>(plugin.ops);
    probe.step("list() of the snapshot " + shown(snapshot));
    DocumentSink listed;
    const StandInCall call(StandInCall::Clock::now() + timeToLook);
    const skh_status status = source.list(created.self, call.raw(), listed.raw());
    expectOnly(snapshot, "list()", status, listed);
    served = status == SKH_OK;
    if (SKH_HAS(&source, changes) && source.changes != nullptr) {
      probe.step("changes() since the snapshot " + shown(snapshot));
      DocumentSink changed;
      const StandInCall soon(StandInCall::Clock::now() + timeToLook);
      expectOnly(snapshot, "changes()",
                 source.changes(created.self, soon.raw(), borrow(snapshot), changed.raw()),
                 changed);
    }
    probe.step("destroy()");
    plugin.destroy(created.self);
  }
  expectAsBefore(before);
  return served;
}

// Returns a name in the same form that the source has never used.
std::string neighbourOf(std::string snapshot) {
  snapshot.back() = snapshot.back() == '0' ? '1' : '0';
  return snapshot;
}

} // namespace

void checkPin(Probe &probe) {
  probe.note("does not ask which snapshot to serve");
  std::vector<std::pair<const skh_plugin *, std::string>> heeding;
  eachInstance(probe, "skh.source/1", [&](Instance &instance) {
    const bool asked = instance.host.askedForPin();
    const Listing listing = list(probe, instance);
    if (!asked && instance.host.askedForPin())
      fail("SKH_PIN is asked for after create()", "ask in create(): the host counts on it then");
    if (asked) heeding.emplace_back(&instance.plugin, listing.snapshot);
  });
  // Instances run one after the other, because they share one cache directory.
  for (const auto &[plugin, snapshot] : heeding) {
    for (const std::string &unknown : {neighbourOf(snapshot), std::string("never-named")})
      if (servesOnly(probe, *plugin, unknown))
        fail("list() names the snapshot " + shown(unknown) + ", which nobody has named before",
             "fail when the snapshot that is asked for cannot be had");
    if (!servesOnly(probe, *plugin, snapshot))
      probe.warn("the snapshot that was listed just now cannot be had by an instance that is held "
                 "to it",
                 "keep what a snapshot consists of, or get it again");
    probe.note("serves the snapshot that it is held to, and no other");
  }
}

} // namespace skillhost::check

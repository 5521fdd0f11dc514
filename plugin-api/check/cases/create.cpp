// SPDX-License-Identifier: Apache-2.0
// create: all kinds of configurations, and a hundred instances one after the other.
#include "cases.hpp"
#include "instance.hpp"

#include <array>
#include <cstddef>

namespace skillhost::check {
namespace {

constexpr int warmUp = 20, cycles = 100;
// Limit of memory growth over all cycles. An allocator may keep less than this.
constexpr std::size_t maxMemoryGrowth = 8 * 1024 * 1024;

// A host never passes these, because it validates the schema first. The plugin may accept or refuse
// them but must survive.
constexpr std::array<std::string_view, 7> strange{
    "",
    "{",
    "[]",
    "null",
    R"({"":{"":[1e308,-0.0,"\ud83d\ude00",null,true]}})",
    R"({"path":7,"paths":"x","file":[],"url":{},"token":false})",
    "\xff\xfe"};

void live(Probe &probe, const skh_plugin &plugin) {
  const StandInHost host(probe.configuration(), probe.cacheDirectory());
  const Created created = create(probe, plugin, host);
  if (created.status != SKH_OK)
    fail("create() fails with " + statusName(created.status) + " after it has succeeded" +
         inBrackets(created.message));
  probe.step("destroy()");
  plugin.destroy(created.self);
}

void growth(Probe &probe, const skh_plugin &plugin) {
  for (int i = 0; i < warmUp; ++i) live(probe, plugin);
  const ProcessState before = ProcessState::now();
  for (int i = warmUp; i < cycles; ++i) live(probe, plugin);
  const ProcessState after = settledState(before.threads);
  std::string more = differences(before, after);
  if (more.empty()) more = addedDescriptors(before, after);
  if (more.empty() && !freedMemoryIsKept() &&
      after.residentBytes > before.residentBytes + maxMemoryGrowth)
    more = std::to_string((after.residentBytes - before.residentBytes) / (1024 * 1024)) +
           " MiB more memory";
  endChildren(after);
  if (!more.empty())
    fail(std::to_string(cycles - warmUp) + " times create() and destroy(): " + more,
         "destroy() gives back all that create() took");
}

} // namespace

void checkCreate(Probe &probe) {
  unsigned count = 0;
  for (const skh_plugin *const plugin : knownPlugins(probe.loadEntry())) {
    ++count;
    const ProcessState before = ProcessState::now();
    for (const std::string_view text : strange) {
      const StandInHost host{std::string(text), probe.cacheDirectory()};
      const Created created = create(probe, *plugin, host);
      if (created.status != SKH_OK) continue;
      probe.step("destroy()");
      plugin->destroy(created.self);
    }
    expectAsBefore(before);
    // The first run creates everything that later runs are compared with.
    withInstance(probe, *plugin, probe.cacheDirectory(), [](Instance &) {});
    growth(probe, *plugin);
  }
  if (count == 0) skip("none of its plugins is of a kind that is known");
  probe.note(freedMemoryIsKept()
                 ? "a hundred lives leave nothing behind; memory was not compared, as "
                   "AddressSanitizer keeps what is freed"
                 : "a hundred lives leave nothing behind");
}

} // namespace skillhost::check

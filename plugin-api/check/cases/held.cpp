// SPDX-License-Identifier: Apache-2.0
// held: a search plugin must list exactly the entries that were put and committed.
#include "cases.hpp"
#include "search_calls.hpp"

#include "ground/utf8.hpp"

#include <skillhost/held.h>

#include <map>

namespace skillhost::check {
namespace {

using Revisions = std::map<std::string, std::string>;

const skh_held *tableOf(const Instance &instance) {
  const skh_plugin &plugin = instance.plugin;
  if (!SKH_HAS(&plugin, extension) || plugin.extension == nullptr) return nullptr;
  const auto *const table =
      static_cast<const skh_held *>(plugin.extension(instance.self, SKH_HELD));
  const bool isTable = SKH_IS_HELD(table);
  return isTable ? table : nullptr; // unknown-ext reports a plugin that answers any id
}

Revisions held(Probe &probe, const Instance &instance, const skh_held &table) {
  probe.step("held()");
  const HeldSink sink;
  const StandInCall call(patience());
  const skh_status status = table.held(instance.self, call.raw(), sink.raw());
  if (status != SKH_OK)
    fail("held() returns " + statusName(status) + inBrackets(call.message()),
         "nothing is an empty list");
  Revisions all;
  for (const HeldPair &one : sink.entries)
    if (!all.emplace(one.id, one.revision).second)
      fail("held() names " + mendUtf8(cutUtf8(one.id, 100)) + " twice", "each id once");
  return all;
}

void expectHeld(Probe &probe, const Instance &instance, const skh_held &table,
                const Revisions &expected, const std::string &when) {
  const Revisions found = held(probe, instance, table);
  for (const auto &[id, revision] : expected)
    if (const auto it = found.find(id); it == found.end())
      fail("held() does not name " + id + ' ' + when, "every entry that the last commit shows");
    else if (it->second != revision)
      fail("held() names revision \"" + mendUtf8(cutUtf8(it->second, 100)) + "\" of " + id + ' ' +
               when + "; it was put with \"" + revision + '"',
           "keep the revision of each entry as put() was told it");
  for (const auto &[id, revision] : found)
    if (!expected.contains(id))
      fail("held() names " + mendUtf8(cutUtf8(id, 100)) + ' ' + when +
               ", which no commit has made visible",
           "only what query() may find now");
}

void checkRefusal(Probe &probe, const Instance &instance, const skh_held &table) {
  for (const std::size_t room : {0U, 1U, 3U, 7U}) {
    probe.step("held() while the sink refuses after " + std::to_string(room) + " entries");
    const HeldSink sink(room);
    const StandInCall call(patience());
    const skh_status status = table.held(instance.self, call.raw(), sink.raw());
    if (status == SKH_OK)
      fail("held() returns SKH_OK although the sink has refused", "return the sink's status");
    if (sink.afterRefusal != 0)
      fail("held() goes on after the sink has refused", "return the sink's status at once");
  }
}

void checkInstance(Probe &probe, Instance &instance, Revisions &committed) {
  const skh_held *const table = tableOf(instance);
  if (table == nullptr) return;
  if (generationOf(probe, instance).empty())
    expectHeld(probe, instance, *table, {}, "before anything was put");
  const std::vector<SampleEntry> entries = sampleEntries(20);
  for (const SampleEntry &entry : entries) putEntry(probe, instance, entry);
  commitIndex(probe, instance, "one");
  for (const SampleEntry &entry : entries) committed[entry.id] = "1";
  expectHeld(probe, instance, *table, committed, "after commit()");
  checkRefusal(probe, instance, *table);
  // Changes an entry, adds new ones, one with an empty revision, and removes one. All this is
  // invisible first and visible at once after the commit.
  Revisions next = committed;
  const std::vector<SampleEntry> more = sampleEntries(23);
  for (const SampleEntry &entry : more)
    if (!committed.contains(entry.id)) {
      putEntry(probe, instance, entry, "new");
      next[entry.id] = "new";
    }
  putEntry(probe, instance, entries[0], "2");
  putEntry(probe, instance, entries[1], "");
  removeEntry(probe, instance, entries[2].id);
  next[entries[0].id] = "2";
  next[entries[1].id] = "";
  next.erase(entries[2].id);
  expectHeld(probe, instance, *table, committed, "before commit()");
  commitIndex(probe, instance, "two");
  committed = next;
  expectHeld(probe, instance, *table, committed, "after a second commit()");
  probe.note("names what was committed, with its revisions");
}

// If the index was kept, a second instance must list the same entries and find them.
void checkReopened(Probe &probe, Instance &instance, const Revisions &committed) {
  const skh_held *const table = tableOf(instance);
  if (table == nullptr || generationOf(probe, instance).empty()) return;
  expectHeld(probe, instance, *table, committed, "in a second instance on the same cache");
  Revisions found;
  for (const FoundHit &hit : query(probe, instance, sampleQuery, 100)) found[hit.id];
  for (const auto &[id, revision] : committed)
    if (!found.contains(id))
      fail("a second instance names " + id + " in held(), and does not find it",
           "what is not there as a whole must not be named");
  probe.note("names what was committed, with its revisions, also in a second instance");
}

} // namespace

void checkHeld(Probe &probe) {
  probe.note("does not say what it holds");
  std::vector<Revisions> committed;
  eachInstance(probe, searchKind, [&](Instance &instance) {
    checkInstance(probe, instance, committed.emplace_back());
  });
  std::size_t next = 0;
  eachInstance(probe, searchKind,
               [&](Instance &instance) { checkReopened(probe, instance, committed[next++]); });
}

} // namespace skillhost::check

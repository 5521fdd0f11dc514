// SPDX-License-Identifier: Apache-2.0
// search: nothing may be visible before commit(). Hits must be ours, finite, sorted and within the
// limit.
#include "cases.hpp"
#include "search_calls.hpp"

#include "ground/utf8.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace skillhost::check {
namespace {

void checkHits(const Instance &instance, const std::vector<FoundHit> &hits, std::uint32_t limit,
               const std::vector<SampleEntry> &entries) {
  if (hits.size() > limit)
    fail("query() gives " + std::to_string(hits.size()) + " hits where at most " +
             std::to_string(limit) + " were asked for",
         "stop at the limit");
  std::set<std::string> seen;
  for (const FoundHit &hit : hits) {
    if (!std::isfinite(hit.score)) fail("query() gives a score that is not finite");
    if ((instance.plugin.flags & SKH_CALIBRATED) != 0 && (hit.score < 0 || hit.score > 1))
      fail("query() gives a score of " + std::to_string(hit.score) + " under SKH_CALIBRATED",
           "give scores from 0 to 1, or leave the flag out");
    if (std::none_of(entries.begin(), entries.end(),
                     [&](const SampleEntry &entry) { return entry.id == hit.id; }))
      fail("query() gives a hit that was never put: " + mendUtf8(cutUtf8(hit.id, 100)));
    if (!seen.insert(hit.id).second) fail("query() gives " + hit.id + " twice");
    if (!isUtf8(hit.snippet)) fail("a snippet is not UTF-8");
  }
  for (std::size_t i = 1; i < hits.size(); ++i) {
    if (hits[i - 1].score < hits[i].score)
      fail("the hits are not sorted: a score of " + std::to_string(hits[i].score) +
               " comes after " + std::to_string(hits[i - 1].score),
           "the best first");
    if (hits[i - 1].score == hits[i].score && hits[i - 1].id > hits[i].id)
      fail("hits of equal scores are not in order of id", "equal scores in order of id");
  }
}

void checkFilter(Probe &probe, const Instance &instance, const std::vector<SampleEntry> &entries) {
  const std::vector<FoundHit> even =
      query(probe, instance, sampleQuery, 100, R"({"category":["even"]})");
  for (const FoundHit &hit : even)
    for (const SampleEntry &entry : entries)
      if (entry.id == hit.id && entry.attributes.find("\"even\"") == std::string::npos)
        fail("a filter by category lets another category through",
             "an entry must have one of the values, for every name of the filter");
}

void checkIndex(Probe &probe, Instance &instance) {
  const std::vector<SampleEntry> entries = sampleEntries(20);
  for (const SampleEntry &entry : entries) putEntry(probe, instance, entry);
  if (!query(probe, instance, sampleQuery, 10).empty())
    fail("query() finds what is not committed", "put() is seen from commit() on, all at once");
  commitIndex(probe, instance, "one");
  if (const std::string found = generationOf(probe, instance); found != "one")
    fail("generation() says \"" + mendUtf8(cutUtf8(found, 100)) + R"(" after commit("one"))",
         "give back the text of the last commit()");
  const std::vector<FoundHit> hits = query(probe, instance, sampleQuery, 100);
  if (hits.empty()) fail("query() finds nothing for words that every entry has in its description");
  checkHits(instance, hits, 100, entries);
  checkHits(instance, query(probe, instance, sampleQuery, 5), 5, entries);
  checkHits(instance, query(probe, instance, "zzyzx", 5), 5, entries);
  checkHits(instance, query(probe, instance, "", 5), 5, entries);
  checkFilter(probe, instance, entries);
  removeEntry(probe, instance, hits.front().id);
  commitIndex(probe, instance, "two");
  for (const FoundHit &hit : query(probe, instance, sampleQuery, 100))
    if (hit.id == hits.front().id) fail("query() finds an entry that was removed and committed");
}

// A second instance must have kept its index and be able to use it, or report that it is new.
void checkReopened(Probe &probe, Instance &instance) {
  const std::string generation = generationOf(probe, instance);
  if (generation.empty()) return;
  if (generation != "two")
    fail("a second instance on the same cache says generation \"" +
             mendUtf8(cutUtf8(generation, 100)) + R"("; the last commit was "two")",
         "the last one committed, or nothing when the index is new or damaged");
  if (query(probe, instance, sampleQuery, 10).empty())
    fail("a second instance says generation \"two\", and finds nothing",
         "an index that cannot be used says no generation, so that the host puts everything again");
}

} // namespace

void checkSearch(Probe &probe) {
  eachInstance(probe, searchKind, [&](Instance &instance) { checkIndex(probe, instance); });
  eachInstance(probe, searchKind, [&](Instance &instance) { checkReopened(probe, instance); });
  probe.note("isolated until commit, sorted, within the limit");
}

} // namespace skillhost::check

// SPDX-License-Identifier: Apache-2.0
// facts: the facts of a source must be a JSON object by the rules of facts.h, about skills that it
// has listed.
#include "cases.hpp"
#include "source_calls.hpp"

#include "ground/counted.hpp"
#include "ground/json.hpp"
#include "ground/utf8.hpp"
#include "handlers/fact_rules.hpp"

#include <skillhost/facts.h>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost::check {
namespace {

constexpr std::size_t maxFactBytes = 16U << 20U;

void checkFactsOf(const std::string &skill, const Json &said, const Listing &listing) {
  const bool known =
      skill == "*" || // all of them
      std::any_of(listing.documents.begin(), listing.documents.end(),
                  [&](const ListedDocument &document) { return document.skill == skill; });
  if (!known)
    fail("facts() speaks of " + skill + ", which list() has not named",
         "facts are by the skill's name in the snapshot that is asked about");
  if (!said.is_object()) fail("facts(): what it says of " + skill + " is no object");
  for (const auto &[name, value] : said.items()) {
    const std::string which = std::string(cutUtf8(name, maxFactNameBytes)) + " of " + skill;
    if (!isFactName(name))
      fail("facts(): " + which + " is no name of a fact",
           "at most 64 of a-z 0-9 . _ - that begin with a letter; the host leaves it out");
    if (value.is_string() && !isFactValue(value))
      fail("facts(): " + which + " is longer than " + std::to_string(maxFactTextBytes) + " bytes",
           "the host leaves it out");
    if (!isFactValue(value))
      fail("facts(): " + which + " is neither text, number, true nor false",
           "the host leaves it out");
  }
  if (said.size() > maxFacts)
    fail("facts(): " + skill + " has " + std::to_string(said.size()) + " facts",
         "a skill has at most " + std::to_string(maxFacts) + "; the host leaves out the others");
}

void checkNoneTwice(const std::string &skill, const Json &said, const Json &ofAll) {
  for (const auto &[name, value] : said.items())
    if (name != "path" && ofAll.contains(name))
      fail("facts(): " + name + " is said of all skills, and of " + skill + " too",
           "the host leaves out what is said of the one");
}

} // namespace

void checkFacts(Probe &probe) {
  probe.note("says nothing of its skills");
  eachInstance(probe, "skh.source/1", [&](Instance &instance) {
    const skh_plugin &plugin = instance.plugin;
    if (!SKH_HAS(&plugin, extension) || plugin.extension == nullptr) return;
    const auto *const table =
        static_cast<const skh_facts *>(plugin.extension(instance.self, SKH_FACTS));
    const bool isTable = SKH_IS_FACTS(table);
    if (!isTable) return; // unknown-ext reports a plugin that answers any id
    const Listing listing = list(probe, instance);
    probe.step("facts()");
    ByteSink sink(maxFactBytes);
    const StandInCall call(patience());
    const skh_status status =
        table->facts(instance.self, call.raw(), borrow(listing.snapshot), sink.raw());
    if (status == SKH_UNSUPPORTED) return;
    if (status != SKH_OK)
      fail("facts() of the snapshot just listed returns " + statusName(status) +
           inBrackets(call.message()));
    const Result<Json> read = parseJson(sink.bytes);
    if (!read) fail("facts() gives no JSON: " + read.failure().message);
    if (!read->is_object()) fail("facts() gives no JSON object", R"({"skill":{"name":"value"}})");
    for (const auto &[skill, said] : read->items()) checkFactsOf(skill, said, listing);
    if (read->contains("*"))
      for (const auto &[skill, said] : read->items())
        if (skill != "*") checkNoneTwice(skill, said, read->at("*"));
    const std::size_t single = read->size() - (read->contains("*") ? 1 : 0);
    probe.note("facts of " + counted(single, "skill") +
               (read->contains("*") ? ", and of all of them" : ""));
  });
}

} // namespace skillhost::check

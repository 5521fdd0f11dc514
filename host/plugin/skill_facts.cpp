// SPDX-License-Identifier: Apache-2.0
#include "skill_facts.hpp"

#include "base/log.hpp"
#include "ground/json.hpp"
#include "ground/utf8.hpp"
#include "handlers/fact_rules.hpp"
#include "sinks.hpp"

#include <skillhost/facts.h>

#include <nlohmann/json.hpp>

namespace skillhost {
namespace {

constexpr std::size_t maxFactBytes = 16U << 20U;
constexpr const char *ofAll = "*", *continuedPath = "path";

} // namespace

SkillFacts readFacts(std::string_view text, std::string &complaint) {
  SkillFacts facts;
  const auto complain = [&](const std::string &what) {
    if (complaint.empty()) complaint = what;
  };
  const Result<Json> all = parseJson(text);
  if (!all || !all->is_object()) {
    complain(all ? "they are not a JSON object" : all.failure().message);
    return facts;
  }
  const auto common = all->find(ofAll);
  const auto isSaidOfAll = [&](const std::string &name) {
    return name != continuedPath && common != all->end() && common->is_object() &&
           common->contains(name);
  };
  for (const auto &[skill, skillFacts] : all->items()) {
    if (!skillFacts.is_object()) {
      complain(skill + ": is not an object");
      continue;
    }
    Json kept = Json::object();
    for (const auto &[name, value] : skillFacts.items())
      if (skill != ofAll && isSaidOfAll(name))
        complain(skill + ": " + std::string(cutUtf8(name, maxFactNameBytes)) +
                 " is already a fact of all skills");
      else if (isFactName(name) && isFactValue(value) && kept.size() < maxFacts)
        kept[name] = value;
      else
        complain(skill + ": " + std::string(cutUtf8(name, maxFactNameBytes)) +
                 " is not a valid fact, or exceeds the number of facts of a skill");
    if (!kept.empty()) facts[skill] = kept.dump();
  }
  return facts;
}

SkillFacts askForFacts(const Instance &instance, CallFrame &frame, const std::string &snapshot) {
  const auto *const table = static_cast<const skh_facts *>(instance.extensionOf(SKH_FACTS));
  const bool isTable = SKH_IS_FACTS(table);
  if (!isTable) return {};
  BytesSink sink(frame, maxFactBytes, 0);
  const skh_status status =
      table->facts(instance.self(), frame.raw(), borrow(snapshot), sink.raw());
  if (status == SKH_UNSUPPORTED) return {};
  std::string complaint;
  if (sink.hasOverflowed())
    complaint = "they are more than " + std::to_string(maxFactBytes) + " bytes";
  if (status != SKH_OK && complaint.empty())
    complaint = frame.failure(status, instance.name(), "facts").message;
  SkillFacts facts;
  if (complaint.empty()) facts = readFacts(sink.bytes(), complaint);
  if (!complaint.empty())
    log::warning(instance.name(), "some facts about its skills are left out: " + complaint);
  return facts;
}

} // namespace skillhost

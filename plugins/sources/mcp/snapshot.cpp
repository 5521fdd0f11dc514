// SPDX-License-Identifier: Apache-2.0
#include "snapshot.hpp"

#include "ground/sha256.hpp"
#include "ground/time_text.hpp"

#include <skillhost/facts.hpp>

#include <algorithm>
#include <utility>

namespace skillhost::mcp_source {

SkillPointer Snapshot::find(std::string_view wanted) const noexcept {
  const auto found = std::lower_bound(
      skills.begin(), skills.end(), wanted,
      [](const SkillPointer &skill, std::string_view name) { return skill->id < name; });
  return found != skills.end() && (*found)->id == wanted ? *found : nullptr;
}

const StoredDocument *findDocument(const StoredSkill &skill, std::string_view path) noexcept {
  const auto found = std::lower_bound(
      skill.documents.begin(), skill.documents.end(), path,
      [](const StoredDocument &document, std::string_view name) { return document.path < name; });
  return found != skill.documents.end() && found->path == path ? &*found : nullptr;
}

SnapshotPointer makeSnapshot(std::vector<SkillPointer> skills, std::string server,
                             ServerFacts facts) {
  std::sort(skills.begin(), skills.end(),
            [](const SkillPointer &a, const SkillPointer &b) { return a->id < b->id; });
  std::string all; // no id, no path and no URI of a skill has a control character
  for (const SkillPointer &skill : skills) {
    all.append(skill->id).append("\n").append(skill->uri).append("\n");
    all.append(sha256Hex(skill->folder)).append(skill->through) += '\n';
    for (const StoredDocument &document : skill->documents)
      all.append("\t").append(document.revision).append(document.path) += '\n';
  }
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->id = sha256Hex(all);
  snapshot->skills = std::move(skills);
  snapshot->server = std::move(server);
  snapshot->facts = std::move(facts);
  return snapshot;
}

std::string factsOf(const Snapshot &snapshot) {
  skh::FactsText out;
  out.about("*");
  out.add("kind", "mcp");
  out.add("server", snapshot.server);
  out.add("server_name", snapshot.facts.name);
  out.add("server_version", snapshot.facts.version);
  out.add("protocol", snapshot.facts.protocol);
  out.add("integrity", "sha256");
  out.add("signature", "none");
  for (const SkillPointer &skill : snapshot.skills) {
    out.about(skill->id);
    out.add("uri", skill->uri);
    if (!skill->through.empty()) out.add("through", skill->through);
    if (skill->fetched > 0) out.add("fetched_at", timeText(skill->fetched));
  }
  return out.take();
}

void compare(const Snapshot &before, const Snapshot &after,
             const std::function<void(const StoredSkill &, const StoredDocument &, bool)> &tell) {
  for (const SkillPointer &old : before.skills) {
    const SkillPointer now = after.find(old->id);
    if (now == old) continue;
    for (const StoredDocument &document : old->documents)
      if (!now || findDocument(*now, document.path) == nullptr) tell(*old, document, true);
  }
  for (const SkillPointer &now : after.skills) {
    const SkillPointer old = before.find(now->id);
    if (now == old) continue;
    for (const StoredDocument &document : now->documents) {
      const StoredDocument *const was = old ? findDocument(*old, document.path) : nullptr;
      if (was == nullptr || was->revision != document.revision) tell(*now, document, false);
    }
  }
}

} // namespace skillhost::mcp_source

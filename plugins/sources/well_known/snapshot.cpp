// SPDX-License-Identifier: Apache-2.0
#include "snapshot.hpp"

#include "ground/sha256.hpp"
#include "ground/time_text.hpp"

#include <skillhost/facts.hpp>

#include <algorithm>

namespace skillhost::well_known {
namespace {

// Removes the query, which may contain the signature that grants access.
std::string withoutSecret(const std::string &url) { return url.substr(0, url.find('?')); }

} // namespace

SkillPointer Snapshot::find(std::string_view name) const noexcept {
  const auto found = std::lower_bound(skills.begin(), skills.end(), name,
                                      [](const SkillPointer &skill, std::string_view wanted) {
                                        return skill->entry.name < wanted;
                                      });
  return found != skills.end() && (*found)->entry.name == name ? *found : nullptr;
}

const StoredDocument *findDocument(const StoredSkill &skill, std::string_view path) noexcept {
  const auto found = std::lower_bound(skill.documents.begin(), skill.documents.end(), path,
                                      [](const StoredDocument &document, std::string_view wanted) {
                                        return document.path < wanted;
                                      });
  return found != skill.documents.end() && found->path == path ? &*found : nullptr;
}

SnapshotPointer makeSnapshot(std::vector<SkillPointer> skills, std::string index,
                             std::string indexDigest, bool isVerified) {
  std::sort(skills.begin(), skills.end(), [](const SkillPointer &a, const SkillPointer &b) {
    return a->entry.name < b->entry.name;
  });
  std::string all;
  for (const SkillPointer &skill : skills)
    all += skill->entry.name + ' ' + skill->entry.digest + '\n';
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->id = sha256Hex(all);
  snapshot->skills = std::move(skills);
  snapshot->index = std::move(index);
  snapshot->indexDigest = std::move(indexDigest);
  snapshot->isVerified = isVerified;
  return snapshot;
}

std::string factsOf(const Snapshot &snapshot) {
  skh::FactsText out;
  out.about("*");
  out.add("kind", "well-known");
  out.add("index", withoutSecret(snapshot.index));
  if (!snapshot.indexDigest.empty()) out.add("index_digest", "sha256:" + snapshot.indexDigest);
  out.add("integrity", snapshot.isVerified ? "sha256" : "none");
  out.add("signature", "none");
  for (const SkillPointer &skill : snapshot.skills) {
    out.about(skill->entry.name);
    out.add("archive", withoutSecret(skill->entry.url));
    if (snapshot.isVerified) out.add("archive_digest", "sha256:" + skill->entry.digest);
    if (skill->fetched > 0) out.add("fetched_at", timeText(skill->fetched));
  }
  return out.take();
}

void compare(const Snapshot &before, const Snapshot &after,
             const std::function<void(const StoredSkill &, const StoredDocument &, bool)> &tell) {
  for (const SkillPointer &old : before.skills) {
    const SkillPointer now = after.find(old->entry.name);
    if (now == old) continue;
    for (const StoredDocument &document : old->documents)
      if (!now || findDocument(*now, document.path) == nullptr) tell(*old, document, true);
  }
  for (const SkillPointer &now : after.skills) {
    const SkillPointer old = before.find(now->entry.name);
    if (now == old) continue;
    for (const StoredDocument &document : now->documents) {
      const StoredDocument *const was = old ? findDocument(*old, document.path) : nullptr;
      if (was == nullptr || was->revision != document.revision || was->flags != document.flags)
        tell(*now, document, false);
    }
  }
}

} // namespace skillhost::well_known

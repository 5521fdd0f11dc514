// SPDX-License-Identifier: Apache-2.0
#include "snapshot.hpp"

#include "ground/blake3.hpp"
#include "ground/hexadecimal.hpp"

#include <skillhost/facts.hpp>

#include <algorithm>

namespace skillhost::store_source {
namespace {

void emitSkill(const ListedSkill &skill, const skh::Call &call, const skh::Documents &out) {
  call.point();
  for (const ListedFile &file : skill.files)
    // No location, because there is no such file to open, and opening one would bypass the
    // verification.
    out.add({skill.name,
             file.path,
             skill.checksum,
             file.length,
             file.path == "SKILL.md" ? std::uint32_t{SKH_DOC_ENTRY} : 0U,
             {}});
}

// Removes the files of `before` that `after` does not have; all of them if `after` is null.
void emitRemoved(const ListedSkill &before, const ListedSkill *after, const skh::Documents &out) {
  for (const ListedFile &file : before.files) {
    const bool stays = after != nullptr &&
                       std::any_of(after->files.begin(), after->files.end(),
                                   [&](const ListedFile &now) { return now.path == file.path; });
    if (stays) continue;
    skh::Document gone;
    gone.skill = before.name;
    gone.path = file.path;
    gone.flags = SKH_DOC_REMOVED;
    out.add(gone);
  }
}

} // namespace

const ListedSkill *Snapshot::find(std::string_view name) const noexcept {
  const auto found = std::lower_bound(
      skills.begin(), skills.end(), name,
      [](const ListedSkill &skill, std::string_view wanted) { return skill.name < wanted; });
  return found != skills.end() && found->name == name ? &*found : nullptr;
}

SnapshotPointer makeSnapshot(std::vector<ListedSkill> skills) {
  Blake3 hash;
  for (const ListedSkill &skill : skills)
    // The other facts are covered by the checksum.
    hash.add(skill.name + '/' + skill.checksum + ' ' + skill.integrity + ' ' + skill.signature +
             ' ' + skill.signer + '\n');
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->id = hexadecimal(hash.finish());
  snapshot->skills = std::move(skills);
  return snapshot;
}

std::string factsOf(const Snapshot &snapshot) {
  skh::FactsText out;
  out.about("*");
  out.add("kind", "store");
  for (const ListedSkill &skill : snapshot.skills) {
    out.about(skill.name);
    out.add("version", std::to_string(skill.version));
    out.add("origin", skill.origin);
    out.add("checksum", skill.checksum);
    out.add("content", skill.content);
    out.add("fetched_at", skill.saved);
    out.add("integrity", skill.integrity);
    out.add("signature", skill.signature);
    out.add("signer", skill.signer);
  }
  return out.take();
}

void emitAll(const Snapshot &snapshot, const skh::Call &call, const skh::Documents &out) {
  for (const ListedSkill &skill : snapshot.skills) emitSkill(skill, call, out);
}

void emitDifference(const Snapshot &before, const Snapshot &after, const skh::Call &call,
                    const skh::Documents &out) {
  for (const ListedSkill &old : before.skills) emitRemoved(old, after.find(old.name), out);
  for (const ListedSkill &skill : after.skills) {
    const ListedSkill *const old = before.find(skill.name);
    if (old == nullptr || old->checksum != skill.checksum) emitSkill(skill, call, out);
  }
}

} // namespace skillhost::store_source

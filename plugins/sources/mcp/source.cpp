// SPDX-License-Identifier: Apache-2.0
#include "source.hpp"

#include <string_view>

namespace skillhost::mcp_source {
namespace {

skh::Document documentOf(const StoredSkill &skill, const StoredDocument &document) {
  return {skill.id,
          document.path,
          document.revision,
          document.size,
          document.path == "SKILL.md" ? std::uint32_t{SKH_DOC_ENTRY} : 0U,
          {}};
}

struct Owner {
  SnapshotPointer snapshot;                 // keeps the document alive
  const StoredDocument *document = nullptr; // null: no kept snapshot has this revision
  bool knew = false;                        // a document of that name exists
};

Owner ownerOf(const std::vector<SnapshotPointer> &kept, const skh::Document &which) {
  Owner owner;
  for (const SnapshotPointer &one : kept) {
    const SkillPointer skill = one->find(which.skill);
    const StoredDocument *const document = skill ? findDocument(*skill, which.path) : nullptr;
    owner.knew = owner.knew || document != nullptr;
    if (document != nullptr && document->revision == which.revision) return {one, document, true};
  }
  return owner;
}

remote::FollowRules rulesOf(const Settings &settings) {
  return {settings.shownServer, settings.refreshEvery, settings.deadline,
          settings.limits.maxFetchBytes};
}

} // namespace

McpSource::McpSource(skh::Host host, const skh::Call & /*call*/)
    : MirroredSource(host, Settings(host.config()), &rulesOf) {
  const auto refresh = [this] { follower_.requestRefresh(); };
  if (!settings_.subscribes) return;
  if (mirror_.program() != nullptr)
    programListener_.emplace(*mirror_.program(), refresh);
  else
    listener_.emplace(host, settings_, mirror_.credential(), refresh);
}

void McpSource::listAll(const skh::Call &call, const Snapshot &snapshot,
                        const skh::Documents &out) {
  for (const SkillPointer &skill : snapshot.skills) {
    call.point();
    for (const StoredDocument &document : skill->documents) out.add(documentOf(*skill, document));
  }
}

void McpSource::listChanges(const skh::Call &call, const Snapshot &before, const Snapshot &now,
                            const skh::Documents &out) {
  compare(before, now, [&](const StoredSkill &skill, const StoredDocument &document, bool removed) {
    call.point();
    if (removed)
      listRemoved(skill.id, document.path, out);
    else
      out.add(documentOf(skill, document));
  });
}

void McpSource::read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) {
  call.point();
  follower_.awaitFirst(call);
  const Owner owner = ownerOf(history_.all(), which);
  requireRevision(owner.document != nullptr, owner.knew, which);
  std::string bytes;
  try {
    bytes = mirror_.read(*owner.document, shownName(which));
  } catch (const skh::Error &) {
    follower_.requestRefresh();
    throw;
  }
  writeBytes(call, bytes, out);
}

} // namespace skillhost::mcp_source

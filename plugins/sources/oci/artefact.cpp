// SPDX-License-Identifier: Apache-2.0
#include "artefact.hpp"

#include "ground/sha256.hpp"
#include "ground/time_text.hpp"
#include "oci/digest.hpp"
#include "paths/names.hpp"

#include <skillhost/facts.hpp>

#include <algorithm>
#include <map>

namespace skillhost::oci_source {
namespace {

constexpr std::size_t maxIdBytes = 4'096; // limit of the host
constexpr std::size_t shownDigits = 12;

std::string label(const Reference &reference) {
  return reference.tag.empty() ? oci::hexadecimalOf(reference.digest).substr(0, shownDigits)
                               : reference.tag;
}

// Returns the first part of the ids for each artefact's skills. An artefact that the configuration
// names keeps its short name, whatever tags or a catalogue add.
std::vector<std::string> bases(const std::vector<ArtefactPointer> &artefacts,
                               const Settings &settings) {
  std::vector<std::string> names;
  std::vector<bool> configured;
  for (const ArtefactPointer &one : artefacts) {
    names.push_back(one->reference.repository);
    configured.push_back(settings.names(one->reference));
  }
  const auto tellApart = [&](const auto &longer) {
    struct Uses {
      int all = 0, configured = 0;
    };
    std::map<std::string, Uses> uses;
    for (std::size_t i = 0; i < names.size(); ++i) {
      ++uses[names[i]].all;
      if (configured[i]) ++uses[names[i]].configured;
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Uses &of = uses[names[i]];
      if (of.all > 1 && !(configured[i] && of.configured == 1))
        names[i] = longer(*artefacts[i], names[i]);
    }
  };
  tellApart([](const Artefact &one, const std::string &name) {
    return name + "/" + label(one.reference);
  });
  tellApart([](const Artefact &one, const std::string &name) {
    return one.reference.registry + "/" + name;
  });
  tellApart([](const Artefact &one, const std::string &name) {
    return name + "/" + oci::hexadecimalOf(one.digest).substr(0, shownDigits);
  });
  return names;
}

// Returns the name of a key's file without its folder.
std::string keyName(const std::string &signer) {
  const std::size_t slash = signer.rfind('/');
  return slash == signer.npos ? signer : signer.substr(slash + 1);
}

} // namespace

const Listed *Snapshot::find(std::string_view skill) const noexcept {
  const auto found =
      std::lower_bound(skills.begin(), skills.end(), skill,
                       [](const Listed &one, std::string_view wanted) { return one.id < wanted; });
  return found != skills.end() && found->id == skill ? &*found : nullptr;
}

const StoredDocument *findDocument(const StoredSkill &skill, std::string_view path) noexcept {
  const auto found = std::lower_bound(skill.documents.begin(), skill.documents.end(), path,
                                      [](const StoredDocument &document, std::string_view wanted) {
                                        return document.path < wanted;
                                      });
  return found != skill.documents.end() && found->path == path ? &*found : nullptr;
}

std::string snapshotId(const std::vector<ArtefactPointer> &artefacts) {
  std::string all;
  for (const ArtefactPointer &one : artefacts) {
    Reference exact = one->reference;
    exact.digest = one->digest;
    all += (all.empty() ? "" : " ") + exact.text();
  }
  if (all.empty() || all.size() > maxIdBytes) return "list:" + sha256Hex(all);
  return all;
}

std::optional<std::vector<Reference>> referencesIn(std::string_view snapshot) {
  std::vector<Reference> all;
  while (true) {
    const std::size_t end = std::min(snapshot.find(' '), snapshot.size());
    std::optional<Reference> one = oci::readReference(snapshot.substr(0, end));
    if (!one || one->digest.empty()) return {};
    all.push_back(*std::move(one));
    if (end == snapshot.size()) return all;
    snapshot.remove_prefix(end + 1);
  }
}

SnapshotPointer makeSnapshot(const std::vector<ArtefactPointer> &artefacts,
                             const Settings &settings) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->id = snapshotId(artefacts);
  const std::vector<std::string> names = bases(artefacts, settings);
  for (std::size_t i = 0; i < artefacts.size(); ++i)
    for (const StoredSkill &skill : artefacts[i]->skills) {
      Listed listed{names[i] + (skill.folder.empty() ? "" : "/" + skill.folder), artefacts[i],
                    &skill};
      if (settings.takes(listed.id)) snapshot->skills.push_back(std::move(listed));
    }
  // "a/b" may have a folder "c", and there may be a repository "a/b/c". The artefact of that
  // repository gets the id. Otherwise the owner of "a/b" could replace a skill that is pinned by
  // digest.
  std::stable_sort(
      snapshot->skills.begin(), snapshot->skills.end(), [](const Listed &a, const Listed &b) {
        return a.id != b.id ? a.id < b.id : a.skill->folder.size() < b.skill->folder.size();
      });
  std::vector<Listed> kept;
  for (Listed &one : snapshot->skills) {
    if (kept.empty() || kept.back().id != one.id)
      kept.push_back(std::move(one));
    else
      snapshot->leftOut.push_back(one.artefact->reference.text() + ": its skill in the folder " +
                                  paths::printable(one.skill->folder) + " is left out: the id " +
                                  paths::printable(one.id) + " is that of a skill of " +
                                  kept.back().artefact->reference.text());
  }
  snapshot->skills = std::move(kept);
  return snapshot;
}

std::string factsOf(const Snapshot &snapshot) {
  skh::FactsText out;
  out.about("*");
  out.add("kind", "oci");
  out.add("integrity", "sha256");
  for (const Listed &one : snapshot.skills) {
    const Artefact &artefact = *one.artefact;
    out.about(one.id);
    out.add("reference", artefact.reference.text());
    out.add("manifest_digest", artefact.digest);
    // If there are several layers, none belongs to the skill alone.
    if (artefact.layers.size() == 1) out.add("archive_digest", artefact.layers.front());
    out.add("path", one.skill->folder.empty() ? "." : one.skill->folder);
    if (artefact.fetched > 0) out.add("fetched_at", timeText(artefact.fetched));
    out.add("signature", artefact.signer.empty() ? "unchecked" : "trusted");
    out.add("signer", keyName(artefact.signer));
  }
  return out.take();
}

void compare(
    const Snapshot &before, const Snapshot &after,
    const std::function<void(const Listed &, const StoredDocument &, bool removed)> &tell) {
  for (const Listed &old : before.skills) {
    const Listed *const now = after.find(old.id);
    if (now != nullptr && now->skill == old.skill) continue;
    for (const StoredDocument &document : old.skill->documents)
      if (now == nullptr || findDocument(*now->skill, document.path) == nullptr)
        tell(old, document, true);
  }
  for (const Listed &now : after.skills) {
    const Listed *const old = before.find(now.id);
    if (old != nullptr && now.skill == old->skill) continue;
    for (const StoredDocument &document : now.skill->documents) {
      const StoredDocument *const was =
          old == nullptr ? nullptr : findDocument(*old->skill, document.path);
      if (was == nullptr || was->revision != document.revision || was->flags != document.flags)
        tell(now, document, false);
    }
  }
}

} // namespace skillhost::oci_source

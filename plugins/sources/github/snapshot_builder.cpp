// SPDX-License-Identifier: Apache-2.0
#include "snapshot_builder.hpp"

#include "paths/names.hpp"

#include <skillhost/plugin.hpp>

#include <algorithm>

namespace skillhost::github {
namespace {

constexpr std::size_t mostFindings = 200;

Origin originOf(const Address &address, const std::string &commit, const Settings &settings) {
  Origin origin{address.page(), false};
  origin.hasPlaces = !origin.page.empty() && address.url.starts_with(settings.baseUrl + "/");
  if (origin.hasPlaces) origin.page += "/blob/" + commit;
  return origin;
}

bool comesBefore(const StoredSkill &one, const StoredSkill &other) { return one.id < other.id; }

} // namespace

bool isServed(const ForeignPlugin &plugin, std::size_t index, const Settings &settings) {
  if (!settings.foreignPins) return settings.pin.empty() || !plugin.sha.empty();
  return index < settings.foreignPins->size() && !(*settings.foreignPins)[index].empty();
}

std::vector<ForeignCommit> carriedOver(std::vector<ForeignPlugin> plugins,
                                       const std::vector<ForeignCommit> &known,
                                       const Settings &settings) {
  std::vector<ForeignCommit> all;
  for (ForeignPlugin &plugin : plugins) {
    const std::size_t index = all.size();
    const auto before = std::find_if(
        known.begin(), known.end(), [&](const ForeignCommit &one) { return one.plugin == plugin; });
    std::string commit = before == known.end() ? std::string{} : before->commit;
    const bool isOther = settings.foreignPins && isServed(plugin, index, settings) &&
                         (*settings.foreignPins)[index] != commit;
    if (isOther || !isServed(plugin, index, settings)) commit.clear();
    all.push_back({std::move(plugin), std::move(commit)});
  }
  return all;
}

Built SnapshotBuilder::build(State &state, const std::function<void()> &checkpoint) {
  const std::vector<TreeEntry> entries =
      readTree(store_, state.root(), state.commit, settings_.selection.subpath,
               settings_.limits.maxFiles, checkpoint);
  for (const auto &[blob, size] : state.absent) sizes_.emplace(blob, size);
  StoredBlobs blobs(store_, sizes_);
  Laid laid = layOut(entries, settings_.selection, settings_.limits, blobs);
  for (Finding &finding : laid.findings)
    finding.path = paths::joined(settings_.selection.subpath, finding.path);
  state.foreign = carriedOver(std::move(laid.foreign), state.foreign, settings_);
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->id = state.snapshot();
  snapshot->origins.push_back(originOf(settings_.address, state.commit, settings_));
  for (std::size_t i = 0; i < state.foreign.size(); ++i) {
    const ForeignCommit &one = state.foreign[i];
    if (!one.commit.empty())
      addForeign(one, laid, *snapshot, blobs, checkpoint);
    else if (!isServed(one.plugin, i, settings_))
      laid.findings.push_back({one.plugin.name, "the plugin of " + one.plugin.url +
                                                    " has no sha, and is left out where pin or a "
                                                    "lock says what may be served"});
  }
  std::sort(laid.skills.begin(), laid.skills.end(), comesBefore);
  Built built;
  for (const Finding &finding : laid.findings)
    if (built.findings.size() < mostFindings)
      built.findings.push_back(paths::printable(finding.path) + ": " + finding.reason);
  snapshot->skills = std::move(laid.skills);
  sizes_ = blobs.takeSizes();
  built.snapshot = std::move(snapshot);
  return built;
}

void SnapshotBuilder::addForeign(const ForeignCommit &one, Laid &laid, Snapshot &snapshot,
                                 Blobs &blobs, const std::function<void()> &checkpoint) const {
  Selection selection = settings_.selection;
  selection.subpath = one.plugin.subpath;
  selection.prefix = one.plugin.name;
  selection.opened = one.plugin.folders;
  try {
    // The configuration may no longer allow what it did when this was fetched.
    const Origin origin = originOf(addressOf(one.plugin, settings_), one.commit, settings_);
    const std::vector<TreeEntry> entries = readTree(
        store_, one.commit, one.commit, selection.subpath, settings_.limits.maxFiles, checkpoint);
    Laid theirs = layOut(entries, selection, settings_.limits, blobs);
    std::move(theirs.findings.begin(), theirs.findings.end(), std::back_inserter(laid.findings));
    // Ours and those of plugins before it come first: these are sorted, as one plugin's are.
    std::sort(laid.skills.begin(), laid.skills.end(), comesBefore);
    const auto mine = static_cast<std::ptrdiff_t>(laid.skills.size());
    for (StoredSkill &skill : theirs.skills) {
      if (std::binary_search(laid.skills.begin(), laid.skills.begin() + mine, skill, comesBefore)) {
        laid.findings.push_back(
            {skill.id, "is there already, and that of " + one.plugin.url + " is left out"});
        continue;
      }
      skill.origin = snapshot.origins.size();
      laid.skills.push_back(std::move(skill));
    }
    snapshot.origins.push_back(origin);
  } catch (const skh::Error &error) {
    // Of the last two it is our store that is to blame.
    for (const skh_status serious : {SKH_CANCELLED, SKH_CORRUPT, SKH_STALE})
      if (error.status() == serious) throw;
    laid.findings.push_back(
        {one.plugin.name, "the plugin of " + one.plugin.url + " is left out: " + error.what()});
  }
}

void SnapshotBuilder::know(const Snapshot &snapshot) {
  for (const StoredSkill &skill : snapshot.skills)
    for (const StoredDocument &document : skill.documents)
      sizes_.emplace(document.blob, document.size);
}

} // namespace skillhost::github

// SPDX-License-Identifier: Apache-2.0
#include "snapshot_builder.hpp"

#include "paths/names.hpp"

#include <skillhost/plugin.hpp>

#include <algorithm>

namespace skillhost::github {
namespace {

constexpr std::size_t maxFindings = 200;

// A commit of a repository, and the ref that led to it.
struct Fetched {
  std::string ref, commit;
  std::int64_t at = 0; // Unix seconds of the fetch
};

Origin originOfCommit(const std::string &repository, const Address &address, Fetched what,
                      const Settings &settings) {
  Origin origin{repository, address.page(), false, address.url, {}, {}, what.at};
  origin.hasPlaces = !origin.page.empty() && address.url.starts_with(settings.baseUrl + "/");
  if (origin.hasPlaces) origin.page += "/blob/" + what.commit;
  origin.ref = std::move(what.ref);
  origin.commit = std::move(what.commit);
  return origin;
}

bool comesBefore(const StoredSkill &one, const StoredSkill &other) { return one.id < other.id; }

// True if both plugins use the same commit, even if their path or folders differ.
bool isSameUpstream(const MarketplacePlugin &one, const MarketplacePlugin &other) {
  return one.name == other.name && one.url == other.url && one.ref == other.ref &&
         one.sha == other.sha;
}

} // namespace

bool isServed(const MarketplacePlugin &plugin, std::size_t index, const Settings &settings) {
  if (!settings.marketplacePins) return settings.pin.empty() || !plugin.sha.empty();
  return index < settings.marketplacePins->size() && !(*settings.marketplacePins)[index].empty();
}

std::vector<MarketplaceCommit> withKnownCommits(std::vector<MarketplacePlugin> plugins,
                                                const std::vector<MarketplaceCommit> &known,
                                                const Settings &settings) {
  std::vector<MarketplaceCommit> all;
  for (MarketplacePlugin &plugin : plugins) {
    const std::size_t index = all.size();
    const auto before = std::find_if(known.begin(), known.end(), [&](const MarketplaceCommit &one) {
      return isSameUpstream(one.plugin, plugin);
    });
    std::string commit = before == known.end() ? std::string{} : before->commit;
    const bool isOther = settings.marketplacePins && isServed(plugin, index, settings) &&
                         (*settings.marketplacePins)[index] != commit;
    if (isOther || !isServed(plugin, index, settings)) commit.clear();
    const std::int64_t fetched = commit.empty() ? 0 : before->fetched;
    all.push_back({std::move(plugin), std::move(commit), fetched});
  }
  return all;
}

struct SnapshotBuilder::Work {
  const std::function<void()> &checkpoint;
  LayoutResult laid;
  std::vector<Origin> origins;
  std::size_t filesLeft; // rest of max_files, which limits all repositories together
  BlobSizes sizes;
};

Built SnapshotBuilder::build(State &state, const std::function<void()> &checkpoint) {
  const std::vector<TreeEntry> entries =
      readTree(store_, state.root(), state.commit, settings_.selection.subpath,
               settings_.limits.maxFiles, checkpoint);
  for (const auto &[blob, size] : state.absent) sizes_.emplace(blob, size);
  StoredBlobs blobs(store_, sizes_, state.lfs);
  Work work{
      checkpoint,
      layOut(entries, settings_.selection, settings_.limits, blobs, checkpoint),
      {originOfCommit("", settings_.address, {state.ref, state.commit, state.fetched}, settings_)},
      settings_.limits.maxFiles - entries.size(),
      blobs.takeSizes()};
  for (Finding &finding : work.laid.findings)
    finding.path = paths::joined(settings_.selection.subpath, finding.path);
  state.marketplace =
      withKnownCommits(std::move(work.laid.marketplace), state.marketplace, settings_);
  LfsFiles lfs;
  for (const std::string &pointer : work.laid.lfsPointers)
    lfs.emplace(pointer, blobs.fileOf(pointer));
  state.lfs = std::move(lfs);
  addAll(state, work);
  Built built;
  for (const Finding &finding : work.laid.findings)
    if (built.findings.size() < maxFindings)
      built.findings.push_back(paths::printable(finding.path) + ": " + finding.reason);
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->id = state.snapshot();
  snapshot->origins = std::move(work.origins);
  snapshot->subpath = settings_.selection.subpath;
  snapshot->skills = std::move(work.laid.skills);
  sizes_ = std::move(work.sizes);
  built.snapshot = std::move(snapshot);
  return built;
}

void SnapshotBuilder::addAll(State &state, Work &work) const {
  const auto leaveOut = [&](const MarketplacePlugin &plugin, const std::string &why) {
    work.laid.findings.push_back({plugin.name, titleOf(plugin) + " is left out: " + why});
  };
  for (std::size_t i = 0; i < state.marketplace.size(); ++i) {
    MarketplaceCommit &one = state.marketplace[i];
    if (one.commit.empty()) {
      if (!isServed(one.plugin, i, settings_))
        leaveOut(one.plugin, "it has no sha, and pin or a lock says what may be served");
      continue;
    }
    try {
      add(one, work);
    } catch (const skh::Error &error) {
      const skh_status status = error.status();
      if (status == SKH_CANCELLED || status == SKH_DEADLINE) throw;
      leaveOut(one.plugin, error.what());
      // An error that the commit itself causes is permanent, so the commit stays in the snapshot's
      // id. After other errors it is removed.
      if (status == SKH_NOT_FOUND || status == SKH_TOO_LARGE || status == SKH_INVALID) continue;
      one.commit.clear();
      if (status == SKH_CORRUPT || status == SKH_STALE) marketplace_.discard(one.plugin.url);
    }
  }
  std::sort(work.laid.skills.begin(), work.laid.skills.end(), comesBefore);
}

void SnapshotBuilder::add(const MarketplaceCommit &one, Work &work) const {
  // The configuration may have changed since the commit was fetched and no longer allow it.
  const Address address = addressOf(one.plugin, settings_);
  Selection selection = settings_.selection;
  selection.subpath = one.plugin.subpath;
  selection.prefix = one.plugin.name;
  selection.opened = one.plugin.folders;
  const std::shared_ptr<ObjectStore> store = marketplace_.at(one.plugin.url);
  const std::vector<TreeEntry> entries =
      readTree(*store, one.commit, one.commit, selection.subpath, work.filesLeft, work.checkpoint);
  StoredBlobs blobs(*store, sizes_);
  LayoutResult theirs = layOut(entries, selection, settings_.limits, blobs, work.checkpoint);
  work.filesLeft -= entries.size();
  work.sizes.merge(blobs.takeSizes());
  std::vector<Finding> &findings = work.laid.findings;
  findings.insert(findings.end(), theirs.findings.begin(), theirs.findings.end());
  std::vector<StoredSkill> &skills = work.laid.skills;
  std::sort(skills.begin(), skills.end(), comesBefore);
  const auto before = static_cast<std::ptrdiff_t>(skills.size());
  for (StoredSkill &skill : theirs.skills) {
    if (std::binary_search(skills.begin(), skills.begin() + before, skill, comesBefore)) {
      findings.push_back(
          {skill.id, "is there already, and that of " + titleOf(one.plugin) + " is left out"});
      continue;
    }
    skill.origin = work.origins.size();
    skills.push_back(std::move(skill));
  }
  work.origins.push_back(originOfCommit(one.plugin.url, address,
                                        {one.plugin.ref, one.commit, one.fetched}, settings_));
}

void SnapshotBuilder::remember(const Snapshot &snapshot) {
  for (const StoredSkill &skill : snapshot.skills)
    for (const StoredDocument &document : skill.documents)
      sizes_.emplace(document.blob, document.size);
}

} // namespace skillhost::github

// SPDX-License-Identifier: Apache-2.0
#include "mirror.hpp"

#include "ground/sha256.hpp"
#include "ground/time_reading.hpp"
#include "http_client/signal_guard.hpp"
#include "paths/names.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace skillhost::well_known {
namespace {

constexpr std::size_t maxUnpackedBytes = std::size_t{32} << 20U; // in memory

remote::FetchRules accessOf(skh::Host host, const Settings &settings) {
  remote::FetchRules rules = settings.access;
  rules.agent = std::string(host.name()) + "/" + std::string(host.version());
  return rules;
}

} // namespace

struct Mirror::RefreshState {
  std::string etag;                           // etag of the index; emptied after any failure
  std::string digest;                         // digest of the index
  std::vector<IndexEntry> entries;            // selected entries
  std::map<std::string, SkillPointer> skills; // available skills by name
  std::vector<IndexEntry> missing;            // in the same order as `wanted`
  std::vector<remote::FetchRequest> wanted;
  std::size_t fetched = 0, failed = 0;
  std::string firstFailure;
  std::optional<std::chrono::seconds> retryAfter;
};

Mirror::Mirror(skh::Host host, const Settings &settings, History &history)
    : SnapshotMirror(host, history), settings_(settings), folder_(host),
      unpacked_(maxUnpackedBytes), fetcher_(accessOf(host, settings)), findings_(host) {
  state_.url = settings.indexUrl;
}

void Mirror::load() {
  std::optional<State> known = readState(folder_.state(), settings_.indexUrl);
  if (!known) return;
  std::vector<SkillPointer> there;
  for (const SkillPointer &skill : known->skills)
    if (settings_.selection.takes(skill->entry.name) &&
        folder_.get(skill->entry.digest, settings_.limits.maxSkillBytes))
      there.push_back(skill);
  if (there.empty() && !known->skills.empty()) return;
  // Skills that are missing, damaged or newly selected are only found by reading the index again.
  if (there.size() != known->skills.size()) known->etag.clear();
  known->skills = there;
  state_ = *std::move(known);
  ready_ = makeSnapshot(std::move(there), settings_.indexUrl, state_.indexDigest);
  host_.log(SKH_INFO, settings_.indexUrl + ": " + serving() + " from the cache");
}

std::string Mirror::serving() const {
  const std::size_t count = state_.skills.size();
  return std::to_string(count) + (count == 1 ? " skill" : " skills");
}

void Mirror::refresh(remote::Operation &operation, const std::function<void()> & /*publishNow*/) {
  const web::SignalGuard guard; // the server may close the connection
  RefreshState state;
  if (!readIndexInto(state, operation)) return;
  planFetches(state);
  try {
    fetchMissing(state, operation);
  } catch (const skh::Error &error) {
    if (error.status() == SKH_CANCELLED) throw;
    state.etag.clear();
    for (const IndexEntry &entry : state.missing) keepPrevious(state, entry);
    finishRefresh(state);
    throw;
  }
  finishRefresh(state);
  if (state.failed > 0)
    throw remote::RemoteError(std::to_string(state.failed) + " of " +
                                  std::to_string(state.entries.size()) +
                                  " skills cannot be fetched: " + state.firstFailure,
                              state.retryAfter);
}

// Returns false if nothing is new.
bool Mirror::readIndexInto(RefreshState &state, remote::Operation &operation) {
  // Until a refresh has succeeded, the index is read completely.
  if (needsRefetch_.exchange(false) || !isServing()) state_.etag.clear();
  remote::Fetched index;
  fetcher_.fetch({{settings_.indexUrl, state_.etag, maxIndexBytes}}, operation,
                 [&](std::size_t, remote::Fetched fetched) { index = std::move(fetched); });
  if (index.status == 401 || index.status == 403)
    throw remote::RefusedError(index.failure, index.retryAfter);
  if (!index.failure.empty()) throw remote::RemoteError(index.failure, index.retryAfter);
  if (index.status == 304) {
    state_.checked = secondsNow();
    folder_.putState(writeState(state_));
    return false;
  }
  Index read = readIndex(index.body, settings_.indexUrl, settings_.limits.maxSkills);
  for (const std::string &finding : read.findings)
    findings_.warn(settings_.indexUrl + ": " + finding);
  state.etag = index.etag;
  state.digest = sha256Hex(index.body);
  state.entries = std::move(read.entries);
  std::erase_if(state.entries,
                [&](const IndexEntry &entry) { return !settings_.selection.takes(entry.name); });
  return true;
}

// Divides the skills into those that are available and those to fetch. The latter begin after the
// skill at which a server asked for a pause the last time, so that a skill that is always refused
// does not block the rest.
void Mirror::planFetches(RefreshState &state) {
  const SnapshotPointer before = history_.newest();
  for (const IndexEntry &entry : state.entries) {
    const SkillPointer old = before ? before->find(entry.name) : nullptr;
    if (old && old->entry.digest == entry.digest && old->entry.kind == entry.kind &&
        folder_.has(entry.digest)) {
      state.skills[entry.name] = old;
      continue;
    }
    const auto bytes = folder_.has(entry.digest)
                           ? folder_.get(entry.digest, settings_.limits.maxSkillBytes)
                           : std::nullopt;
    if (!bytes) {
      state.missing.push_back(entry);
      state.wanted.push_back({entry.url, "", settings_.limits.maxSkillBytes});
      continue;
    }
    try {
      state.skills[entry.name] =
          describe(entry, *unpack(entry, *bytes, settings_.limits), secondsNow());
    } catch (const std::runtime_error &error) {
      rejectSkill(state, entry, error.what());
    }
  }
  const std::string last = std::exchange(resumeAfter_, {});
  const auto at = std::find_if(state.missing.begin(), state.missing.end(),
                               [&](const IndexEntry &entry) { return entry.name == last; });
  if (at == state.missing.end()) return;
  const std::ptrdiff_t first = at - state.missing.begin() + 1;
  std::rotate(state.missing.begin(), state.missing.begin() + first, state.missing.end());
  std::rotate(state.wanted.begin(), state.wanted.begin() + first, state.wanted.end());
}

void Mirror::fetchMissing(RefreshState &state, remote::Operation &operation) {
  fetcher_.fetch(state.wanted, operation, [&](std::size_t which, const remote::Fetched &fetched) {
    acceptFetched(state, which, fetched);
  });
}

void Mirror::acceptFetched(RefreshState &state, std::size_t which, const remote::Fetched &fetched) {
  const IndexEntry &entry = state.missing[which];
  if (!fetched.failure.empty()) {
    if (!fetched.isTemporary) return rejectSkill(state, entry, fetched.failure);
    if (++state.failed == 1) state.firstFailure = fetched.failure;
    if (fetched.isBusy() && resumeAfter_.empty()) resumeAfter_ = entry.name;
    state.retryAfter = std::max(state.retryAfter, fetched.retryAfter);
    state.etag.clear();
    return keepPrevious(state, entry);
  }
  const std::string digest = sha256Hex(fetched.body);
  if (digest != entry.digest)
    return rejectSkill(state, entry,
                       entry.url + " has the digest sha256:" + digest +
                           " and not that of the index, sha256:" + entry.digest);
  try {
    const ArtefactPointer artefact = unpack(entry, fetched.body, settings_.limits);
    folder_.put(digest, fetched.body);
    state.skills[entry.name] = describe(entry, *artefact, secondsNow());
    ++state.fetched;
    unpacked_.add(artefact); // the host will read it next
  } catch (const skh::Error &) {
    throw; // error of the disk
  } catch (const std::runtime_error &error) {
    rejectSkill(state, entry, entry.url + ": " + error.what());
  }
}

// Keeps the previous version of the skill, if there is one.
void Mirror::keepPrevious(RefreshState &state, const IndexEntry &entry) {
  const SnapshotPointer before = history_.newest();
  const SkillPointer old = before ? before->find(entry.name) : nullptr;
  if (old) state.skills.emplace(entry.name, old);
}

void Mirror::rejectSkill(RefreshState &state, const IndexEntry &entry, const std::string &why) {
  state.etag.clear(); // the same index may work the next time
  keepPrevious(state, entry);
  findings_.warn("skill " + entry.name +
                 (state.skills.contains(entry.name) ? " stays as it was: " : " left out: ") + why);
}

void Mirror::finishRefresh(RefreshState &state) {
  std::vector<SkillPointer> skills;
  skills.reserve(state.skills.size());
  for (const auto &[name, skill] : state.skills) skills.push_back(skill);
  const SnapshotPointer before = history_.newest();
  SnapshotPointer fresh = makeSnapshot(skills, settings_.indexUrl, state.digest);
  // The facts of a snapshot stay: if another index names the same skills, the first index counts.
  if (before && before->id == fresh->id) state.digest = before->indexDigest;
  state_ = {settings_.indexUrl, state.etag, secondsNow(), std::move(skills), state.digest};
  if (state.fetched > 0) host_.count("fetches", static_cast<double>(state.fetched));
  if (!before || before->id != fresh->id) {
    host_.log(SKH_INFO, settings_.indexUrl + ": " + serving() + ", " +
                            std::to_string(state.fetched) + " of them fetched");
    ready_ = std::move(fresh);
  }
  needsTidy_ = true;
  // Last, because a snapshot is served even if the disk refuses.
  folder_.putState(writeState(state_));
}

void Mirror::tidy(const remote::Checkpoint & /*checkpoint*/) {
  if (!std::exchange(needsTidy_, false)) return;
  std::set<std::string> kept;
  for (const SnapshotPointer &one : history_.all())
    for (const SkillPointer &skill : one->skills) kept.insert(skill->entry.digest);
  folder_.sweep(kept);
}

ArtefactPointer Mirror::read(const StoredSkill &skill) {
  if (ArtefactPointer known = unpacked_.find(skill.entry)) return known;
  const auto bytes = folder_.get(skill.entry.digest, settings_.limits.maxSkillBytes);
  if (!bytes) {
    needsRefetch_ = true;
    throw skh::Error(SKH_UNAVAILABLE, skill.entry.name +
                                          ": it is no longer whole in the cache, and is being "
                                          "fetched again");
  }
  try {
    ArtefactPointer artefact = unpack(skill.entry, *bytes, settings_.limits);
    unpacked_.add(artefact);
    return artefact;
  } catch (
      const std::runtime_error &error) { // the file was accepted by another version of this plugin
    throw skh::Error(SKH_CORRUPT, skill.entry.name + ": " + error.what());
  }
}

} // namespace skillhost::well_known

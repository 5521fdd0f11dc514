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

constexpr std::size_t mostUnpackedBytes = std::size_t{32} << 20U; // in memory

remote::FetchRules accessOf(skh::Host host, const Settings &settings) {
  remote::FetchRules rules = settings.access;
  rules.agent = std::string(host.name()) + "/" + std::string(host.version());
  return rules;
}

} // namespace

struct Mirror::Round {
  std::string etag;                           // etag of the index; emptied after any failure
  std::string digest;                         // digest of the index
  std::vector<IndexEntry> entries;            // selected entries
  std::map<std::string, SkillPointer> skills; // available skills by name
  std::vector<IndexEntry> missing;            // in the same order as `wanted`
  std::vector<remote::Wanted> wanted;
  std::size_t fetched = 0, failed = 0;
  std::string firstFailure;
  std::optional<std::chrono::seconds> retryAfter;
};

Mirror::Mirror(skh::Host host, const Settings &settings, History &history)
    : SnapshotMirror(host, history), settings_(settings), folder_(host),
      unpacked_(mostUnpackedBytes), fetcher_(accessOf(host, settings)), findings_(host) {
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

void Mirror::look(remote::Operation &operation, const std::function<void()> & /*publishNow*/) {
  const web::SignalGuard guard; // the server may close the connection
  Round round;
  if (!readIndexInto(round, operation)) return;
  choose(round);
  try {
    fetchMissing(round, operation);
  } catch (const skh::Error &error) {
    if (error.status() == SKH_CANCELLED) throw;
    round.etag.clear();
    for (const IndexEntry &entry : round.missing) keepOld(round, entry);
    finish(round);
    throw;
  }
  finish(round);
  if (round.failed > 0)
    throw remote::RemoteError(std::to_string(round.failed) + " of " +
                                  std::to_string(round.entries.size()) +
                                  " skills cannot be fetched: " + round.firstFailure,
                              round.retryAfter);
}

// Returns false if nothing is new.
bool Mirror::readIndexInto(Round &round, remote::Operation &operation) {
  // Until a look has succeeded, the index is read completely.
  if (damaged_.exchange(false) || !isServing()) state_.etag.clear();
  remote::Fetched index;
  fetcher_.fetch({{settings_.indexUrl, state_.etag, mostIndexBytes}}, operation,
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
  round.etag = index.etag;
  round.digest = sha256Hex(index.body);
  round.entries = std::move(read.entries);
  std::erase_if(round.entries,
                [&](const IndexEntry &entry) { return !settings_.selection.takes(entry.name); });
  return true;
}

// Divides the skills into those that are available and those to fetch. The latter begin after the
// skill at which a server asked for a pause the last time, so that a skill that is always refused
// does not block the rest.
void Mirror::choose(Round &round) {
  const SnapshotPointer before = history_.newest();
  for (const IndexEntry &entry : round.entries) {
    const SkillPointer old = before ? before->find(entry.name) : nullptr;
    if (old && old->entry.digest == entry.digest && old->entry.kind == entry.kind &&
        folder_.has(entry.digest)) {
      round.skills[entry.name] = old;
      continue;
    }
    const auto bytes = folder_.has(entry.digest)
                           ? folder_.get(entry.digest, settings_.limits.maxSkillBytes)
                           : std::nullopt;
    if (!bytes) {
      round.missing.push_back(entry);
      round.wanted.push_back({entry.url, "", settings_.limits.maxSkillBytes});
      continue;
    }
    try {
      round.skills[entry.name] =
          describe(entry, *unpack(entry, *bytes, settings_.limits), secondsNow());
    } catch (const std::runtime_error &error) {
      refuse(round, entry, error.what());
    }
  }
  const std::string last = std::exchange(endedAt_, {});
  const auto at = std::find_if(round.missing.begin(), round.missing.end(),
                               [&](const IndexEntry &entry) { return entry.name == last; });
  if (at == round.missing.end()) return;
  const std::ptrdiff_t first = at - round.missing.begin() + 1;
  std::rotate(round.missing.begin(), round.missing.begin() + first, round.missing.end());
  std::rotate(round.wanted.begin(), round.wanted.begin() + first, round.wanted.end());
}

void Mirror::fetchMissing(Round &round, remote::Operation &operation) {
  fetcher_.fetch(round.wanted, operation, [&](std::size_t which, const remote::Fetched &fetched) {
    take(round, which, fetched);
  });
}

void Mirror::take(Round &round, std::size_t which, const remote::Fetched &fetched) {
  const IndexEntry &entry = round.missing[which];
  if (!fetched.failure.empty()) {
    if (!fetched.mayPass) return refuse(round, entry, fetched.failure);
    if (++round.failed == 1) round.firstFailure = fetched.failure;
    if (fetched.isBusy() && endedAt_.empty()) endedAt_ = entry.name;
    round.retryAfter = std::max(round.retryAfter, fetched.retryAfter);
    round.etag.clear();
    return keepOld(round, entry);
  }
  const std::string digest = sha256Hex(fetched.body);
  if (digest != entry.digest)
    return refuse(round, entry,
                  entry.url + " has the digest sha256:" + digest +
                      " and not that of the index, sha256:" + entry.digest);
  try {
    const ArtefactPointer artefact = unpack(entry, fetched.body, settings_.limits);
    folder_.put(digest, fetched.body);
    round.skills[entry.name] = describe(entry, *artefact, secondsNow());
    ++round.fetched;
    unpacked_.add(artefact); // the host will read it next
  } catch (const skh::Error &) {
    throw; // error of the disk
  } catch (const std::runtime_error &error) {
    refuse(round, entry, entry.url + ": " + error.what());
  }
}

// Keeps the previous version of the skill, if there is one.
void Mirror::keepOld(Round &round, const IndexEntry &entry) {
  const SnapshotPointer before = history_.newest();
  const SkillPointer old = before ? before->find(entry.name) : nullptr;
  if (old) round.skills.emplace(entry.name, old);
}

void Mirror::refuse(Round &round, const IndexEntry &entry, const std::string &why) {
  round.etag.clear(); // the same index may work the next time
  keepOld(round, entry);
  findings_.warn("skill " + entry.name +
                 (round.skills.contains(entry.name) ? " stays as it was: " : " left out: ") + why);
}

void Mirror::finish(Round &round) {
  std::vector<SkillPointer> skills;
  skills.reserve(round.skills.size());
  for (const auto &[name, skill] : round.skills) skills.push_back(skill);
  const SnapshotPointer before = history_.newest();
  SnapshotPointer fresh = makeSnapshot(skills, settings_.indexUrl, round.digest);
  // The facts of a snapshot stay: if another index names the same skills, the first index counts.
  if (before && before->id == fresh->id) round.digest = before->indexDigest;
  state_ = {settings_.indexUrl, round.etag, secondsNow(), std::move(skills), round.digest};
  if (round.fetched > 0) host_.count("fetches", static_cast<double>(round.fetched));
  if (!before || before->id != fresh->id) {
    host_.log(SKH_INFO, settings_.indexUrl + ": " + serving() + ", " +
                            std::to_string(round.fetched) + " of them fetched");
    ready_ = std::move(fresh);
  }
  hasRead_ = true;
  // Last, because a snapshot is served even if the disk refuses.
  folder_.putState(writeState(state_));
}

void Mirror::tidy(const remote::Checkpoint & /*checkpoint*/) {
  if (!std::exchange(hasRead_, false)) return;
  std::set<std::string> kept;
  for (const SnapshotPointer &one : history_.all())
    for (const SkillPointer &skill : one->skills) kept.insert(skill->entry.digest);
  folder_.sweep(kept);
}

ArtefactPointer Mirror::read(const StoredSkill &skill) {
  if (ArtefactPointer known = unpacked_.find(skill.entry)) return known;
  const auto bytes = folder_.get(skill.entry.digest, settings_.limits.maxSkillBytes);
  if (!bytes) {
    damaged_ = true;
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

// SPDX-License-Identifier: Apache-2.0
#include "mirror.hpp"

#include "ground/sha256.hpp"
#include "ground/time_reading.hpp"
#include "http_client/signal_guard.hpp"
#include "http_client/url.hpp"
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

// Returns the address of a file beside the SKILL.md of the entry.
std::string addressOf(const IndexEntry &entry, const std::string &path) {
  std::string url = entry.url.substr(0, entry.url.rfind('/'));
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    url += '/' + web::formEncoded(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return url;
}

} // namespace

struct Mirror::RefreshState {
  std::string etag;                           // etag of the index; emptied after any failure
  std::string digest;                         // digest of the index
  std::vector<IndexEntry> entries;            // selected entries
  std::map<std::string, SkillPointer> skills; // available skills by name
  std::vector<IndexEntry> missing;            // skills to fetch
  std::string index;                          // address of the index
  bool isVerified = true;                     // the index has digests
  // A file of one of `missing`, for an index without digests.
  struct Part {
    std::size_t skill = 0;
    std::string path;
  };
  std::vector<Part> parts;
  struct Gathered {
    std::vector<archive::PackedFile> files;
    std::size_t arrived = 0; // files with a result
    std::uint64_t bytes = 0;
    std::optional<remote::Fetched> failure;
  };
  std::vector<Gathered> gathered; // in the order of `missing`
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
  if (!known->isVerified && !settings_.allowUnverified) return;
  known->skills = there;
  state_ = *std::move(known);
  ready_ = makeSnapshot(std::move(there), state_.index, state_.indexDigest, state_.isVerified);
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

remote::Fetched Mirror::fetchIndex(const std::string &url, const std::string &etag,
                                   remote::Operation &operation) {
  remote::Fetched index;
  fetcher_.fetch({{url, etag, maxIndexBytes}}, operation,
                 [&](std::size_t, remote::Fetched fetched) { index = std::move(fetched); });
  return index;
}

// Returns false if nothing is new.
bool Mirror::readIndexInto(RefreshState &state, remote::Operation &operation) {
  // Until a refresh has succeeded, the index is read completely.
  if (needsRefetch_.exchange(false) || !isServing()) state_.etag.clear();
  remote::Fetched index = fetchIndex(settings_.indexUrl, state_.etag, operation);
  state.index = settings_.indexUrl;
  if (index.status == 404 && !settings_.olderIndexUrl.empty()) {
    remote::Fetched older = fetchIndex(settings_.olderIndexUrl, "", operation);
    if (older.status == 200) {
      index = std::move(older);
      state.index = settings_.olderIndexUrl;
    }
  }
  if (index.status == 401 || index.status == 403)
    throw remote::RefusedError(index.failure, index.retryAfter);
  if (!index.failure.empty()) throw remote::RemoteError(index.failure, index.retryAfter);
  if (index.status == 304) {
    state_.checked = secondsNow();
    folder_.putState(writeState(state_));
    return false;
  }
  const Limits &limits = settings_.limits;
  Index read = readIndex(index.body, state.index,
                         {limits.maxSkills, limits.maxSkillFiles, settings_.allowUnverified});
  for (const std::string &finding : read.findings) findings_.warn(state.index + ": " + finding);
  state.isVerified = read.isVerified;
  if (!state.isVerified)
    findings_.warn(state.index + ": it has no digests, so that nobody can tell whether its skills "
                                 "are as they were published (allow_unverified)");
  // Files without a digest may change although the index does not.
  if (state.isVerified && state.index == settings_.indexUrl) state.etag = index.etag;
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
    if (!state.isVerified) {
      state.missing.push_back(entry);
      continue;
    }
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
}

void Mirror::fetchMissing(RefreshState &state, remote::Operation &operation) {
  std::vector<remote::FetchRequest> wanted;
  state.gathered.resize(state.missing.size());
  for (std::size_t i = 0; i < state.missing.size(); ++i) {
    const IndexEntry &entry = state.missing[i];
    if (state.isVerified) wanted.push_back({entry.url, "", settings_.limits.maxSkillBytes});
    for (const std::string &path : entry.files) {
      wanted.push_back({addressOf(entry, path), "", settings_.limits.maxSkillBytes});
      state.parts.push_back({i, path});
    }
  }
  fetcher_.fetch(wanted, operation, [&](std::size_t which, remote::Fetched fetched) {
    if (state.isVerified)
      acceptFetched(state, which, fetched);
    else
      gather(state, which, std::move(fetched));
  });
}

// Accepts one file of a skill whose index has no digests, and the skill with its last file.
void Mirror::gather(RefreshState &state, std::size_t which, remote::Fetched fetched) {
  const RefreshState::Part &part = state.parts[which];
  RefreshState::Gathered &all = state.gathered[part.skill];
  IndexEntry entry = state.missing[part.skill];
  all.bytes += fetched.body.size();
  if (!fetched.failure.empty()) {
    if (!all.failure) all.failure = std::move(fetched);
  } else if (all.bytes <= settings_.limits.maxSkillBytes) {
    all.files.push_back({part.path, std::move(fetched.body), false});
  }
  if (++all.arrived < entry.files.size()) return;
  std::vector<archive::PackedFile> files = std::exchange(all.files, {});
  if (all.failure) return acceptFailure(state, entry, *all.failure);
  if (all.bytes > settings_.limits.maxSkillBytes)
    return rejectSkill(state, entry,
                       "its files have more than " +
                           std::to_string(settings_.limits.maxSkillBytes) +
                           " bytes (max_skill_bytes)");
  std::sort(files.begin(), files.end(),
            [](const auto &one, const auto &other) { return one.path < other.path; });
  std::string packed;
  try {
    packed = archive::writePacked(files);
  } catch (const std::runtime_error &error) {
    return rejectSkill(state, entry, error.what());
  }
  entry.digest = sha256Hex(packed);
  entry.files.clear();
  const SnapshotPointer before = history_.newest();
  const SkillPointer old = before ? before->find(entry.name) : nullptr;
  if (old && old->entry.digest == entry.digest && folder_.has(entry.digest))
    state.skills[entry.name] = old;
  else
    acceptBytes(state, entry, packed);
}

void Mirror::acceptFetched(RefreshState &state, std::size_t which, const remote::Fetched &fetched) {
  const IndexEntry &entry = state.missing[which];
  if (!fetched.failure.empty()) return acceptFailure(state, entry, fetched);
  const std::string digest = sha256Hex(fetched.body);
  if (digest != entry.digest)
    return rejectSkill(state, entry,
                       entry.url + " has the digest sha256:" + digest +
                           " and not that of the index, sha256:" + entry.digest);
  acceptBytes(state, entry, fetched.body);
}

void Mirror::acceptFailure(RefreshState &state, const IndexEntry &entry,
                           const remote::Fetched &fetched) {
  if (!fetched.isTemporary) return rejectSkill(state, entry, fetched.failure);
  if (++state.failed == 1) state.firstFailure = fetched.failure;
  if (fetched.isBusy() && resumeAfter_.empty()) resumeAfter_ = entry.name;
  state.retryAfter = std::max(state.retryAfter, fetched.retryAfter);
  state.etag.clear();
  keepPrevious(state, entry);
}

// Accepts the bytes, whose digest is that of the entry.
void Mirror::acceptBytes(RefreshState &state, const IndexEntry &entry, const std::string &bytes) {
  try {
    const ArtefactPointer artefact = unpack(entry, bytes, settings_.limits);
    folder_.put(entry.digest, bytes);
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
  SnapshotPointer fresh = makeSnapshot(skills, state.index, state.digest, state.isVerified);
  // The facts of a snapshot stay: if another index names the same skills, the first index counts.
  if (before && before->id == fresh->id) state.digest = before->indexDigest;
  state_ = {settings_.indexUrl, state.etag,  secondsNow(),    std::move(skills),
            state.digest,       state.index, state.isVerified};
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

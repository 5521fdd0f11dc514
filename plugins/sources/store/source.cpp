// SPDX-License-Identifier: Apache-2.0
#include "source.hpp"

#include "store/problem.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace skillhost::store_source {
namespace {

constexpr std::size_t maxVerifiedBytes = std::size_t{64} << 20U;

// The version itself is valid, but a newer or different one was served before.
class GoesBack : public skh::Error {
public:
  explicit GoesBack(const std::string &why) : skh::Error(SKH_DENIED, why) {}
};

std::string describeSignature(const store::LoadedSkill &skill) {
  switch (skill.signature.how) {
  case store::Signed::No:
    return "is not signed";
  case store::Signed::ByStranger:
    return "is signed, but by none of the trusted keys";
  case store::Signed::WithoutVersion:
    return "is signed without its version, as it was done earlier; sign it again: skillhost skill "
           "sign NAME --key FILE";
  case store::Signed::ByTrusted:
  case store::Signed::NotAsked:
  case store::Signed::Wrongly: // load() has thrown
    break;
  }
  return {};
}

std::string signatureFact(store::Signed how) {
  switch (how) {
  case store::Signed::No:
    return "none";
  case store::Signed::ByStranger:
  case store::Signed::WithoutVersion: // signed by a trusted key, but not for this version
  case store::Signed::Wrongly:        // load() has thrown
    return "untrusted";
  case store::Signed::ByTrusted:
    return "trusted";
  case store::Signed::NotAsked:
    break;
  }
  return "unchecked";
}

} // namespace

StoreSource::StoreSource(skh::Host host, const skh::Call &)
    : host_(host), settings_(host.config()), store_(settings_.directory, settings_.trust),
      verified_(maxVerifiedBytes), served_(std::string(host_.cacheDir()), settings_) {
  if (::access(settings_.directory.c_str(), F_OK) != 0)
    host_.log(SKH_WARN, "directory: " + settings_.directory +
                            " is not there; it counts as an empty store until skillhost skill "
                            "save puts a skill there");
  watcher_ = std::make_unique<Watcher>(settings_.directory, settings_.pollInterval, [this] {
    ++noticed_;
    host_.changed();
  });
}

void StoreSource::list(const skh::Call &call, const skh::Documents &out) {
  refresh(call);
  const SnapshotPointer snapshot = history_.handOut();
  emitAll(*snapshot, call, out);
  out.done(snapshot->id);
}

void StoreSource::changes(const skh::Call &call, std::string_view since,
                          const skh::Documents &out) {
  const SnapshotPointer before = history_.find(since);
  if (!before) throw skh::Error(SKH_STALE, "that snapshot is no longer remembered");
  if (hasUnseen()) refresh(call);
  const SnapshotPointer now = history_.handOut();
  if (now->id != before->id) emitDifference(*before, *now, call, out);
  out.done(now->id);
}

std::string StoreSource::facts(const skh::Call &call, std::string_view snapshot) {
  call.point();
  const SnapshotPointer known = history_.find(snapshot);
  if (!known) throw skh::Error(SKH_STALE, "that snapshot is no longer remembered");
  return factsOf(*known);
}

void StoreSource::read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) {
  const std::string name(which.skill);
  const std::string document = name + '/' + std::string(which.path);
  SkillPointer skill = verified_.find(name, which.revision);
  if (!skill) skill = verified(name);
  if (!skill) throw skh::Error(SKH_NOT_FOUND, "no such document: " + document);
  call.point();
  if (skill->checksum != which.revision) {
    ++noticed_; // the change was seen before it was reported, so the next changes() must look
    throw skh::Error(SKH_STALE, "another version is there: " + document);
  }
  const auto found = std::lower_bound(
      skill->files.begin(), skill->files.end(), which.path,
      [](const store::FileView &file, std::string_view path) { return file.path < path; });
  if (found == skill->files.end() || found->path != which.path)
    throw skh::Error(SKH_NOT_FOUND, "no such document: " + document);
  out.write(found->bytes);
}

void StoreSource::refresh(const skh::Call &call) {
  const std::uint64_t noticed = noticed_;
  std::vector<ListedSkill> skills;
  std::uint64_t refused = 0, goneBack = 0;
  try {
    for (const std::string &name : store_.names()) {
      call.point();
      SkillPointer skill;
      try {
        skill = verified(name);
      } catch (const GoesBack &) {
        ++refused;
        ++goneBack;
      } catch (const skh::Error &error) {
        // A skill that cannot be served is left out. But a failure of the system is no reason to
        // drop a skill.
        if (error.status() == SKH_UNAVAILABLE) throw;
        ++refused;
      }
      if (!skill) continue;
      ListedSkill listed{name,
                         skill->checksum,
                         settings_.trust.key ? "blake3-keyed" : "blake3",
                         signatureFact(skill->signature.how),
                         skill->signature.key,
                         skill->metadata.origin,
                         skill->metadata.content,
                         skill->metadata.saved,
                         skill->metadata.version,
                         {}};
      for (const store::FileView &file : skill->files)
        listed.files.push_back({std::string(file.path), file.bytes.size()});
      served_.add(name, {skill->metadata.version, skill->metadata.content});
      skills.push_back(std::move(listed));
    }
  } catch (const store::StoreError &error) {
    throw skh::Error(SKH_UNAVAILABLE, error.what());
  }
  remember();
  host_.gauge("skills_refused", static_cast<double>(refused));
  host_.gauge("skills_gone_back", static_cast<double>(goneBack)); // a part of the refused ones
  const SnapshotPointer snapshot = makeSnapshot(std::move(skills));
  const std::scoped_lock lock(mutex_);
  seen_ = noticed;
  history_.add(snapshot);
}

// A full disk must not prevent serving. Older versions are then only detected while this process
// lives.
void StoreSource::remember() {
  std::string why;
  if (host_.cacheDir().empty()) why = "this instance has no folder of its own";
  try {
    served_.save();
  } catch (const skh::Error &error) {
    why = error.what();
  }
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(notRemembered_, why) == why) return;
  }
  if (why.empty())
    host_.log(SKH_INFO, "which versions are served is remembered again");
  else
    host_.log(SKH_WARN, "which versions are served is not remembered beyond the end of this "
                        "process, after which older ones are not found: " +
                            why);
}

bool StoreSource::hasUnseen() {
  const std::scoped_lock lock(mutex_);
  return seen_ != noticed_;
}

SkillPointer StoreSource::verified(const std::string &name) {
  try {
    auto loaded = std::make_shared<store::LoadedSkill>(store_.load(name));
    if (settings_.trust.signatures == store::SignaturePolicy::Ignore &&
        !store::isContentTrue(*loaded))
      throw store::StoreError(store::Problem::Corrupt,
                              name + ": metadata.json: its content is not the digest of the files");
    if (const std::string why =
            served_.refusal(name, {loaded->metadata.version, loaded->metadata.content});
        !why.empty()) {
      report(name, "is not served: " + why);
      throw GoesBack(name + ": " + why);
    }
    loaded->module = {}; // the store has a module that the host does not need
    report(name, describeSignature(*loaded));
    verified_.add(loaded);
    return loaded;
  } catch (const store::StoreError &error) {
    switch (error.problem()) {
    case store::Problem::Missing:
      return nullptr;
    case store::Problem::Failed:
      throw skh::Error(SKH_UNAVAILABLE, error.what());
    case store::Problem::Denied:
      report(name, std::string("is not served: ") + error.what());
      throw skh::Error(SKH_DENIED, error.what());
    case store::Problem::Refused:
    case store::Problem::Corrupt:
      break;
    }
    report(name, std::string("is not served: ") + error.what());
    throw skh::Error(SKH_CORRUPT, error.what());
  }
}

void StoreSource::report(const std::string &name, const std::string &reason) {
  {
    const std::scoped_lock lock(mutex_);
    std::string &before = reported_[name];
    if (before == reason) return;
    before = reason;
  }
  if (reason.empty())
    host_.log(SKH_INFO, "skill " + name + " verifies");
  else
    host_.log(SKH_WARN, "skill " + name + ' ' + reason);
}

} // namespace skillhost::store_source

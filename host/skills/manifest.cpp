// SPDX-License-Identifier: Apache-2.0
#include "skills/manifest.hpp"

#include "base/log.hpp"
#include "base/sha256.hpp"
#include "skills/library.hpp"

#include <atomic>
#include <map>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t largestFile = 64U << 20U;

// One file that has to be read: which skill, which of its files.
struct Slot {
  std::size_t skill, file;
};

// What the sources' threads fill in; each slot is written by one of them.
struct Computation {
  std::vector<std::shared_ptr<const Skill>> skills;
  std::vector<Manifest> manifests;
  std::vector<std::atomic<bool>> failed; // by skill
  std::atomic<bool> stale{false};
  Guarded<std::optional<Failure>> trouble; // of the source, not of a file
  std::atomic<std::size_t> reading;        // sources that have not answered
  Answer<std::vector<ManifestPointer>> answer;

  explicit Computation(std::vector<std::shared_ptr<const Skill>> all)
      : skills(std::move(all)), manifests(skills.size()), failed(skills.size()) {}
};

void take(Computation &work, const Slot &slot, const Result<std::string> &bytes) {
  const Skill &skill = *work.skills[slot.skill];
  if (bytes) {
    work.manifests[slot.skill][slot.file] = {"sha256:" + sha256Hex(*bytes), bytes->size()};
    return;
  }
  const Fault fault = bytes.failure().fault;
  if (fault == Fault::Stale) work.stale = true;
  if (fault == Fault::Unavailable || fault == Fault::ToolTimeout || fault == Fault::Cancelled)
    work.trouble.with([&](auto &first) {
      if (!first) first = bytes.failure();
    });
  if (!work.failed[slot.skill].exchange(true) && bytes.failure().fault != Fault::Cancelled)
    log::warning("skills",
                 skill.id + " is left out of skills/list for now: " + bytes.failure().message);
}

void finish(Library &library, Computation &work) {
  std::vector<ManifestPointer> result;
  for (std::size_t i = 0; i < work.skills.size(); ++i) {
    ManifestPointer known = work.skills[i]->manifest.copy();
    if (!known && !work.failed[i]) {
      known = std::make_shared<const Manifest>(std::move(work.manifests[i]));
      work.skills[i]->manifest.with([&](ManifestPointer &kept) { kept = known; });
    }
    result.push_back(std::move(known));
  }
  if (work.stale) library.refresh();
  // A source in trouble is no reason to say that it has no skills.
  if (const auto trouble = work.trouble.copy()) return work.answer(*trouble);
  work.answer(std::move(result));
}

} // namespace

void findManifests(Library &library, std::vector<std::shared_ptr<const Skill>> skills,
                   const CallOptions &options, Answer<std::vector<ManifestPointer>> answer) {
  struct Batch {
    std::vector<Document> documents;
    std::vector<Slot> slots;
  };
  auto work = std::make_shared<Computation>(std::move(skills));
  work->answer = std::move(answer);
  std::map<std::string, Batch> batches; // by source
  for (std::size_t i = 0; i < work->skills.size(); ++i) {
    const Skill &skill = *work->skills[i];
    if (skill.manifest.copy()) continue;
    work->manifests[i].resize(skill.files.size());
    Batch &batch = batches[skill.source];
    for (std::size_t file = 0; file < skill.files.size(); ++file) {
      batch.documents.push_back(skill.files[file]);
      batch.slots.push_back({i, file});
    }
  }
  if (batches.empty()) return finish(library, *work);
  work->reading = batches.size();
  for (auto &[name, batch] : batches) {
    const auto done = [&library, work] {
      if (work->reading.fetch_sub(1) == 1) finish(library, *work);
    };
    const auto source = library.source(name);
    if (!source) {
      for (const Slot &slot : batch.slots)
        take(*work, slot, {Fault::Unavailable, "the source " + name + " is gone"});
      done();
      continue;
    }
    source->readEach(
        options, std::move(batch.documents), largestFile,
        [work, slots = std::move(batch.slots)](std::size_t i, const Result<std::string> &bytes) {
          take(*work, slots[i], bytes);
        },
        done);
  }
}

} // namespace skillhost

// SPDX-License-Identifier: Apache-2.0
#include "skills/manifest.hpp"

#include "base/log.hpp"
#include "ground/sha256.hpp"
#include "skills/library.hpp"

#include <atomic>
#include <exception>
#include <list>
#include <map>
#include <new>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

constexpr std::size_t maxFileBytes = 64U << 20U;

// Keeps the state of a call of findManifests() until it is answered.
struct Computation {
  Computation(Library &ofLibrary, std::vector<std::shared_ptr<const Skill>> all, CallOptions with)
      : library(ofLibrary), skills(std::move(all)), options(std::move(with)),
        results(skills.size()) {}

  Library &library;
  const std::vector<std::shared_ptr<const Skill>> skills;
  const CallOptions options;
  ResultCallback<std::vector<ManifestPointer>> answer;
  std::vector<ManifestPointer> results;    // each written by one thread
  Guarded<std::optional<Failure>> trouble; // of a source, not of a file
  std::atomic<std::size_t> open{0};        // tasks that must end before the answer
};
using ComputationPointer = std::shared_ptr<Computation>;

// The files of one source that are read for a computation; each slot is filled by one thread.
struct Batch {
  struct Part {
    std::size_t skill; // index in the computation
    Manifest manifest;
    std::atomic<bool> failed{false};
    Part(std::size_t which, std::size_t files) : skill(which), manifest(files) {}
  };
  std::list<Part> parts;
  std::vector<Document> documents;
  std::vector<std::pair<Part *, std::size_t>> slots; // by document: the place of its digest
  std::atomic<bool> stale{false};
  Guarded<std::optional<Failure>> trouble;
};

bool isTrouble(Fault fault) {
  return fault == Fault::Unavailable || fault == Fault::ToolTimeout || fault == Fault::Cancelled;
}

void settleOne(Computation &work) {
  if (work.open.fetch_sub(1) != 1) return;
  // A source in trouble must not be reported as having no skills.
  if (const auto trouble = work.trouble.copy()) return work.answer(*trouble);
  work.answer(std::exchange(work.results, {}));
}

void begin(const ComputationPointer &work, const std::vector<std::size_t> &which);

// Takes the outcome of another caller, which has computed the manifest or failed to.
void onManifest(const ComputationPointer &work, std::size_t skill,
                const Result<ManifestPointer> &outcome) {
  const bool hasEnded = work->options.cancel.cancelled() || work->options.deadline.passed();
  if (outcome)
    work->results[skill] = *outcome;
  else if (outcome.failure().fault != Fault::Unavailable && !hasEnded)
    begin(work, {skill}); // the other caller gave up, this one does not
  else
    work->trouble.with([&](auto &first) { first = outcome.failure(); });
  settleOne(*work);
}

void take(const Computation &work, Batch &batch, std::size_t document,
          const Result<std::string> &bytes) {
  auto &[part, file] = batch.slots[document];
  if (bytes) {
    part->manifest[file] = {"sha256:" + sha256Hex(*bytes), bytes->size()};
    return;
  }
  const Fault fault = bytes.failure().fault;
  if (fault == Fault::Stale) batch.stale = true;
  if (isTrouble(fault))
    batch.trouble.with([&](auto &first) {
      if (!first) first = bytes.failure();
    });
  if (!part->failed.exchange(true) && fault != Fault::Cancelled)
    log::warning("skills", work.skills[part->skill]->id +
                               " is left out of skills/list for now: " + bytes.failure().message);
}

// Releases the waiting callers after a failed allocation. The next caller computes the manifest.
void releaseWaiting(const Skill &skill) noexcept {
  const auto waiting = skill.manifest.with([](ManifestState &state) {
    state.computing = false;
    return std::exchange(state.waiting, {});
  });
  try {
    const Result<ManifestPointer> outcome(Fault::Unavailable, "memory is short");
    for (const auto &one : waiting) one(outcome);
  } catch (const std::exception &why) {
    log::failure("skills", {"requests for the files of a skill get no answer"}, why);
  }
}

// All of the batch has been read: passes the manifests to everybody who waits for one of its
// skills.
void settle(const ComputationPointer &work, Batch &batch) try {
  const auto trouble = batch.trouble.copy();
  if (trouble) work->trouble.with([&](auto &first) { first = trouble; });
  if (batch.stale) work->library.refresh();
  for (Batch::Part &part : batch.parts) {
    ManifestPointer known;
    if (!part.failed) known = std::make_shared<const Manifest>(std::move(part.manifest));
    const Result<ManifestPointer> outcome =
        !known && trouble ? Result<ManifestPointer>(*trouble) : Result<ManifestPointer>(known);
    work->results[part.skill] = known;
    auto waiting = work->skills[part.skill]->manifest.with([&](ManifestState &state) {
      state.known = known;
      state.computing = false;
      return std::exchange(state.waiting, {});
    });
    for (const auto &one : waiting) one(outcome);
  }
  settleOne(*work);
} catch (const std::bad_alloc &) {
  for (const Batch::Part &part : batch.parts) releaseWaiting(*work->skills[part.skill]);
  throw;
}

// True if the manifest must be computed here. Else it is known, or another caller computes it.
bool mustCompute(const ComputationPointer &work, std::size_t skill) {
  return work->skills[skill]->manifest.with([&](ManifestState &state) {
    work->results[skill] = state.known;
    if (state.known) return false;
    if (!state.computing) return state.computing = true;
    ++work->open;
    state.waiting.emplace_back([work, skill](const Result<ManifestPointer> &outcome) {
      onManifest(work, skill, outcome);
    });
    return false;
  });
}

void begin(const ComputationPointer &work, const std::vector<std::size_t> &which) try {
  std::map<std::string, std::shared_ptr<Batch>> batches; // by source
  for (const std::size_t i : which) {
    if (!mustCompute(work, i)) continue;
    const Skill &skill = *work->skills[i];
    auto &batch = batches[skill.source];
    if (!batch) batch = std::make_shared<Batch>();
    Batch::Part &part = batch->parts.emplace_back(i, skill.files.size());
    for (std::size_t file = 0; file < skill.files.size(); ++file) {
      batch->documents.push_back(skill.files[file]);
      batch->slots.emplace_back(&part, file);
    }
  }
  work->open += batches.size();
  for (const auto &[name, batch] : batches) {
    const auto source = work->library.source(name);
    if (!source) {
      for (std::size_t i = 0; i < batch->slots.size(); ++i)
        take(*work, *batch, i, {Fault::Unavailable, "the source " + name + " is gone"});
      settle(work, *batch);
      continue;
    }
    source->readEach(
        work->options, std::move(batch->documents), maxFileBytes,
        [work, batch = batch](std::size_t i, const Result<std::string> &bytes) {
          take(*work, *batch, i, bytes);
        },
        [work, batch = batch] { settle(work, *batch); });
  }
} catch (const std::bad_alloc &) {
  for (const std::size_t skill : which) releaseWaiting(*work->skills[skill]);
  throw;
}

} // namespace

void findManifests(Library &library, std::vector<std::shared_ptr<const Skill>> skills,
                   const CallOptions &options,
                   ResultCallback<std::vector<ManifestPointer>> answer) {
  const auto work = std::make_shared<Computation>(library, std::move(skills), options);
  work->answer = std::move(answer);
  work->open = 1; // until everything has begun
  std::vector<std::size_t> all(work->skills.size());
  std::iota(all.begin(), all.end(), 0U);
  begin(work, all);
  settleOne(*work);
}

} // namespace skillhost

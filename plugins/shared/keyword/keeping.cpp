// SPDX-License-Identifier: Apache-2.0
// The keeper thread of Index merges visible segments and keeps them in the folder.
#include "index.hpp"

#include "merge_policy.hpp"

#include <malloc.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>

namespace skillhost::keyword {
namespace {

constexpr int lowPriority = 10;
constexpr std::size_t muchMerged = 1024; // entries; merging more leaves much memory to give back
constexpr std::chrono::seconds quiet{1}; // time without a change before that memory is given back
constexpr std::chrono::seconds idle{15}; // longest time between two looks at a writer's work
struct Stopped {};                       // thrown if the index is being destroyed

} // namespace

std::vector<std::size_t> Index::ownSegments() const {
  const std::shared_ptr<const Snapshot> visible = snapshot();
  std::vector<std::size_t> own;
  for (std::size_t number = 0; number < visible->segments().size(); ++number)
    if (!isFollowed(*visible->segments()[number].segment)) own.push_back(number);
  return own;
}

std::vector<std::size_t> Index::segmentsDue() const {
  if (storage_.isFollowing() && hasChanges_) return {}; // others may be followed than are visible
  const std::vector<std::size_t> own = ownSegments();
  const std::shared_ptr<const Snapshot> visible = snapshot();
  std::vector<SegmentView> segments;
  segments.reserve(own.size());
  for (const std::size_t number : own) segments.push_back(visible->segments()[number]);
  std::vector<std::size_t> due = segmentsToMerge(segments);
  for (std::size_t &number : due) number = own[number];
  return due;
}

bool Index::isAllKept() const {
  return !isUnsaved_ && !isSaving_ && (mergesFail_ || segmentsDue().empty());
}

void Index::keep() {
  // Linux keeps a priority per thread, so this lowers only the keeper's.
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), lowPriority);
  std::unique_lock lock(writing_);
  for (;;) {
    try {
      return keepUntilStopped(lock);
    } catch (const std::exception &) {
      // Memory is short. A pause loses nothing, and the next start rebuilds what the end of the
      // process loses.
      if (!lock.owns_lock()) lock.lock();
      isSaving_ = false;
      progressed_.notify_all();
      if (changed_.wait_for(lock, quiet, [this] { return stopping_.load(); })) return;
    }
  }
}

void Index::keepUntilStopped(std::unique_lock<std::mutex> &lock) {
  std::size_t freed = 0; // entries of segments merged since memory was given back
  auto look = quiet;     // time until the next look at what another process has kept
  for (;;) {
    const auto isAwaited = [this] { return stopping_ || !isAllKept(); };
    if (freed >= muchMerged && !changed_.wait_for(lock, quiet, isAwaited)) {
      freed = 0;
      lock.unlock();
#ifdef __GLIBC__
      ::malloc_trim(0); // each analysing thread has left free memory behind
#endif
      lock.lock();
    }
    if (storage_.isFollowing()) {
      if (!changed_.wait_for(lock, look, isAwaited)) {
        followInBackground();
        look = std::min(2 * look, idle);
        continue;
      }
    } else {
      changed_.wait(lock, isAwaited);
    }
    if (isUnsaved_) {
      look = quiet; // the writer is likely to write the same soon
      save(lock);
      progressed_.notify_all();
      continue; // another commit may wait to be saved before the end
    }
    if (stopping_) return;
    const std::vector<std::size_t> numbers = segmentsDue();
    if (!numbers.empty() && !mergesFail_) {
      try {
        for (const std::size_t number : numbers)
          freed += snapshot()->segments()[number].segment->size();
        merge(lock, numbers, Where::DiskOrMemory);
        isUnsaved_ = true;
        hasLoggedMergeFailure_ = false;
      } catch (const Stopped &) { // the wait above returns at once
      } catch (const std::exception &error) {
        mergesFail_ = true;
        if (!std::exchange(hasLoggedMergeFailure_, true))
          tell_(Notice::Warning,
                std::string("the index's segments are not merged until the next change: ") +
                    error.what());
      }
    }
    progressed_.notify_all();
  }
}

void Index::save(std::unique_lock<std::mutex> &writing) {
  isUnsaved_ = false;
  if (storage_.isFollowing()) return followInBackground();
  isSaving_ = true;
  try {
    if (!storage_.isOpen() || writeMissing(writing)) {
      const std::shared_ptr<const Snapshot> visible = snapshot();
      writing.unlock();
      storage_.save({visible->generation(), visible->segments()});
    }
  } catch (const Stopped &) {             // the next start rebuilds what the disk refused
  } catch (const std::exception &error) { // the next commit tries again
    storage_.giveUp(std::string("the index cannot be written: ") + error.what());
  }
  if (!writing.owns_lock()) writing.lock();
  isSaving_ = false;
}

bool Index::writeMissing(std::unique_lock<std::mutex> &writing) {
  for (;;) {
    const std::shared_ptr<const Snapshot> visible = snapshot();
    const std::vector<SegmentView> &segments = visible->segments();
    const auto missing =
        std::find_if(segments.begin(), segments.end(),
                     [this](const SegmentView &view) { return isMissing(*view.segment); });
    if (missing == segments.end()) {
      lost_.clear();
      return true;
    }
    const auto number = static_cast<std::size_t>(missing - segments.begin());
    if (!merge(writing, {number}, Where::Disk)) return false;
  }
}

bool Index::merge(std::unique_lock<std::mutex> &writing, const std::vector<std::size_t> &numbers,
                  Where where) {
  const std::shared_ptr<const Snapshot> visible = snapshot();
  struct Merging { // follow() does nothing meanwhile
    Merging(bool &is, std::unique_lock<std::mutex> &lock) : is(is), lock(lock) { is = true; }
    Merging(const Merging &) = delete;
    Merging &operator=(const Merging &) = delete;
    ~Merging() {
      if (!lock.owns_lock()) lock.lock();
      is = false;
    }
    bool &is;
    std::unique_lock<std::mutex> &lock;
  };
  const Merging merging(isMerging_, writing);
  writing.unlock();
  std::vector<MergeInput> inputs;
  std::size_t alive = 0;
  for (const std::size_t number : numbers) {
    const SegmentView &view = visible->segments()[number];
    inputs.push_back({view.segment, view.removed});
    alive += view.segment->size() - view.removed->entries().size();
  }
  Places places;
  std::shared_ptr<const Segment> segment;
  if (alive > 0)
    segment = storage_.make(
        [&](BodySink &bodies) {
          return merged(inputs, bodies, places, [this] {
            if (stopping_) throw Stopped{};
          });
        },
        where);
  writing.lock();
  if (alive > 0 && !segment) return false;
  install(inputs, places, segment);
  for (const MergeInput &input : inputs)
    if (!isMissing(*input.segment)) storage_.retire(*input.segment);
  return true;
}

void Index::install(const std::vector<MergeInput> &inputs, const Places &places,
                    const std::shared_ptr<const Segment> &segment) {
  const std::size_t entries = segment ? segment->size() : 0;
  auto goneNow = std::make_shared<RemovedEntries>(entries);  // removed from the visible entries
  auto goneNext = std::make_shared<RemovedEntries>(entries); // removed by the next commit
  const auto inputOf = [&inputs](const std::shared_ptr<const Segment> &wanted) {
    const auto found =
        std::find_if(inputs.begin(), inputs.end(),
                     [&wanted](const MergeInput &each) { return each.segment == wanted; });
    return static_cast<std::size_t>(found - inputs.begin());
  };
  const auto bring = [&](std::size_t input, const RemovedEntries &from, RemovedEntries &to) {
    if (!segment) return;
    for (const std::uint16_t entry : from.entries())
      if (places[input][entry] != gone) to.add(static_cast<std::uint16_t>(places[input][entry]));
  };
  const std::shared_ptr<const Snapshot> visible = snapshot();
  bool isVisible = false; // false after clear() and a commit
  std::vector<SegmentView> segments;
  for (const SegmentView &view : visible->segments()) {
    const std::size_t input = inputOf(view.segment);
    if (input == inputs.size())
      segments.push_back(view);
    else
      bring(input, *view.removed, *goneNow);
    isVisible = isVisible || input < inputs.size();
  }
  bool isWanted = false; // false after clear()
  std::vector<OpenSegment> openSegments;
  for (const OpenSegment &each : segments_) {
    const std::size_t input = inputOf(each.segment);
    if (input == inputs.size())
      openSegments.push_back(each);
    else
      bring(input, *each.removed, *goneNext);
    isWanted = isWanted || input < inputs.size();
  }
  if (segment) {
    goneNow->count(*segment);
    goneNext->count(*segment);
    if (isVisible) segments.push_back({segment, goneNow});
    if (!isVisible && !isWanted) storage_.retire(*segment);
    if (isWanted) openSegments.push_back({segment, goneNext, false, {}});
  }
  auto next = std::make_shared<Snapshot>(visible->generation(), std::move(segments),
                                         visible->statistics(), visible->compounds());
  segments_ = std::move(openSegments);
  publish(std::move(next));
}

} // namespace skillhost::keyword

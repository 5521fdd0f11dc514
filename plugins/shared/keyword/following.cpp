// SPDX-License-Identifier: Apache-2.0
// How an index follows the one that another process keeps in the same folder. Segments are replaced
// by others that hold the same entries, so no search finds anything else than before.
#include "index.hpp"

#include <algorithm>
#include <unordered_map>

namespace skillhost::keyword {
namespace {

bool isIn(const Storage::Segments &segments, const Segment &wanted) {
  return std::any_of(segments.begin(), segments.end(),
                     [&wanted](const auto &each) { return each.get() == &wanted; });
}

} // namespace

bool Index::isFollowed(const Segment &segment) const { return isIn(followed_, segment); }

bool Index::isMissing(const Segment &segment) const {
  return segment.file == 0 || isIn(lost_, segment);
}

bool Index::follow() {
  if (!storage_.isFollowing() || isMerging_) return false;
  if (!storage_.takeLock()) {
    const std::optional<Kept> news = storage_.news(followed_);
    if (news) use(news->segments);
    return news.has_value();
  }
  // Until the folder is read, none of the segments may count as kept.
  const Storage::Segments followed = std::exchange(followed_, {});
  for (const OpenSegment &each : segments_)
    if (each.segment->file != 0) lost_.push_back(each.segment);
  const std::shared_ptr<const Snapshot> visible = snapshot();
  for (const SegmentView &view : visible->segments())
    if (view.segment->file != 0 && !isIn(lost_, *view.segment)) lost_.push_back(view.segment);
  isUnsaved_ = true;
  use(storage_.load(followed).segments);
  const Storage::Segments kept = std::exchange(followed_, {});
  std::erase_if(lost_, [&kept](const auto &segment) { return isIn(kept, *segment); });
  return true;
}

void Index::followInBackground() {
  if (hasChanges_ || !follow()) return; // the next commit follows if there are changes
  const std::shared_ptr<const Snapshot> visible = snapshot();
  std::vector<SegmentView> segments;
  for (OpenSegment &openSegment : segments_) {
    countRemoved(openSegment);
    segments.push_back({openSegment.segment, openSegment.removed});
    openSegment.isShared = true;
  }
  publish(std::make_shared<Snapshot>(visible->generation(), std::move(segments),
                                     visible->statistics(), visible->compounds()));
}

void Index::use(const std::vector<SegmentView> &kept) {
  Storage::Segments followed;
  for (const SegmentView &view : kept) followed.push_back(view.segment);
  std::vector<OpenSegment> old = segments_; // unchanged if memory is short
  for (OpenSegment &each : old) each.isShared = true;
  std::unordered_map<std::string_view, std::pair<OpenSegment *, std::uint16_t>> replaceable;
  for (OpenSegment &each : old) {
    if (isIn(followed, *each.segment)) continue;
    for (std::size_t entry = 0; entry < each.segment->size(); ++entry)
      if (!each.removed->contains(entry))
        replaceable[each.segment->id(entry)] = {&each, static_cast<std::uint16_t>(entry)};
  }
  std::vector<OpenSegment> segments;
  for (const auto &segment : followed) {
    const auto same = std::find_if(old.begin(), old.end(),
                                   [&](const auto &each) { return each.segment == segment; });
    if (same != old.end()) {
      segments.push_back(*same);
      continue;
    }
    auto removed = std::make_shared<RemovedEntries>(segment->size());
    for (std::size_t entry = 0; entry < segment->size(); ++entry) {
      const auto found = replaceable.find(segment->id(entry));
      if (found != replaceable.end()) {
        const auto [from, at] = found->second;
        if (!segment->revision(entry).empty() &&
            from->segment->revision(at) == segment->revision(entry)) {
          from->remove(at);
          replaceable.erase(found);
          continue;
        }
      }
      removed->add(static_cast<std::uint16_t>(entry));
    }
    segments.push_back({segment, std::move(removed), false, {}, true});
  }
  for (OpenSegment &each : old)
    if (!isIn(followed, *each.segment) && each.removed->entries().size() < each.segment->size())
      segments.push_back(std::move(each));
  segments_ = std::move(segments);
  followed_ = std::move(followed);
  std::vector<std::pair<std::string, std::string>> waiting; // id and revision
  for (const auto &[id, entry] : pending_) waiting.emplace_back(id, entry.revision);
  for (const auto &[id, revision] : waiting) revive(id, revision);
}

bool Index::revive(std::string_view id, std::string_view revision) {
  if (followed_.empty() || revision.empty()) return false;
  for (OpenSegment &each : segments_) {
    if (!isFollowed(*each.segment)) continue;
    const auto entry = each.segment->find(id);
    if (!entry || each.segment->revision(*entry) != revision) continue;
    if (!each.removed->contains(*entry)) return true;
    removeOld(id);
    each.writable().erase(*entry);
    if (std::erase(each.uncounted, *entry) == 0) each.mustCountAll = true;
    remember(*each.segment, *entry);
    return true;
  }
  return false;
}

} // namespace skillhost::keyword

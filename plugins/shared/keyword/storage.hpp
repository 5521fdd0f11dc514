// SPDX-License-Identifier: Apache-2.0
// The folder in which an index is kept: segments, and a manifest that names those that count, which
// is replaced as a whole. What is not named, as by a process that was killed, is removed.
#pragma once

#include "segment_file.hpp"
#include "snapshot.hpp"

#include <atomic>
#include <mutex>
#include <set>

namespace skillhost::keyword {

enum class Notice : std::uint8_t {
  Information,
  Warning,
  NotKept, // a warning, which holds until Kept
  Kept     // again
};
using Tell = std::function<void(Notice, const std::string &)>; // any thread; must not throw

enum class Where : std::uint8_t { Disk, DiskOrMemory };

struct Kept {
  std::string generation; // empty: nothing is
  std::vector<SegmentView> segments;
};

// Any thread may call make() and giveUp(); the others, one at a time.
class Storage {
public:
  // `folder`: made when it is not there, and left alone when it is a symbolic link; empty:
  // everything stays in memory. `options`: of what the segments depend on.
  Storage(std::string folder, const Blake3::Digest &options, std::size_t bodyBytes, Tell tell);

  // What is there, if it is whole and of these options; else nothing, and a word of why.
  Kept load();
  // Whether anything may be kept: there is a folder, and it is ours.
  bool isOpen() const noexcept { return isOpen_; }
  // The segment that `build` makes, in a file where the disk allows. Once it refuses, which is
  // told, segments stay in memory until a save() succeeds; but Where::Disk tries nevertheless, and
  // gives null when it refuses. `build` may be called twice; throws what it does.
  std::shared_ptr<const Segment> make(const std::function<Segment(BodySink &)> &build,
                                      Where where = Where::DiskOrMemory);
  // When it returns true this is what the next load() finds, whatever happens to the process or
  // the machine. False, too, as long as one of the segments is in memory.
  bool save(const Kept &kept);
  // Tells why nothing is kept until a save() succeeds.
  void giveUp(const std::string &why);
  // Its file goes with the next save(), if that names it no more.
  void retire(const Segment &segment);

private:
  std::string pathOf(std::uint64_t number) const;
  bool open();
  Kept read(std::string_view manifest);
  // A new file and its number; throws DiskRefuses.
  std::pair<Descriptor, std::uint64_t> makeFile();
  void removeAllBut(const std::set<std::uint64_t> &named);
  void unlink(std::uint64_t number) const;
  void tellNotKept(const std::string &text);

  const std::string folder_;
  const Blake3::Digest options_;
  const std::size_t bodyBytes_;
  const Tell tell_;
  Descriptor directory_; // all is done in it, whatever has its path by now
  Descriptor lock_;
  bool isOpen_ = false;
  std::mutex telling_; // held while `keeps_` changes and that is told
  std::atomic<bool> keeps_{false};
  std::atomic<std::uint64_t> last_{0}; // number that was given to a segment
  std::set<std::uint64_t> flushed_;    // that the manifest names
  std::vector<std::uint64_t> retired_;
};

} // namespace skillhost::keyword

// SPDX-License-Identifier: Apache-2.0
// The folder of an index holds segments and a manifest that names the valid ones and is replaced as
// a whole. Other segments, for example of a killed process, are removed. Several processes may use
// the folder: the one that has its lock writes, and the others follow it.
#pragma once

#include "segment_file.hpp"
#include "snapshot.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <set>

namespace skillhost::keyword {

enum class Notice : std::uint8_t {
  Information,
  Warning,
  NotKept, // a warning that holds until Kept
  Kept     // the index is kept again
};
// Any thread may call it; must not throw.
using Tell = std::function<void(Notice, const std::string &)>;

enum class Where : std::uint8_t { Disk, DiskOrMemory };

struct Kept {
  std::string generation; // empty if nothing is kept
  std::vector<SegmentView> segments;
};

// Any thread may call make() and giveUp(). Only one thread at a time may call the others, and
// takeLock() only while no thread is in make().
class Storage {
public:
  // `folder` is created if it is missing and not used if it is a symbolic link; empty: everything
  // stays in memory. `options` digests everything that the segments depend on.
  Storage(std::string folder, const Blake3::Digest &options, std::size_t bodyBytes, Tell tell,
          Images images);

  using Segments = std::vector<std::shared_ptr<const Segment>>;
  // Returns the kept index if it is intact and has these options; otherwise nothing, and reports
  // why. A segment in `known` is not read again.
  Kept load(const Segments &known = {});
  // True if the folder exists and this process may write it.
  bool isOpen() const noexcept { return role_ == Role::Writer; }
  // True if another process may write the folder, and this one only reads it.
  bool isFollowing() const noexcept { return role_ == Role::Follower; }
  // Lets a follower write the folder from now on, if no other process does. It must load() next.
  bool takeLock();
  // Does the same as load() if another manifest is there than at the last call. Otherwise, or if
  // that is not intact, returns nothing.
  std::optional<Kept> news(const Segments &known);
  // Builds a segment in a file, if this process may write and the disk allows. If the disk refuses,
  // this is reported, and segments stay in memory until a save() succeeds. Where::Disk tries the
  // disk nevertheless and returns null if it refuses. `build` may be called twice; throws what it
  // throws.
  std::shared_ptr<const Segment> make(const std::function<Segment(BodySink &)> &build,
                                      Where where = Where::DiskOrMemory);
  // If it returns true, the next load() finds `kept`, even if the process is killed or the machine
  // fails. Returns false as well while one of the segments is in memory.
  bool save(const Kept &kept);
  // Reports that nothing is kept, and why, until a save() succeeds.
  void giveUp(const std::string &why);
  // The next save() removes the segment's file if the manifest names it no more.
  void retire(const Segment &segment);

private:
  enum class Role : std::uint8_t {
    Alone, // the folder cannot be used
    Follower,
    Writer
  };
  // Tells one manifest from another.
  struct Version {
    std::uint64_t file = 0, seconds = 0, nanoseconds = 0, bytes = 0;
    bool operator==(const Version &) const = default;
  };
  std::string pathOf(std::uint64_t number) const;
  Role open();
  Version version() const; // of the manifest that is there now
  // Throws Damaged or OtherOptions.
  Kept read(std::string_view manifest, const Segments &known) const;
  // Returns nothing if the index is unusable, and reports why unless it did so last time.
  std::optional<Kept> tryRead(const Segments &known);
  // Creates a new file with the next free number. Throws DiskRefuses.
  std::pair<Descriptor, std::uint64_t> makeFile();
  void unlink(std::uint64_t number) const;
  void reportNotKept(const std::string &text);

  const std::string folder_;
  const Blake3::Digest options_;
  const std::size_t bodyBytes_;
  const Tell tell_;
  const Images images_;
  Descriptor directory_;  // all work is done in it, even if its path is replaced
  Descriptor lock_;       // none: the lock cannot be opened here
  std::string whyNoLock_; // empty if the lock works here
  std::atomic<Role> role_{Role::Alone};
  Version lastVersion_;
  std::string lastProblem_;
  std::mutex reportMutex_; // held while `keeps_` changes and the change is reported
  std::atomic<bool> keeps_{false};
  std::atomic<std::uint64_t> last_{0}; // last number given to a segment
  std::set<std::uint64_t> flushed_;    // segments named by the manifest
  std::vector<std::uint64_t> retired_;
};

} // namespace skillhost::keyword

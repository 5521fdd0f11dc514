// SPDX-License-Identifier: Apache-2.0
#include "storage.hpp"

#include "files/whole_file.hpp"
#include "ground/bytes.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <unordered_set>

namespace skillhost::keyword {
namespace {

constexpr std::string_view manifestMagic = "skhkwm1\n"; // another layout needs another number
constexpr const char *manifestName = "manifest";
constexpr std::size_t maxManifestBytes = std::size_t{64} << 20U;
constexpr std::size_t maxSegments = 4096;

struct OtherOptions {}; // the index is intact but was built with other options

} // namespace

Storage::Storage(std::string folder, const Blake3::Digest &options, std::size_t bodyBytes,
                 Tell tell, Images images)
    : folder_(std::move(folder)), options_(options), bodyBytes_(bodyBytes), tell_(std::move(tell)),
      images_(images) {
  if (!folder_.empty()) role_ = open();
  keeps_ = isOpen();
}

std::string Storage::pathOf(std::uint64_t number) const {
  return folder_ + "/" + segmentName(number);
}

void Storage::unlink(std::uint64_t number) const {
  ::unlinkat(directory_.number(), segmentName(number).c_str(), 0);
}

void Storage::giveUp(const std::string &why) {
  reportNotKept(why +
                "; the index goes on in memory and is not kept for the next start; writing it is "
                "tried again when the skills change");
}

void Storage::reportNotKept(const std::string &text) {
  const std::scoped_lock lock(reportMutex_);
  if (keeps_.exchange(false)) tell_(Notice::NotKept, text);
}

Storage::Role Storage::open() {
  const auto refuse = [this](const char *what) {
    const int why = errno;
    tell_(Notice::NotKept, folder_ + ": " + what + " (" + std::generic_category().message(why) +
                               "); the index is not kept for the next start");
    return Role::Alone;
  };
  const auto follow = [this](const char *what) {
    whyNoLock_ = std::string(what) + " (" + std::generic_category().message(errno) + ")";
    return Role::Follower;
  };
  if (::mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) return refuse("cannot be made");
  directory_ = Descriptor(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory_) return refuse("cannot be opened as a folder");
  const int lock =
      ::openat(directory_.number(), "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (lock < 0)
    return errno == EROFS || errno == EACCES || errno == EPERM
               ? follow("its lock cannot be opened")
               : refuse("its lock cannot be opened");
  lock_ = Descriptor(lock);
  if (::flock(lock_.number(), LOCK_EX | LOCK_NB) == 0) {
    files::removeRemains(directory_.number());
    return Role::Writer;
  }
  if (errno != EWOULDBLOCK) return follow("cannot be locked");
  tell_(Notice::Information,
        folder_ + ": another process writes the index; this one reads it and keeps in memory what "
                  "differs");
  return Role::Follower;
}

bool Storage::takeLock() {
  if (!isFollowing() || !lock_ || ::flock(lock_.number(), LOCK_EX | LOCK_NB) != 0) return false;
  files::removeRemains(directory_.number());
  whyNoLock_.clear();
  role_ = Role::Writer;
  if (!keeps_.exchange(true)) tell_(Notice::Kept, folder_ + ": this process writes the index now");
  return true;
}

Kept Storage::read(std::string_view manifest, const Segments &known) const {
  constexpr std::size_t digestBytes = sizeof(Blake3::Digest);
  if (manifest.size() < manifestMagic.size() + 2 * digestBytes ||
      !manifest.starts_with(manifestMagic))
    throw Damaged("the manifest is none of this version");
  const std::string_view said = manifest.substr(0, manifest.size() - digestBytes);
  ByteReader sum(manifest.substr(said.size()));
  if (sum.value<Blake3::Digest>() != digestOf(said)) throw Damaged("the manifest is damaged");
  ByteReader in(said.substr(manifestMagic.size()));
  if (in.value<Blake3::Digest>() != options_) throw OtherOptions{};
  Kept kept;
  kept.generation = in.text();
  const auto count = in.value<std::uint64_t>();
  if (count > maxSegments) throw Damaged("the manifest names too many segments");
  struct Named {
    std::uint64_t number;
    Blake3::Digest digest;
    std::vector<std::uint16_t> removed;
    std::shared_ptr<const Segment> known;
    Descriptor file;
  };
  const auto ofSegment = [](std::uint64_t number, const Damaged &error) {
    return Damaged(segmentName(number) + ": " + error.what());
  };
  std::vector<Named> all;
  std::set<std::uint64_t> numbers;
  for (std::uint64_t each = 0; each < count; ++each) {
    Named named{};
    named.number = in.value<std::uint64_t>();
    named.digest = in.value<Blake3::Digest>();
    named.removed = in.array<std::uint16_t>();
    if (named.number == 0 || named.number > maxSegmentNumber)
      throw Damaged("the manifest names a segment that cannot be");
    if (!numbers.insert(named.number).second) throw Damaged("the manifest names a segment twice");
    const auto same = std::find_if(known.begin(), known.end(), [&named](const auto &segment) {
      return segment->file == named.number && segment->digest == named.digest;
    });
    if (same != known.end()) named.known = *same;
    all.push_back(std::move(named));
  }
  in.end();
  // All files are opened before any is read, because the writer may remove them at any time.
  for (Named &named : all) {
    if (named.known) continue;
    try {
      named.file = openSegment(directory_.number(), named.number);
    } catch (const Damaged &error) {
      throw ofSegment(named.number, error);
    }
  }
  for (Named &named : all) {
    SegmentView view;
    view.segment = std::move(named.known);
    try {
      if (!view.segment)
        view.segment =
            readSegment(std::move(named.file), named.number, named.digest, bodyBytes_, images_);
    } catch (const Damaged &error) {
      throw ofSegment(named.number, error);
    }
    auto gone = std::make_shared<RemovedEntries>(view.segment->size());
    for (const std::uint16_t entry : named.removed) {
      if (entry >= view.segment->size()) throw Damaged("the manifest names an entry too many");
      gone->add(entry);
    }
    view.removed = std::move(gone);
    kept.segments.push_back(std::move(view));
  }
  std::unordered_set<std::string_view> ids;
  for (const SegmentView &view : kept.segments)
    for (std::size_t entry = 0; entry < view.segment->size(); ++entry)
      if (!view.removed->contains(entry) && !ids.insert(view.segment->id(entry)).second)
        throw Damaged("an entry is there twice");
  return kept;
}

Storage::Version Storage::version() const {
  struct stat info{};
  if (::fstatat(directory_.number(), manifestName, &info, AT_SYMLINK_NOFOLLOW) != 0) return {};
  return {info.st_ino, static_cast<std::uint64_t>(info.st_mtim.tv_sec),
          static_cast<std::uint64_t>(info.st_mtim.tv_nsec),
          static_cast<std::uint64_t>(info.st_size)};
}

std::optional<Kept> Storage::tryRead(const Segments &known) {
  const auto report = [this](Notice notice, const std::string &what) {
    const std::string outcome = isFollowing() ? "it is not used" : "it is made anew";
    if (lastProblem_ != what) tell_(notice, folder_ + ": " + what + "; " + outcome);
    lastProblem_ = isFollowing() ? what : std::string();
  };
  constexpr int tries = 100; // a writer that is that fast leaves it to the next call
  for (int number = 0; number < tries; ++number) {
    lastVersion_ = version();
    const std::string manifest =
        files::readWhole(directory_.number(), manifestName, maxManifestBytes);
    try {
      Kept kept;
      if (!manifest.empty())
        kept = read(manifest, known);
      else if (lastVersion_ != Version{})
        throw Damaged("the manifest cannot be read");
      lastProblem_.clear();
      return kept;
    } catch (const OtherOptions &) {
      report(Notice::Information, "the index was made with other options or by another version");
    } catch (const Damaged &error) {
      // The writer removes segments as soon as it has replaced the manifest that named them.
      if (isFollowing() && version() != lastVersion_) continue;
      report(Notice::Warning, std::string("the index is damaged: ") + error.what());
    }
    return std::nullopt;
  }
  lastVersion_ = {};
  return std::nullopt;
}

Kept Storage::load(const Segments &known) {
  if (!isOpen() && !isFollowing()) return {};
  Kept kept = tryRead(known).value_or(Kept{});
  if (kept.generation.empty()) kept = {}; // without a generation the host puts all entries again
  if (isFollowing()) {
    if (whyNoLock_.empty()) return kept;
    if (kept.segments.empty())
      tell_(Notice::NotKept,
            folder_ + ": " + whyNoLock_ + "; the index is not kept for the next start");
    else
      tell_(Notice::Information,
            folder_ + ": " + whyNoLock_ + "; the index is read, and changes stay in memory");
    return kept;
  }
  std::set<std::uint64_t> named;
  for (const SegmentView &view : kept.segments) named.insert(view.segment->file);
  for (const std::string &name : files::namesIn(directory_.number())) {
    const std::uint64_t number = numberOfSegment(name);
    if (number != 0 && !named.contains(number)) unlink(number);
  }
  if (!named.empty()) last_ = *named.rbegin();
  flushed_ = std::move(named);
  return kept;
}

std::optional<Kept> Storage::news(const Segments &known) {
  if (!isFollowing() || version() == lastVersion_) return std::nullopt;
  std::optional<Kept> kept = tryRead(known);
  if (kept && kept->generation.empty()) kept.reset();
  return kept;
}

std::pair<Descriptor, std::uint64_t> Storage::makeFile() {
  for (;;) {
    const std::uint64_t number = last_++ % maxSegmentNumber + 1;
    Descriptor file(::openat(directory_.number(), segmentName(number).c_str(),
                             O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (file) return {std::move(file), number};
    if (errno != EEXIST) // EEXIST: the file belongs to another process, so try the next number
      throw DiskRefuses(pathOf(number) + ": cannot be made (" +
                        std::generic_category().message(errno) + ")");
  }
}

std::shared_ptr<const Segment> Storage::make(const std::function<Segment(BodySink &)> &build,
                                             Where where) {
  if (isOpen() && (keeps_ || where == Where::Disk)) {
    try {
      auto [made, number] = makeFile();
      SegmentFile file(directory_.number(), pathOf(number), number, std::move(made), images_);
      return file.finish(build(file));
    } catch (const DiskRefuses &error) {
      giveUp(error.what());
    }
    if (where == Where::Disk) return nullptr;
  }
  MemoryBodies bodies;
  Segment segment = build(bodies);
  segment.bodies = bodies.finish();
  return std::make_shared<const Segment>(std::move(segment));
}

bool Storage::save(const Kept &kept) {
  if (!isOpen()) return false;
  ByteWriter out;
  out.value(options_);
  out.text(kept.generation);
  out.value(std::uint64_t{kept.segments.size()});
  std::set<std::uint64_t> named;
  for (const SegmentView &view : kept.segments) {
    const std::uint64_t number = view.segment->file;
    if (number == 0) return false; // built while the disk refused
    if (!flushed_.contains(number) && ::fdatasync(view.segment->bodies.file()) != 0) {
      // A later fdatasync() may succeed although this one has lost data.
      role_ = Role::Alone;
      reportNotKept(
          pathOf(number) + ": cannot be brought to disk (" +
          std::generic_category().message(errno) +
          "); the index goes on in memory, and the next start goes on from what was kept before");
      return false;
    }
    named.insert(number);
    out.value(number);
    out.value(view.segment->digest);
    out.array(view.removed->entries());
  }
  const std::string said = std::string(manifestMagic) + out.bytes();
  const Blake3::Digest sum = digestOf(said);
  try {
    files::writeFile(directory_.number(), manifestName,
                     said + std::string(reinterpret_cast<const char *>(sum.data()), sum.size()),
                     Flush::Now);
  } catch (const std::exception &error) {
    giveUp(folder_ + "/" + error.what());
    return false;
  }
  for (const std::uint64_t number : flushed_)
    if (!named.contains(number)) unlink(number);
  flushed_ = std::move(named);
  for (const std::uint64_t number : retired_)
    if (!flushed_.contains(number)) unlink(number);
  std::erase_if(retired_, [this](std::uint64_t number) { return !flushed_.contains(number); });
  const std::scoped_lock lock(reportMutex_);
  if (!keeps_.exchange(true)) tell_(Notice::Kept, folder_ + ": the index is kept again");
  return true;
}

void Storage::retire(const Segment &segment) {
  if (segment.file != 0) retired_.push_back(segment.file);
}

} // namespace skillhost::keyword

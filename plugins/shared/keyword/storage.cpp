// SPDX-License-Identifier: Apache-2.0
#include "storage.hpp"

#include "files/whole_file.hpp"

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
                 Tell tell)
    : folder_(std::move(folder)), options_(options), bodyBytes_(bodyBytes), tell_(std::move(tell)) {
  isOpen_ = !folder_.empty() && open();
  keeps_ = isOpen_;
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

bool Storage::open() {
  const auto refuse = [this](const char *what) {
    const int why = errno;
    tell_(Notice::NotKept, folder_ + ": " + what + " (" + std::generic_category().message(why) +
                               "); the index is not kept for the next start");
    return false;
  };
  if (::mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) return refuse("cannot be made");
  directory_ = Descriptor(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory_) return refuse("cannot be opened as a folder");
  lock_ = Descriptor(
      ::openat(directory_.number(), "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock_) return refuse("its lock cannot be opened");
  if (::flock(lock_.number(), LOCK_EX | LOCK_NB) != 0)
    return refuse(errno == EWOULDBLOCK ? "another process uses it" : "cannot be locked");
  files::removeRemains(directory_.number());
  return true;
}

void Storage::removeAllBut(const std::set<std::uint64_t> &named) {
  for (const std::string &name : files::namesIn(directory_.number())) {
    const std::uint64_t number = numberOfSegment(name);
    if (number != 0 && !named.contains(number)) unlink(number);
  }
}

Kept Storage::read(std::string_view manifest) {
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
  for (std::uint64_t each = 0; each < count; ++each) {
    const auto number = in.value<std::uint64_t>();
    const auto digest = in.value<Blake3::Digest>();
    const auto removed = in.array<std::uint16_t>();
    if (number == 0 || number > maxSegmentNumber)
      throw Damaged("the manifest names a segment that cannot be");
    if (!flushed_.insert(number).second) throw Damaged("the manifest names a segment twice");
    SegmentView view;
    try {
      view.segment = readSegment(directory_.number(), number, digest, bodyBytes_);
    } catch (const Damaged &error) {
      throw Damaged(segmentName(number) + ": " + error.what());
    }
    auto gone = std::make_shared<RemovedEntries>(view.segment->size());
    for (const std::uint16_t entry : removed) {
      if (entry >= view.segment->size()) throw Damaged("the manifest names an entry too many");
      gone->add(entry);
    }
    gone->count(*view.segment);
    view.removed = std::move(gone);
    kept.segments.push_back(std::move(view));
  }
  in.end();
  std::unordered_set<std::string_view> ids;
  for (const SegmentView &view : kept.segments)
    for (std::size_t entry = 0; entry < view.segment->size(); ++entry)
      if (!view.removed->contains(entry) && !ids.insert(view.segment->id(entry)).second)
        throw Damaged("an entry is there twice");
  return kept;
}

Kept Storage::load() {
  if (!keeps_) return {};
  Kept kept;
  try {
    const std::string manifest =
        files::readWhole(directory_.number(), manifestName, maxManifestBytes);
    struct stat info{};
    if (!manifest.empty())
      kept = read(manifest);
    else if (::fstatat(directory_.number(), manifestName, &info, AT_SYMLINK_NOFOLLOW) == 0)
      throw Damaged("the manifest cannot be read");
    if (kept.generation.empty()) kept = {}; // without a generation the host puts all entries again
  } catch (const OtherOptions &) {
    kept = {};
    tell_(Notice::Information,
          folder_ + ": the index was made with other options or by another version; it is made "
                    "anew");
  } catch (const Damaged &error) {
    kept = {};
    tell_(Notice::Warning,
          folder_ + ": the index is damaged: " + error.what() + "; it is made anew");
  }
  std::set<std::uint64_t> named;
  for (const SegmentView &view : kept.segments) named.insert(view.segment->file);
  removeAllBut(named);
  if (!named.empty()) last_ = *named.rbegin();
  flushed_ = std::move(named);
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
  if (keeps_ || where == Where::Disk) {
    try {
      auto [made, number] = makeFile();
      SegmentFile file(directory_.number(), pathOf(number), number, std::move(made));
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
  if (!isOpen_) return false;
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
      isOpen_ = false;
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

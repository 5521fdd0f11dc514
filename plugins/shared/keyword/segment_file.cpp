// SPDX-License-Identifier: Apache-2.0
#include "segment_file.hpp"

#include "ground/bytes.hpp"
#include "ground/file_system.hpp"
#include "ground/mapped_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <memory>
#include <span>
#include <system_error>
#include <type_traits>
#include <vector>

namespace skillhost::keyword {
namespace {

constexpr std::string_view segmentMagic = "skhkws2\n"; // another layout needs another number
constexpr std::size_t footerBytes =
    sizeof(std::uint64_t) + sizeof(Blake3::Digest) + segmentMagic.size();
constexpr std::uint64_t maxImageBytes = std::uint64_t{4} << 30U;
constexpr std::uint32_t longestField = 1U << 30U; // in words

[[noreturn]] void refuses(const std::string &path, const char *what) {
  throw DiskRefuses(path + ": " + what + " (" + std::generic_category().message(errno) + ")");
}

// Columns lie at multiples of this, from the start of the file on.
constexpr std::size_t alignment = alignof(std::uint64_t); // bytes

constexpr std::size_t paddingAfter(std::uint64_t size) noexcept {
  return static_cast<std::size_t>((alignment - size % alignment) % alignment);
}

template <class Value> std::string_view bytesOf(std::span<const Value> values) {
  return {reinterpret_cast<const char *>(values.data()), values.size_bytes()};
}

// Calls `take` with the bytes of the image, piece by piece: the size of each array in bytes, the
// array, and zeros up to the next multiple of the alignment.
template <class Take>
void forEachPiece(const Segment &segment, const std::vector<BodyPlace> &places, Take &&take) {
  const auto array = [&take](std::string_view bytes) {
    const std::uint64_t size = bytes.size();
    take(bytesOf(std::span(&size, 1)));
    take(bytes);
    take(std::string_view("\0\0\0\0\0\0\0", paddingAfter(size)));
  };
  Segment::forEachColumn(segment, [&array](const auto &column) {
    array(bytesOf(std::span(column.data(), column.size())));
  });
  array(bytesOf(std::span<const BodyPlace>(places)));
}

// Returns the arrays of an image, one after the other.
class ImageReader {
public:
  // The image must stay as long as the arrays. Throws Damaged if it is not aligned.
  explicit ImageReader(std::string_view image) : in_(image) {
    if (reinterpret_cast<std::uintptr_t>(image.data()) % alignment != 0)
      throw Damaged("its arrays are not aligned");
  }
  template <class Value> std::span<const Value> array() {
    const std::string_view bytes = in_.text();
    if (bytes.size() % sizeof(Value) != 0) throw Damaged("an array ends within a value");
    for (std::size_t byte = paddingAfter(bytes.size()); byte > 0; --byte) in_.value<char>();
    return {reinterpret_cast<const Value *>(bytes.data()), bytes.size() / sizeof(Value)};
  }
  void end() const { in_.end(); }

private:
  ByteReader in_;
};

// Attaches the columns of the segment to the image.
std::vector<BodyPlace> attach(Segment &segment, std::string_view image) {
  ImageReader in(image);
  Segment::forEachColumn(segment, [&in](auto &column) {
    using Value = typename std::remove_reference_t<decltype(column)>::value_type;
    column.attach(in.array<Value>());
  });
  const auto places = in.array<BodyPlace>();
  in.end();
  return {places.begin(), places.end()};
}

void readAll(int file, std::string &to, std::uint64_t at) {
  std::size_t done = 0;
  while (done < to.size()) {
    const ssize_t got =
        ::pread(file, to.data() + done, to.size() - done, static_cast<off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw Damaged("it cannot be read");
    done += static_cast<std::size_t>(got);
  }
}

// Maps the image of a file. Returns null if it should be read instead: a file of another machine
// may go away while it is mapped, which would end the process.
std::shared_ptr<const MappedFile> mapImage(int file, std::uint64_t begin, std::size_t size,
                                           Images images) {
  if (images == Images::Copied || fileSystemOf(file) == FileSystem::remote) return nullptr;
  try {
    return std::make_shared<const MappedFile>(file, begin, size);
  } catch (const std::system_error &) { // a file system without maps, or no room for the map
    return nullptr;
  }
}

void checkEntries(const Segment &segment, const std::vector<BodyPlace> &places,
                  std::uint64_t bodiesEnd, std::size_t bodyBytes) {
  const std::size_t entries = segment.size();
  if (entries == 0 || entries > maxSegmentEntries ||
      segment.texts.size() != entries * Segment::textsOfEntry || places.size() != entries)
    throw Damaged("entries that have not each of their parts");
  for (const auto *lengths : {&segment.lengths, &segment.runLengths})
    for (const Column<std::uint32_t> &field : *lengths)
      if (field.size() != entries ||
          std::any_of(field.begin(), field.end(), [](auto each) { return each > longestField; }))
        throw Damaged("lengths of fields that cannot be");
  const auto &ends = segment.attributeEnds;
  if (!std::is_sorted(ends.begin(), ends.end()) || ends.back() != segment.attributes.size() ||
      segment.attributeTexts.size() % 2 != 0 ||
      std::any_of(segment.attributes.begin(), segment.attributes.end(),
                  [&](auto each) { return each >= segment.attributeTexts.size() / 2; }))
    throw Damaged("attributes that are not there");
  for (std::size_t entry = 0; entry < entries; ++entry) {
    if (segment.id(entry).empty() || (entry > 0 && segment.id(entry - 1) >= segment.id(entry)))
      throw Damaged("entries that are not in order of id");
    const BodyPlace &place = places[entry];
    if (place.packed > bodiesEnd || place.offset > bodiesEnd - place.packed ||
        place.bytes > bodyBytes || (place.packed == 0) != (place.bytes == 0))
      throw Damaged("a body that is not there");
  }
  if (segment.vocabulary.counts.size() != segment.vocabulary.words.size())
    throw Damaged("words that are not counted");
}

} // namespace

Blake3::Digest digestOf(std::string_view bytes) {
  Blake3 sum;
  sum.add(bytes);
  return sum.finish();
}

std::string segmentName(std::uint64_t number) { return std::to_string(number) + ".segment"; }

std::uint64_t numberOfSegment(std::string_view name) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
  return read.ec == std::errc() && number <= maxSegmentNumber && name == segmentName(number)
             ? number
             : 0;
}

SegmentFile::SegmentFile(int folder, std::string path, std::uint64_t number, Descriptor file,
                         Images images)
    : folder_(folder), path_(std::move(path)), name_(segmentName(number)), number_(number),
      file_(std::move(file)), images_(images) {}

SegmentFile::~SegmentFile() {
  if (!isFinished_) ::unlinkat(folder_, name_.c_str(), 0);
}

void SegmentFile::flush() {
  if (!writeAll(file_.number(), waiting_)) refuses(path_, "cannot be written");
  waiting_.clear();
}

void SegmentFile::append(std::string_view bytes) {
  constexpr std::size_t atOnce = std::size_t{1} << 20U;
  if (bytes.size() >= atOnce) {
    flush();
    if (!writeAll(file_.number(), bytes)) refuses(path_, "cannot be written");
  } else {
    waiting_ += bytes;
  }
  written_ += bytes.size();
  if (waiting_.size() >= atOnce) flush();
}

std::uint64_t SegmentFile::write(std::string_view packed) {
  append(packed);
  return written_ - packed.size();
}

std::shared_ptr<const Segment> SegmentFile::finish(Segment segment) {
  append(std::string_view("\0\0\0\0\0\0\0", paddingAfter(written_)));
  const std::uint64_t begin = written_;
  Blake3 sum;
  forEachPiece(segment, places_, [this, &sum](std::string_view piece) {
    sum.add(piece);
    append(piece);
  });
  const auto size = static_cast<std::size_t>(written_ - begin);
  segment.digest = sum.finish();
  append(bytesOf(std::span(&begin, 1)));
  append({reinterpret_cast<const char *>(segment.digest.data()), segment.digest.size()});
  append(segmentMagic);
  flush();
  if (const std::shared_ptr<const MappedFile> map =
          mapImage(file_.number(), begin, size, images_)) {
    attach(segment, map->bytes());
    segment.image = map;
  }
  segment.file = number_;
  segment.bodies = Bodies(std::move(places_), std::move(file_));
  auto finished = std::make_shared<const Segment>(std::move(segment));
  isFinished_ = true;
  return finished;
}

Segment parseSegment(std::string_view image, std::uint64_t bodiesEnd, std::size_t bodyBytes,
                     std::vector<BodyPlace> &places) {
  Segment segment;
  places = attach(segment, image);
  segment.texts.check();
  segment.attributeTexts.check();
  for (Postings *postings : {&segment.words, &segment.runs, &segment.longWords})
    postings->complete(segment.size());
  segment.vocabulary.words.complete();
  checkEntries(segment, places, bodiesEnd, bodyBytes);
  segment.findShapes();
  return segment;
}

Descriptor openSegment(int folder, std::uint64_t number) {
  Descriptor file(::openat(folder, segmentName(number).c_str(),
                           O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file) throw Damaged("it cannot be opened");
  return file;
}

std::shared_ptr<const Segment> readSegment(Descriptor file, std::uint64_t number,
                                           const Blake3::Digest &digest, std::size_t bodyBytes,
                                           Images images) {
  struct stat info{};
  if (::fstat(file.number(), &info) != 0 || !S_ISREG(info.st_mode))
    throw Damaged("it cannot be opened");
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size < footerBytes) throw Damaged("it ends too early");
  std::string footer(footerBytes, '\0');
  readAll(file.number(), footer, size - footerBytes);
  ByteReader in(footer);
  const auto begin = in.value<std::uint64_t>();
  if (in.value<Blake3::Digest>() != digest ||
      std::string_view(footer).substr(footerBytes - segmentMagic.size()) != segmentMagic)
    throw Damaged("it is not the file that was written");
  if (begin > size - footerBytes || size - footerBytes - begin > maxImageBytes)
    throw Damaged("it ends too early");
  const auto imageBytes = static_cast<std::size_t>(size - footerBytes - begin);
  const std::shared_ptr<const MappedFile> map = mapImage(file.number(), begin, imageBytes, images);
  std::shared_ptr<const void> owner = map;
  std::string_view image;
  if (map) {
    image = map->bytes();
  } else {
    const auto copy = std::make_shared<std::string>(imageBytes, '\0');
    readAll(file.number(), *copy, begin);
    image = *copy;
    owner = copy;
  }
  if (digestOf(image) != digest) throw Damaged("its digest is another");
  std::vector<BodyPlace> places;
  Segment segment = parseSegment(image, begin, bodyBytes, places);
  if (map) map->release(); // the checks have read all of it, and searches need little
  segment.image = owner;
  segment.file = number;
  segment.digest = digest;
  segment.bodies = Bodies(std::move(places), std::move(file));
  return std::make_shared<const Segment>(std::move(segment));
}

} // namespace skillhost::keyword

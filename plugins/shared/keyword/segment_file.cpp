// SPDX-License-Identifier: Apache-2.0
#include "segment_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <system_error>

namespace skillhost::keyword {
namespace {

constexpr std::string_view segmentMagic = "skhkws1\n"; // another layout needs another number
constexpr std::size_t footerBytes =
    sizeof(std::uint64_t) + sizeof(Blake3::Digest) + segmentMagic.size();
constexpr std::uint64_t maxImageBytes = std::uint64_t{4} << 30U;
constexpr std::uint32_t longestField = 1U << 30U; // in words

[[noreturn]] void refuses(const std::string &path, const char *what) {
  throw DiskRefuses(path + ": " + what + " (" + std::generic_category().message(errno) + ")");
}

std::string imageOf(const Segment &segment, const std::vector<BodyPlace> &places) {
  ByteWriter out;
  segment.texts.save(out);
  segment.attributeTexts.save(out);
  out.array(segment.attributes);
  out.array(segment.attributeEnds);
  for (const auto *lengths : {&segment.lengths, &segment.runLengths})
    for (const std::vector<std::uint32_t> &field : *lengths) out.array(field);
  for (const Postings *postings : {&segment.words, &segment.runs, &segment.longWords})
    postings->save(out);
  segment.vocabulary.words.save(out);
  out.array(segment.vocabulary.counts);
  out.array(places);
  return out.bytes();
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

void checkEntries(const Segment &segment, const std::vector<BodyPlace> &places,
                  std::uint64_t bodiesEnd, std::size_t bodyBytes) {
  const std::size_t entries = segment.size();
  if (entries == 0 || entries > maxSegmentEntries ||
      segment.texts.size() != entries * Segment::textsOfEntry || places.size() != entries)
    throw Damaged("entries that have not each of their parts");
  for (const auto *lengths : {&segment.lengths, &segment.runLengths})
    for (const std::vector<std::uint32_t> &field : *lengths)
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

SegmentFile::SegmentFile(int folder, std::string path, std::uint64_t number, Descriptor file)
    : folder_(folder), path_(std::move(path)), name_(segmentName(number)), number_(number),
      file_(std::move(file)) {}

SegmentFile::~SegmentFile() {
  if (!isFinished_) ::unlinkat(folder_, name_.c_str(), 0);
}

void SegmentFile::flush() {
  if (!writeAll(file_.number(), waiting_)) refuses(path_, "cannot be written");
  waiting_.clear();
}

void SegmentFile::append(std::string_view bytes) {
  constexpr std::size_t atOnce = std::size_t{1} << 20U;
  waiting_ += bytes;
  written_ += bytes.size();
  if (waiting_.size() >= atOnce) flush();
}

std::uint64_t SegmentFile::write(std::string_view packed) {
  append(packed);
  return written_ - packed.size();
}

std::shared_ptr<const Segment> SegmentFile::finish(Segment segment) {
  const std::uint64_t begin = written_;
  const std::string image = imageOf(segment, places_);
  segment.digest = digestOf(image);
  append(image);
  append({reinterpret_cast<const char *>(&begin), sizeof begin});
  append({reinterpret_cast<const char *>(segment.digest.data()), segment.digest.size()});
  append(segmentMagic);
  flush();
  segment.file = number_;
  segment.bodies = Bodies(std::move(places_), std::move(file_));
  auto finished = std::make_shared<const Segment>(std::move(segment));
  isFinished_ = true;
  return finished;
}

Segment parseSegment(std::string_view image, std::uint64_t bodiesEnd, std::size_t bodyBytes,
                     std::vector<BodyPlace> &places) {
  ByteReader in(image);
  Segment segment;
  segment.texts = TextList::load(in);
  segment.attributeTexts = TextList::load(in);
  segment.attributes = in.array<std::uint32_t>();
  segment.attributeEnds = in.array<std::uint32_t>();
  for (auto *lengths : {&segment.lengths, &segment.runLengths})
    for (std::vector<std::uint32_t> &field : *lengths) field = in.array<std::uint32_t>();
  for (Postings *postings : {&segment.words, &segment.runs, &segment.longWords})
    *postings = Postings::load(in, segment.size());
  segment.vocabulary.words = TermTable::load(in);
  segment.vocabulary.counts = in.array<std::uint32_t>();
  places = in.array<BodyPlace>();
  in.end();
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
                                           const Blake3::Digest &digest, std::size_t bodyBytes) {
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
  std::string image(static_cast<std::size_t>(size - footerBytes - begin), '\0');
  readAll(file.number(), image, begin);
  if (digestOf(image) != digest) throw Damaged("its digest is another");
  std::vector<BodyPlace> places;
  Segment segment = parseSegment(image, begin, bodyBytes, places);
  segment.file = number;
  segment.digest = digest;
  segment.bodies = Bodies(std::move(places), std::move(file));
  return std::make_shared<const Segment>(std::move(segment));
}

} // namespace skillhost::keyword

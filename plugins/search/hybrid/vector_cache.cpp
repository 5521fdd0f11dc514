// SPDX-License-Identifier: Apache-2.0
#include "vector_cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

namespace skillhost::hybrid {
namespace {

constexpr std::string_view magic = "skhvec1\n"; // another layout needs another number
constexpr std::size_t checkBytes = 8;           // bytes of the BLAKE3 of the bytes before it
constexpr std::size_t headerBytes = 8 + 8 + 32 + checkBytes;
constexpr std::uint64_t worthCompacting = 1024; // unneeded records

std::string checkOf(std::string_view bytes) {
  Blake3 sum;
  sum.add(bytes);
  const Blake3::Digest all = sum.finish();
  return {reinterpret_cast<const char *>(all.data()), checkBytes};
}

std::string_view viewOf(const Blake3::Digest &digest) {
  return {reinterpret_cast<const char *>(digest.data()), digest.size()};
}

bool readAll(int file, char *to, std::size_t bytes, std::uint64_t at) {
  while (bytes > 0) {
    const ssize_t got = ::pread(file, to, bytes, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    at += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

} // namespace

std::size_t VectorCache::Hash::operator()(const Blake3::Digest &of) const noexcept {
  std::size_t value = 0;
  std::memcpy(&value, of.data(), sizeof value);
  return value;
}

VectorCache::VectorCache(std::string path, const Blake3::Digest &model, std::size_t width)
    : path_(std::move(path)), model_(model), width_(width) {
  if (!path_.empty()) open();
}

void VectorCache::giveUp(const std::string &what) {
  problem_ = path_ + ": " + what + " (" + std::generic_category().message(errno) +
             "); vectors are not kept for the next start";
  role_ = Role::Alone;
}

std::size_t VectorCache::recordBytes() const noexcept {
  return model_.size() + sizeof(float) + width_ + checkBytes;
}

std::string VectorCache::header() const {
  std::string bytes(magic);
  const std::uint64_t width = width_;
  bytes.append(reinterpret_cast<const char *>(&width), sizeof width);
  bytes += viewOf(model_);
  return bytes + checkOf(bytes);
}

std::string VectorCache::record(const Blake3::Digest &text, const QuantisedVector &vector) const {
  std::string bytes(viewOf(text));
  bytes.append(reinterpret_cast<const char *>(&vector.scale), sizeof vector.scale);
  bytes.append(reinterpret_cast<const char *>(vector.numbers.data()), vector.numbers.size());
  return bytes + checkOf(bytes);
}

void VectorCache::open() {
  constexpr int tries = 100; // of a file that is replaced again and again
  for (int number = 0; number < tries; ++number) {
    constexpr int flags = O_CLOEXEC | O_NOFOLLOW;
    file_ = Descriptor(::open(path_.c_str(), O_RDWR | O_CREAT | flags, 0600));
    isReadOnly_ = !file_ && (errno == EROFS || errno == EACCES || errno == EPERM);
    if (isReadOnly_) file_ = Descriptor(::open(path_.c_str(), O_RDONLY | O_NONBLOCK | flags));
    if (!file_) return giveUp("cannot be opened");
    struct stat info{};
    if (::fstat(file_.number(), &info) != 0 || !S_ISREG(info.st_mode))
      return giveUp("is not a regular file");
    role_ = lock();
    if (role_ == Role::Follower || !isReplaced()) return read();
  }
  giveUp("is replaced too often");
}

VectorCache::Role VectorCache::lock() {
  if (isReadOnly_) return Role::Follower;
  if (::flock(file_.number(), LOCK_EX | LOCK_NB) == 0) return Role::Writer;
  if (errno != EWOULDBLOCK) giveUp("cannot be locked");
  return Role::Follower;
}

bool VectorCache::isReplaced() const {
  struct stat ours{};
  struct stat named{};
  return ::fstat(file_.number(), &ours) != 0 || ::lstat(path_.c_str(), &named) != 0 ||
         ours.st_ino != named.st_ino || ours.st_dev != named.st_dev;
}

void VectorCache::refresh() {
  if (!isFollowing()) return;
  if (isReplaced()) {
    offsets_.clear();
    end_ = 0;
    return open();
  }
  role_ = lock();
  // If it was replaced in between, the lock is that of a file without a name.
  if (role_ == Role::Writer && isReplaced()) {
    role_ = Role::Follower;
    return refresh();
  }
  read();
}

void VectorCache::read() {
  struct stat info{};
  if (::fstat(file_.number(), &info) != 0) return giveUp("cannot be read");
  const auto fileBytes = static_cast<std::uint64_t>(info.st_size);
  if (end_ == 0) {
    std::string begin(headerBytes, '\0');
    if (fileBytes < headerBytes || !readAll(file_.number(), begin.data(), begin.size(), 0) ||
        begin != header()) {
      if (role_ == Role::Writer) replaceFile({});
      return;
    }
    end_ = headerBytes;
  }
  readRecords(fileBytes);
}

// Another process that has opened the old file finds that it is replaced, so only one appends.
void VectorCache::replaceFile(const std::string &records) {
  const std::string fresh = path_ + ".new";
  Descriptor file(::open(fresh.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return giveUp("cannot be replaced");
  const std::string bytes = header() + records;
  if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0 || !writeAll(file.number(), bytes) ||
      ::rename(fresh.c_str(), path_.c_str()) != 0) {
    giveUp("cannot be replaced");
    ::unlink(fresh.c_str());
    return;
  }
  file_ = std::move(file);
  end_ = headerBytes;
  offsets_.clear();
  readRecords(bytes.size());
}

void VectorCache::readRecords(std::uint64_t fileBytes) {
  const std::size_t each = recordBytes();
  constexpr std::size_t recordsAtOnce = 1024;
  if (end_ >= fileBytes) return;
  std::string bytes(each * recordsAtOnce, '\0');
  bool whole = true;
  while (whole && end_ < fileBytes) {
    const auto left = static_cast<std::size_t>((fileBytes - end_) / each);
    const std::size_t count = std::min(left, recordsAtOnce);
    if (count == 0 || !readAll(file_.number(), bytes.data(), count * each, end_)) break;
    for (std::size_t number = 0; whole && number < count; ++number) {
      const std::string_view one = std::string_view(bytes).substr(number * each, each);
      whole = checkOf(one.substr(0, each - checkBytes)) == one.substr(each - checkBytes);
      if (!whole) break;
      Blake3::Digest text{};
      std::memcpy(text.data(), one.data(), text.size());
      offsets_[text] = end_;
      end_ += each;
    }
  }
  if (end_ != fileBytes && role_ == Role::Writer &&
      ::ftruncate(file_.number(), static_cast<off_t>(end_)) != 0)
    giveUp("its damaged tail cannot be cut off");
}

bool VectorCache::write(const std::string &bytes, std::uint64_t at) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t wrote = ::pwrite(file_.number(), bytes.data() + done, bytes.size() - done,
                                   static_cast<off_t>(at + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      giveUp("cannot be written");
      // Cuts off the partial record. If that fails, the next start cuts it off.
      static_cast<void>(::ftruncate(file_.number(), static_cast<off_t>(at)) == 0);
      return false;
    }
    done += static_cast<std::size_t>(wrote);
  }
  end_ = at + bytes.size();
  return true;
}

std::optional<QuantisedVector> VectorCache::find(const Blake3::Digest &text) const {
  const auto found = offsets_.find(text);
  if (found == offsets_.end()) return std::nullopt;
  std::string bytes(recordBytes(), '\0');
  if (!readAll(file_.number(), bytes.data(), bytes.size(), found->second)) return std::nullopt;
  const std::string_view all = bytes;
  // The record was intact at the start, but the disk may have damaged it since.
  if (all.substr(0, text.size()) != viewOf(text) ||
      checkOf(all.substr(0, bytes.size() - checkBytes)) != all.substr(bytes.size() - checkBytes))
    return std::nullopt;
  QuantisedVector vector{0, std::vector<std::int8_t>(width_)};
  std::memcpy(&vector.scale, bytes.data() + text.size(), sizeof vector.scale);
  std::memcpy(vector.numbers.data(), bytes.data() + text.size() + sizeof vector.scale, width_);
  return vector;
}

void VectorCache::append(const std::vector<std::pair<Blake3::Digest, QuantisedVector>> &vectors) {
  if (role_ != Role::Writer || vectors.empty()) return;
  std::string bytes;
  for (const auto &[text, vector] : vectors) bytes += record(text, vector);
  std::uint64_t at = end_;
  if (!write(bytes, at)) return;
  for (const auto &[text, vector] : vectors) {
    offsets_[text] = at;
    at += recordBytes();
  }
}

bool VectorCache::isWasteful(std::size_t texts) const noexcept {
  return role_ == Role::Writer &&
         (end_ - headerBytes) / recordBytes() > 2 * texts + worthCompacting;
}

void VectorCache::compact(const std::vector<Blake3::Digest> &texts) {
  if (role_ != Role::Writer) return;
  std::string records;
  for (const Blake3::Digest &text : texts)
    if (const auto vector = find(text)) records += record(text, *vector);
  replaceFile(records);
}

} // namespace skillhost::hybrid

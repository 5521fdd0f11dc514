// SPDX-License-Identifier: Apache-2.0
#include "folder.hpp"

#include "ground/constant_time.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/json_member.hpp"
#include "ground/json_text.hpp"
#include "ground/random.hpp"
#include "ground/read_file.hpp"
#include "sharing/manifest.hpp"

#include <nlohmann/json.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

namespace skillhost {
namespace {

constexpr std::uint64_t newestHeadVersion = 1;
constexpr std::size_t mostHeadBytes = 4096;
constexpr const char *headName = "current";
constexpr const char *draftStart = ".new-";
constexpr mode_t onlyOwner = 0700;

std::string reason() { return std::strerror(errno); }

// "ab/cdef…": 256 folders, so that none has too many files.
std::string partOf(std::string_view digits) { return std::string(digits.substr(0, 2)); }
std::string nameIn(std::string_view digits) { return std::string(digits.substr(2)); }

Descriptor openFolder(int parent, const std::string &name) {
  return Descriptor(
      ::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// Why others might change what is in a folder of ours; "" when they cannot.
std::string exposure(int folder) {
  struct stat found{};
  if (::fstat(folder, &found) != 0) return reason();
  if (found.st_uid != ::geteuid())
    return "it belongs to the user " + std::to_string(found.st_uid) + ", and not to " +
           std::to_string(::geteuid()) + ", as whom this runs";
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return "others than its owner may write to it (chmod go-w)";
  return {};
}

// The folder that the configuration names may be root's, as that of a mounted volume is.
std::string exposureOfBase(int folder) {
  struct stat found{};
  if (::fstat(folder, &found) == 0 && found.st_uid == 0) return {};
  return exposure(folder);
}

std::string headText(const SharedHead &head, const std::string &code) {
  std::string text = R"({"version":)" + std::to_string(newestHeadVersion);
  text += R"(,"number":)" + std::to_string(head.number);
  text += R"(,"manifest":")" + head.manifest;
  text += R"(","code":")" + code;
  return text + "\"}\n";
}

bool isObject(int folder, const std::string &name, std::uint64_t size) {
  struct stat found{};
  return ::fstatat(folder, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISREG(found.st_mode) && static_cast<std::uint64_t>(found.st_size) == size;
}

struct Entries {
  explicit Entries(int folder) {
    // A descriptor of its own: closedir() closes it, and reading moves it.
    const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (copy >= 0) stream.reset(::fdopendir(copy));
    if (copy >= 0 && !stream) ::close(copy);
  }
  // Null at the end.
  const char *next() {
    if (!stream) return nullptr;
    const dirent *const entry = ::readdir(stream.get());
    return entry == nullptr ? nullptr : static_cast<const char *>(entry->d_name);
  }
  struct Close {
    void operator()(DIR *folder) const noexcept { ::closedir(folder); }
  };
  std::unique_ptr<DIR, Close> stream;
};

} // namespace

SharedFolder::SharedFolder(std::string path, std::string name, Code code)
    : path_(std::move(path)), name_(std::move(name)), code_(std::move(code)) {}

std::string SharedFolder::shown(const std::string &below) const {
  return "the shared folder " + path_ + '/' + name_ + (below.empty() ? "" : '/' + below);
}

Status SharedFolder::open(bool writes) {
  const std::scoped_lock lock(mutex_);
  if (top_) return Done{};
  if (writes && ::mkdir(path_.c_str(), onlyOwner) != 0 && errno != EEXIST)
    return {Fault::Unavailable, "the shared folder " + path_ + " cannot be made: " + reason()};
  // A link here is the operator's own; none is followed below.
  const Descriptor base(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!base) {
    if (errno == ENOENT) return {Fault::NotFound, "the shared folder " + path_ + " is not there"};
    return {Fault::Unavailable, "the shared folder " + path_ + " cannot be opened: " + reason()};
  }
  if (const std::string why = exposureOfBase(base.number()); !why.empty())
    return {Fault::Denied, "the shared folder " + path_ + " is not used: " + why};
  if (writes && ::mkdirat(base.number(), name_.c_str(), onlyOwner) != 0 && errno != EEXIST)
    return {Fault::Unavailable, shown({}) + " cannot be made: " + reason()};
  Descriptor top = openFolder(base.number(), name_);
  if (!top) {
    if (errno == ENOENT) return {Fault::NotFound, shown({}) + " is not there"};
    return {Fault::Unavailable, shown({}) + " cannot be opened: " + reason()};
  }
  if (const std::string why = exposure(top.number()); !why.empty())
    return {Fault::Denied, shown({}) + " is not used: " + why};
  return makeParts(top);
}

// Under the lock.
Status SharedFolder::makeParts(Descriptor &top) {
  for (const auto &[part, name] :
       {std::pair{&objects_, "objects"}, std::pair{&manifests_, "manifests"}}) {
    *part = openFolder(top.number(), name);
    if (!*part && errno == ENOENT) {
      if (::mkdirat(top.number(), name, onlyOwner) != 0 && errno != EEXIST)
        return {Fault::Unavailable, shown(name) + " cannot be made: " + reason()};
      *part = openFolder(top.number(), name);
    }
    if (!*part) return {Fault::Unavailable, shown(name) + " cannot be opened: " + reason()};
    if (const std::string why = exposure(part->number()); !why.empty())
      return {Fault::Denied, shown(name) + " is not used: " + why};
  }
  top_ = std::move(top);
  return Done{};
}

Result<std::optional<SharedHead>> SharedFolder::head() {
  if (Status opened = open(false); !opened) {
    if (opened.failure().fault == Fault::NotFound) return std::optional<SharedHead>{};
    return std::move(opened).failure();
  }
  const Descriptor file(
      ::openat(top_.number(), headName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file && errno == ENOENT) return std::optional<SharedHead>{};
  if (!file) return {Fault::Unavailable, shown(headName) + " cannot be opened: " + reason()};
  const Result<std::string> text = readDescriptor(file.number(), mostHeadBytes);
  if (!text) return {Fault::Corrupt, shown(headName) + ": " + text.failure().message};
  const std::optional<Json> json = readJsonObject(*text);
  if (!json || !memberOf(*json, "version").is_number())
    return {Fault::Corrupt, shown(headName) + " is damaged"};
  if (const Json &version = memberOf(*json, "version"); version != newestHeadVersion)
    return {Fault::InvalidFormat, shown(headName) + " is of version " + version.dump() +
                                      ", and this skillhost reads version " +
                                      std::to_string(newestHeadVersion)};
  const Json &number = memberOf(*json, "number"), &manifest = memberOf(*json, "manifest"),
             &code = memberOf(*json, "code");
  if (!number.is_number_unsigned() || !manifest.is_string() || !code.is_string() ||
      !isHexadecimal(manifest.get_ref<const std::string &>(), digestDigits))
    return {Fault::Corrupt, shown(headName) + " is damaged"};
  SharedHead head{number.get<std::uint64_t>(), manifest.get<std::string>()};
  if (!equalInConstantTime(code.get_ref<const std::string &>(), code_(head)))
    return {Fault::Denied, shown(headName) +
                               " was not written by a replica of this service (another "
                               "state.secret?)"};
  return std::optional(std::move(head));
}

Result<std::string> SharedFolder::readChecked(int folder, const std::string &name,
                                              std::string_view digest, std::size_t most) {
  const Descriptor file(
      ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat found{};
  const std::string what = shown(std::string(digest));
  if (!file && (errno == ENOENT || errno == ELOOP)) return {Fault::Corrupt, what + " is gone"};
  if (!file || ::fstat(file.number(), &found) != 0)
    return {Fault::Unavailable, what + " cannot be opened: " + reason()};
  if (!S_ISREG(found.st_mode)) return {Fault::Corrupt, what + " is no file"};
  Result<std::string> bytes = readDescriptor(file.number(), most);
  if (!bytes && bytes.failure().fault != Fault::TooLarge)
    return {Fault::Unavailable, what + " cannot be read: " + bytes.failure().message};
  if (!bytes || blake3Hex(*bytes) != digest)
    return {Fault::Corrupt, what + " is damaged: it has other bytes than were written"};
  return bytes;
}

Result<std::string> SharedFolder::manifest(const std::string &digest) {
  if (Status opened = open(false); !opened) return std::move(opened).failure();
  return readChecked(manifests_.number(), digest, digest, mostManifestBytes);
}

Result<std::string> SharedFolder::object(const Blake3::Digest &digest, std::uint64_t size) {
  if (Status opened = open(false); !opened) return std::move(opened).failure();
  const std::string digits = hexadecimal(digest);
  const Descriptor part = openFolder(objects_.number(), partOf(digits));
  // A link is no folder of ours, and neither is a file.
  if (!part && (errno == ENOENT || errno == ELOOP || errno == ENOTDIR))
    return {Fault::Corrupt, shown(digits) + " is gone"};
  if (!part) return {Fault::Unavailable, shown(digits) + " cannot be opened: " + reason()};
  return readChecked(part.number(), nameIn(digits), digits, size);
}

bool SharedFolder::hasObject(const Blake3::Digest &digest, std::uint64_t size) {
  if (!open(false)) return false;
  const std::string digits = hexadecimal(digest);
  const Descriptor part = openFolder(objects_.number(), partOf(digits));
  return part && isObject(part.number(), nameIn(digits), size);
}

Status SharedFolder::write(int folder, const std::string &name, std::string_view bytes,
                           bool flushes) {
  const std::string draft = draftStart + randomHex(8);
  const auto failed = [&](const char *what) {
    const std::string why = reason();
    ::unlinkat(folder, draft.c_str(), 0);
    return Failure{Fault::Unavailable, shown(name) + ' ' + what + ": " + why};
  };
  const int file =
      ::openat(folder, draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return failed("cannot be made");
  const bool isWritten = writeAll(file, bytes) && (!flushes || ::fsync(file) == 0);
  const int why = errno;
  // What a network file system could not write it may say only here.
  const bool isClosed = ::close(file) == 0;
  if (!isWritten) errno = why;
  if (!isWritten || !isClosed) return failed("cannot be written");
  if (::renameat(folder, draft.c_str(), folder, name.c_str()) != 0)
    return failed("cannot be put in its place");
  return Done{};
}

Status SharedFolder::putObject(const Blake3::Digest &digest, std::string_view bytes,
                               bool isDamaged) {
  if (Status opened = open(true); !opened) return opened;
  const std::string digits = hexadecimal(digest), partName = partOf(digits), name = nameIn(digits);
  if (::mkdirat(objects_.number(), partName.c_str(), onlyOwner) != 0 && errno != EEXIST)
    return {Fault::Unavailable, shown("objects") + " cannot be written to: " + reason()};
  const Descriptor part = openFolder(objects_.number(), partName);
  if (!part)
    return {Fault::Unavailable, shown("objects/" + partName) + " cannot be opened: " + reason()};
  if (const std::string why = exposure(part.number()); !why.empty())
    return {Fault::Denied, shown("objects/" + partName) + " is not used: " + why};
  if (!isDamaged && isObject(part.number(), name, bytes.size()) &&
      ::utimensat(part.number(), name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW) == 0)
    return Done{};
  return write(part.number(), name, bytes, false);
}

Status SharedFolder::mendManifest(std::string_view text) {
  if (Status opened = open(true); !opened) return opened;
  return write(manifests_.number(), blake3Hex(text), text, true);
}

Status SharedFolder::publish(std::uint64_t number, std::string_view manifest) {
  if (Status mended = mendManifest(manifest); !mended) return mended;
  // Objects are not flushed one by one: it would take as many turns of the disk.
  if (::syncfs(top_.number()) != 0)
    return {Fault::Unavailable, shown({}) + " does not reach the disk: " + reason()};
  const SharedHead head{number, blake3Hex(manifest)};
  if (Status written = write(top_.number(), headName, headText(head, code_(head)), true); !written)
    return written;
  if (::fsync(top_.number()) != 0)
    return {Fault::Unavailable, shown({}) + " does not reach the disk: " + reason()};
  return Done{};
}

void SharedFolder::sweep(const std::set<std::string> &manifests,
                         const std::set<std::string> &objects, Age age) {
  struct stat head{};
  // The clock of whoever keeps the files, as the head that was just written shows it.
  if (!open(true) || ::fstatat(top_.number(), headName, &head, AT_SYMLINK_NOFOLLOW) != 0) return;
  const std::int64_t before = head.st_mtim.tv_sec - age.count();
  sweepFolder(top_.number(), {}, {headName, "objects", "manifests"}, before);
  sweepFolder(manifests_.number(), {}, manifests, before);
  for (Entries entries(objects_.number()); const char *const name = entries.next();) {
    if (!isHexadecimal(name, 2)) continue;
    const Descriptor folder = openFolder(objects_.number(), name);
    if (folder) sweepFolder(folder.number(), name, objects, before);
  }
}

// `where` comes before the names in `kept`. Only what this program writes is removed.
void SharedFolder::sweepFolder(int folder, const std::string &where,
                               const std::set<std::string> &kept, std::int64_t before) {
  for (Entries entries(folder); const char *const name = entries.next();) {
    const std::string_view text = name;
    const bool isOurs =
        text.starts_with(draftStart) || isHexadecimal(where + std::string(text), digestDigits);
    struct stat found{};
    if (!isOurs || kept.contains(where + std::string(text)) ||
        ::fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(found.st_mode) ||
        found.st_mtim.tv_sec >= before)
      continue;
    ::unlinkat(folder, name, 0);
  }
}

} // namespace skillhost

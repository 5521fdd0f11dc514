// SPDX-License-Identifier: Apache-2.0
#include "plugin_calls/plugin_copy.hpp"

#include "ground/blake3.hpp"
#include "ground/guarded.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <system_error>

namespace skillhost {
namespace {

constexpr off_t maxPluginBytes = off_t{1} << 30U; // bytes
constexpr std::size_t nameBytes = 200;
// A flag newer than some headers: the memory is never run as a program, which the kernel may insist
// on (vm.memfd_noexec). Mapping its code is not affected.
constexpr unsigned noExecution = 8;

std::string reasonOf(int error) { return std::generic_category().message(error); }

// The memory is named like the file, for people who read /proc/PID/maps.
Descriptor memoryFor(const std::string &path) {
  const std::string name =
      "plugin:" + std::filesystem::path(path).filename().string().substr(0, nameBytes);
  constexpr unsigned usual = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  int made = ::memfd_create(name.c_str(), usual | noExecution);
  if (made < 0 && errno == EINVAL) made = ::memfd_create(name.c_str(), usual); // before Linux 6.3
  return Descriptor(made);
}

bool copyInto(int to, int from, off_t size) {
  while (size > 0) {
    const ssize_t moved = ::sendfile(to, from, nullptr, static_cast<std::size_t>(size));
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) return moved == 0; // the file has become shorter, so its digest differs
    size -= moved;
  }
  return true;
}

} // namespace

Result<std::shared_ptr<const PluginCopy>> PluginCopy::of(const std::string &path) {
  // Opening must not wait if there is a pipe in its place.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return {Fault::NotFound, path + ": " + reasonOf(errno)};
  struct stat info{};
  if (::fstat(file.number(), &info) != 0 || !S_ISREG(info.st_mode))
    return {Fault::InvalidFormat, path + ": is no file"};
  if (info.st_size > maxPluginBytes)
    return {Fault::TooLarge,
            path + ": is larger than " + std::to_string(maxPluginBytes) + " bytes"};
  Descriptor copy = memoryFor(path);
  if (!copy)
    return {Fault::Unavailable, path +
                                    ": there is no memory for the copy that is held to "
                                    "plugins.lock: " +
                                    reasonOf(errno)};
  if (!copyInto(copy.number(), file.number(), info.st_size))
    return {Fault::Unavailable, path + ": cannot be copied into memory: " + reasonOf(errno)};
  constexpr int all = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
  if (::fcntl(copy.number(), F_ADD_SEALS, all) != 0)
    return {Fault::Unavailable, path + ": its copy cannot be sealed: " + reasonOf(errno)};
  Result<std::string> digest = blake3OfDescriptor(copy.number(), path);
  if (!digest) return std::move(digest).failure();
  return std::shared_ptr<const PluginCopy>(new PluginCopy(std::move(copy), *std::move(digest)));
}

int PluginCopy::forLoading() const {
  // Never destroyed, because what is loaded stays loaded.
  static auto &loaded = *new Guarded<std::map<std::string, int>>();
  return loaded.with([this](std::map<std::string, int> &all) {
    const auto known = all.find(digest_);
    if (known != all.end()) return known->second;
    const int kept = ::fcntl(file_.number(), F_DUPFD_CLOEXEC, 0);
    if (kept >= 0) all.emplace(digest_, kept);
    return kept;
  });
}

} // namespace skillhost

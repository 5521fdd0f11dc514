// SPDX-License-Identifier: Apache-2.0
#include "usage_key.hpp"

#include "ground/descriptor.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/random.hpp"
#include "ground/read_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <span>
#include <system_error>

namespace skillhost {
namespace {

constexpr std::size_t keyBytes = 32;
constexpr std::size_t hashBytes = 12;

Failure keyFailure(const std::string &file, const std::string &why) {
  return {Fault::OperationFailed, file + ": " + why};
}

std::string reasonOf(int error) { return std::generic_category().message(error); }

// Creates the file complete or not at all: it is written under another name and then linked.
Status makeKey(const std::string &file) {
  const std::string draft = file + '.' + randomHex(8);
  const Descriptor made(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!made) return keyFailure(file, "cannot be made: " + reasonOf(errno));
  const std::string key = randomHex(keyBytes) + '\n';
  const bool written = writeAll(made.number(), key) && ::fsync(made.number()) == 0;
  const int why = errno;
  const bool linked = written && (::link(draft.c_str(), file.c_str()) == 0 || errno == EEXIST);
  const int whyNotLinked = errno;
  ::unlink(draft.c_str());
  if (!written) return keyFailure(file, "cannot be written: " + reasonOf(why));
  if (!linked) return keyFailure(file, "cannot be made: " + reasonOf(whyNotLinked));
  return Done{};
}

} // namespace

Result<Blake3Key> usageKey(const std::string &path) {
  const std::string file = path + ".key";
  std::error_code notMade; // then the key cannot be created either
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), notMade);
  struct stat found{};
  if (::stat(file.c_str(), &found) != 0) {
    if (errno != ENOENT) return keyFailure(file, reasonOf(errno));
    if (Status made = makeKey(file); !made) return std::move(made).failure();
    if (::stat(file.c_str(), &found) != 0) return keyFailure(file, reasonOf(errno));
  }
  if ((found.st_mode & 077U) != 0)
    return keyFailure(file, "other users may read it: run chmod 600, or remove the file, and the "
                            "server makes a new key");
  Result<std::string> text = readFile(file, 1'024, FileKind::Regular);
  if (!text) return keyFailure(file, text.failure().message);
  while (!text->empty() && text->back() == '\n') text->pop_back();
  if (!isHexadecimal(*text, 2 * keyBytes))
    return keyFailure(
        file, "must be 64 hexadecimal digits: remove the file, and the server makes a new key");
  return Blake3Key::derived("skillhost 2026-11 principals in the figures of use", *text);
}

std::string hashedPrincipal(const Blake3Key &key, const std::string &issuer,
                            const std::string &person) {
  const std::array<std::string_view, 2> parts{issuer, person};
  const Blake3Key::Digest digest = key.digest(parts);
  return "h-" + hexadecimal(std::span(digest).first<hashBytes>());
}

} // namespace skillhost

// SPDX-License-Identifier: Apache-2.0
#include "keys.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <stdexcept>
#include <unistd.h>

namespace {

constexpr off_t maxFileBytes = off_t{64} * 1024;

class Descriptor {
public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

private:
  int number_;
};

struct Wiped {
  std::string text{};
  ~Wiped() { OPENSSL_cleanse(text.data(), text.size()); }
};

[[noreturn]] void refuse(const std::string &path, const std::string &why) {
  throw std::runtime_error(path + ": " + why);
}

// Checks the metadata of the open file, not of the path, so that nobody can exchange the file
// between this check and the reading.
void checkFile(const std::string &path, const struct stat &file) {
  if (!S_ISREG(file.st_mode)) refuse(path, "must be a regular file");
  if ((file.st_mode & 077U) != 0) refuse(path, "must be for its owner alone: chmod 600");
  if (file.st_uid != 0 && file.st_uid != geteuid())
    refuse(path, "must belong to root or to the user this runs as");
  if (file.st_size > maxFileBytes) refuse(path, "is larger than 64 KiB");
}

void readAll(const std::string &path, int descriptor, std::string &text) {
  std::size_t used = 0;
  while (used < text.size()) {
    const ssize_t got = ::read(descriptor, text.data() + used, text.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) refuse(path, "cannot be read to its end");
    used += static_cast<std::size_t>(got);
  }
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Returns an empty string when `text` is not hexadecimal in lower case.
std::string unhex(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 2); // so that no reallocation leaves a copy behind
  if (text.size() % 2 != 0) return {};
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]);
    const int low = digit(text[i + 1]);
    if (high < 0 || low < 0) return {};
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

bool same(const timespec &a, const timespec &b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

} // namespace

Keys Keys::read(const std::string &path) {
  const Descriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (descriptor.number() < 0) refuse(path, std::string("cannot be opened: ") + strerror(errno));
  struct stat file;
  if (fstat(descriptor.number(), &file) != 0) refuse(path, "cannot be examined");
  checkFile(path, file);

  Wiped content{std::string(static_cast<std::size_t>(file.st_size), '\0')};
  readAll(path, descriptor.number(), content.text);
  Keys keys(file);
  std::string_view rest = content.text;
  for (unsigned line = 1; !rest.empty(); ++line) {
    const std::string_view text = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), text.size() + 1));
    if (text.empty() || text.front() == '#') continue;
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string_view id = text.substr(0, blank);
    Wiped key{unhex(text.substr(std::min(blank + 1, text.size())))};
    if (id.empty() || id.find('|') != id.npos || key.text.size() < shortest)
      refuse(path, "line " + std::to_string(line) +
                       " must be an id, a blank and at least 64 hexadecimal digits");
    if (!keys.keys_.try_emplace(std::string(id), key.text).second)
      refuse(path, "line " + std::to_string(line) + " repeats an id");
  }
  if (keys.keys_.empty()) refuse(path, "holds no key");
  return keys;
}

Keys::~Keys() {
  for (auto &[id, key] : keys_) OPENSSL_cleanse(key.data(), key.size());
}

const std::string *Keys::find(std::string_view id) const {
  const auto found = keys_.find(id);
  return found == keys_.end() ? nullptr : &found->second;
}

bool Keys::current(const std::string &path) const {
  struct stat now;
  return lstat(path.c_str(), &now) == 0 && now.st_dev == file_.st_dev &&
         now.st_ino == file_.st_ino && now.st_size == file_.st_size &&
         now.st_mode == file_.st_mode && now.st_uid == file_.st_uid &&
         same(now.st_mtim, file_.st_mtim) && same(now.st_ctim, file_.st_ctim);
}

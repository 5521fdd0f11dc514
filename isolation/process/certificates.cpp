// SPDX-License-Identifier: Apache-2.0
#include "process/certificates.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace skillhost::process {
namespace {

constexpr std::size_t maxFileBytes = 8U << 20U; // bytes; a larger file holds no certificates
constexpr unsigned maxDepth = 3;                // levels of folders that are searched
constexpr unsigned maxEntries = 10'000;

// A plugin may read files below this folder anyway. Most links in /etc/ssl/certs lead there.
constexpr std::string_view readAnyway = "/usr/share/ca-certificates/";

constexpr std::array places{
    "/etc/ssl/certs",           "/etc/ssl/cert.pem",           "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/openssl.cnf",     "/etc/pki/tls/certs",          "/etc/pki/tls/cert.pem",
    "/etc/pki/tls/openssl.cnf", "/etc/pki/ca-trust/extracted", "/etc/ca-certificates/extracted",
    "/var/lib/ca-certificates"};

bool holdsKey(int opened) {
  constexpr std::string_view mark = "PRIVATE KEY-----";
  std::string text; // this piece, after the end of the previous one
  std::array<char, 65536> piece{};
  std::size_t all = 0;
  for (;;) {
    const ssize_t got = ::read(opened, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return true; // an unreadable file may hold a key
    if (got == 0) return false;
    all += static_cast<std::size_t>(got);
    if (all > maxFileBytes) return true;
    text.erase(0, text.size() - std::min(text.size(), mark.size() - 1));
    text.append(piece.data(), static_cast<std::size_t>(got));
    if (text.find(mark) != std::string::npos) return true;
  }
}

// A link to another entry of the same folder leads to nothing new.
bool isKnownLink(int folder, const char *name) {
  std::array<char, 4096> target{};
  const ssize_t size = ::readlinkat(folder, name, target.data(), target.size());
  if (size <= 0) return false;
  const std::string_view text(target.data(), static_cast<std::size_t>(size));
  return text.find('/') == std::string_view::npos ||
         (text.starts_with(readAnyway) && text.find("..") == std::string_view::npos);
}

void collectCertificates(int folder, const char *name, unsigned depth,
                         const std::function<void(const Descriptor &)> &found) {
  const Descriptor place(::openat(folder, name, O_PATH | O_CLOEXEC));
  struct stat info{};
  if (!place || ::fstat(place.number(), &info) != 0) return;
  if (S_ISREG(info.st_mode)) {
    if ((info.st_mode & S_IROTH) == 0) return;
    const Descriptor opened(::openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat same{}; // the file may have been replaced meanwhile
    if (opened && ::fstat(opened.number(), &same) == 0 && same.st_ino == info.st_ino &&
        same.st_dev == info.st_dev && !holdsKey(opened.number()))
      found(place);
    return;
  }
  if (!S_ISDIR(info.st_mode) || depth == 0 || std::string_view(name) == "private") return;
  const int listed = ::openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR *)> entries(listed < 0 ? nullptr : ::fdopendir(listed),
                                                     &::closedir);
  if (!entries) return;
  found(place);
  unsigned left = maxEntries;
  while (const dirent *entry = ::readdir(entries.get())) {
    const std::string_view one = static_cast<const char *>(entry->d_name);
    if (one == "." || one == ".." || left-- == 0) continue;
    if (entry->d_type == DT_LNK && isKnownLink(::dirfd(entries.get()), entry->d_name)) continue;
    collectCertificates(::dirfd(entries.get()), entry->d_name, depth - 1, found);
  }
}

} // namespace

std::vector<std::string> certificatePlaces() {
  std::vector<std::string> all(places.begin(), places.end());
  for (const char *variable : {"SSL_CERT_FILE", "SSL_CERT_DIR"})
    if (const char *named = std::getenv(variable); named != nullptr && *named == '/') {
      // OpenSSL accepts a list of folders, separated by colons.
      std::string_view rest = named;
      while (!rest.empty()) {
        const std::size_t end = rest.find(':');
        if (rest.starts_with('/')) all.emplace_back(rest.substr(0, end));
        rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
      }
    }
  return all;
}

void eachCertificate(const std::string &place,
                     const std::function<void(const Descriptor &)> &found) {
  collectCertificates(AT_FDCWD, place.c_str(), maxDepth, found);
}

} // namespace skillhost::process

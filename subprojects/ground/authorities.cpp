// SPDX-License-Identifier: Apache-2.0
#include "ground/authorities.hpp"

#include "ground/descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cstdlib>

namespace skillhost {
namespace {

constexpr std::array usualFiles{
    "/etc/ssl/certs/ca-certificates.crt",                // Debian, Ubuntu, Arch, Gentoo
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", // Fedora, RHEL
    "/etc/pki/tls/certs/ca-bundle.crt",                  // their older releases
    "/etc/ssl/ca-bundle.pem",                            // openSUSE
    "/var/lib/ca-certificates/ca-bundle.pem",
    "/etc/ssl/certs/ca-bundle.crt", // NixOS
    "/etc/ssl/cert.pem",            // Alpine, Void
};

// Opens the file, because a confined process also sees files that it may not read.
bool canBeRead(const char *path) {
  const Descriptor opened(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat info{};
  return opened && ::fstat(opened.number(), &info) == 0 && S_ISREG(info.st_mode) &&
         info.st_size > 0;
}

} // namespace

std::span<const char *const> usualAuthorities() { return usualFiles; }

std::string authoritiesInstead(const char *builtIn, std::span<const char *const> usual) {
  const char *const named =
      std::getenv("SSL_CERT_FILE"); // NOLINT(concurrency-mt-unsafe): nobody changes it
  if (named != nullptr && *named == '/' && canBeRead(named)) return named;
  if (builtIn == nullptr || canBeRead(builtIn)) return {};
  for (const char *const file : usual)
    if (canBeRead(file)) return file;
  return {};
}

} // namespace skillhost

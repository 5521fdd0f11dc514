// SPDX-License-Identifier: Apache-2.0
// A plugin may read the files of a certificate folder that everybody may read and that hold no key.
#include "catch2.hpp"
#include "process/certificates.hpp"
#include "temporary_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace fs = std::filesystem;
using skillhost::process::certificatePlaces;
using skillhost::process::eachCertificate;

namespace {

const std::string certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

// Returns the names of the opened files, so that a link counts as its target.
std::set<std::string> found(const fs::path &place) {
  std::set<std::string> names;
  eachCertificate(place.string(), [&](const skillhost::Descriptor &opened) {
    names.insert(
        fs::read_symlink("/proc/self/fd/" + std::to_string(opened.number())).filename().string());
  });
  return names;
}

void write(const fs::path &file, const std::string &text, mode_t mode = 0644) {
  std::ofstream(file) << text;
  REQUIRE(::chmod(file.c_str(), mode) == 0);
}

} // namespace

TEST_CASE("certificates, and no keys") {
  const TemporaryFolder folder;
  const fs::path certs = fs::path(folder.path()) / "certs",
                 elsewhere = fs::path(folder.path()) / "elsewhere";
  for (const fs::path &one : {certs / "below", certs / "private", elsewhere})
    fs::create_directories(one);
  write(certs / "a.pem", certificate);
  write(certs / "below" / "b.pem", certificate);
  write(certs / "group.pem", certificate, 0640);
  write(certs / "both.pem", certificate + "-----BEGIN RSA PRIVATE KEY-----\n");
  // The mark lies across two of the pieces in which a file is read.
  write(certs / "late.pem", std::string(65536 - 20, '\n') + "-----BEGIN PRIVATE KEY-----\n");
  write(certs / "huge.pem", std::string((8U << 20U) + 1, '\n'));
  write(certs / "private" / "c.pem", certificate);
  write(elsewhere / "company.pem", certificate);
  write(elsewhere / "key.pem", "-----BEGIN PRIVATE KEY-----\n");
  fs::create_symlink(elsewhere / "company.pem", certs / "company.pem");
  fs::create_symlink(elsewhere / "key.pem", certs / "key.pem");
  fs::create_symlink("nowhere", certs / "dangling.pem");
  fs::create_symlink(".", certs / "loop");
  REQUIRE(::mkfifo((certs / "pipe.pem").c_str(), 0644) == 0);
  CHECK(found(certs) == std::set<std::string>{"certs", "below", "a.pem", "b.pem", "company.pem"});
  CHECK(found(certs / "a.pem") == std::set<std::string>{"a.pem"});
  CHECK(found(certs / "both.pem").empty());
  // The folder is named itself, so its name does not exclude it.
  CHECK(found(certs / "private").size() == 2);
  CHECK(found(certs / "not there").empty());
}

TEST_CASE("the places are those of the distributions and of the environment") {
  ::setenv("SSL_CERT_FILE", "/a/cert.pem", 1);
  ::setenv("SSL_CERT_DIR", "/b:/c:relative", 1);
  const std::vector<std::string> places = certificatePlaces();
  ::unsetenv("SSL_CERT_FILE");
  ::unsetenv("SSL_CERT_DIR");
  const auto has = [&](const char *place) {
    return std::find(places.begin(), places.end(), place) != places.end();
  };
  for (const char *place : {"/etc/ssl/certs", "/etc/pki/tls/certs", "/a/cert.pem", "/b", "/c"})
    CHECK(has(place));
  for (const char *place : {"relative", "/etc/ssl", "/etc/pki", "/etc/ssl/private"})
    CHECK_FALSE(has(place));
}

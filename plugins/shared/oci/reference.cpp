// SPDX-License-Identifier: Apache-2.0
#include "reference.hpp"

#include "digest.hpp"

#include "ground/text.hpp"
#include "http_client/web_address.hpp"

#include <algorithm>

namespace skillhost::oci {
namespace {

constexpr std::size_t maxReferenceBytes = 512, maxTagBytes = 128, maxRepositoryBytes = 255;
// Docker's registry appears under one host name in references and is served by another.
constexpr std::string_view hubName = "docker.io", hubHost = "registry-1.docker.io";

bool isLowerOrDigit(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// True for letters and digits, separated by '.', '_', "__" or any number of '-'.
bool isComponent(std::string_view text) noexcept {
  if (text.empty() || !isLowerOrDigit(text.front()) || !isLowerOrDigit(text.back())) return false;
  for (std::size_t at = 0; at < text.size();) {
    if (isLowerOrDigit(text[at])) {
      ++at;
      continue;
    }
    const char mark = text[at];
    const std::size_t end = std::min(text.find_first_not_of(mark, at), text.size());
    const std::size_t most = mark == '.' ? 1 : mark == '_' ? 2 : mark == '-' ? text.size() : 0;
    if (end - at > most || !isLowerOrDigit(text[end])) return false;
    at = end;
  }
  return true;
}

bool isRepository(std::string_view text) noexcept {
  if (text.size() > maxRepositoryBytes) return false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('/', begin), text.size());
    if (!isComponent(text.substr(begin, end - begin))) return false;
    begin = end + 1;
  }
  return true;
}

bool isRegistry(std::string_view text) {
  const bool isNamed = text == "localhost" || text.find_first_of(".:") != text.npos;
  if (!isNamed || text.find_first_of("/?#@\\%") != text.npos) return false;
  const auto address = web::readWebAddress("https://" + std::string(text) + "/");
  return address && address->path == "/";
}

} // namespace

std::string Reference::text() const {
  return name() + (tag.empty() ? "" : ":" + tag) + (digest.empty() ? "" : "@" + digest);
}

std::string Reference::origin(bool isPlain) const {
  return (isPlain ? "http://" : "https://") +
         (registry == hubName ? std::string(hubHost) : registry);
}

bool isTag(std::string_view text) noexcept {
  const auto isWord = [](char c) {
    return isLowerOrDigit(c) || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && text.size() <= maxTagBytes && isWord(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return isWord(c) || c == '.' || c == '-'; });
}

bool isThisMachine(std::string_view registry) noexcept {
  for (const std::string_view host : {"127.0.0.1", "[::1]", "localhost"})
    if (registry == host || (registry.starts_with(host) && registry[host.size()] == ':'))
      return true;
  return false;
}

std::optional<Reference> readRepository(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (text.size() > maxReferenceBytes || slash == text.npos) return {};
  std::string registry = asciiLowered(text.substr(0, slash));
  const std::string_view repository = text.substr(slash + 1);
  if (!isRegistry(registry) || !isRepository(repository)) return {};
  return Reference{std::move(registry), std::string(repository), "", ""};
}

std::optional<Reference> readReference(std::string_view text) {
  std::string digest, tag;
  if (const std::size_t at = text.find('@'); at != text.npos) {
    digest = text.substr(at + 1);
    if (!isDigest(digest)) return {};
    text = text.substr(0, at);
  }
  const std::size_t slash = text.rfind('/');
  if (slash == text.npos) return {};
  if (const std::size_t colon = text.find(':', slash); colon != text.npos) {
    tag = text.substr(colon + 1);
    if (!isTag(tag)) return {};
    text = text.substr(0, colon);
  }
  std::optional<Reference> read = readRepository(text);
  if (!read) return {};
  if (tag.empty() && digest.empty()) tag = "latest";
  read->tag = std::move(tag);
  read->digest = std::move(digest);
  return read;
}

} // namespace skillhost::oci

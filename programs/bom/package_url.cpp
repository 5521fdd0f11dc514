// SPDX-License-Identifier: Apache-2.0
#include "package_url.hpp"

#include "ground/json_member.hpp"
#include "ground/text.hpp"
#include "ground/url.hpp"

#include <nlohmann/json.hpp>

#include <string_view>
#include <utility>

namespace skillhost::app {
namespace {

// Percent-encodes a part of a purl: "/" stays between segments, ":" always.
std::string encodedForPurl(std::string_view text, std::string_view kept) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || std::string_view("-._~").find(c) != text.npos;
    if (isPlain || kept.find(c) != kept.npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    ((out += '%') += digits[byte >> 4U]) += digits[byte & 15U];
  }
  return out;
}

std::string encodedPath(std::string_view text) { return encodedForPurl(text, "/"); }
std::string encodedValue(std::string_view text) { return encodedForPurl(text, "/:"); }

std::string withoutGitSuffix(std::string text) {
  if (text.ends_with(".git")) text.resize(text.size() - 4);
  return text;
}

// Returns host and path of a repository: "github.com", "owner/name"; empty for a local one.
std::pair<std::string, std::string> placeOf(const std::string &repository) {
  const auto parts = urlParts(repository);
  if (parts) {
    std::string_view host = parts->authority;
    host = host.substr(host.find('@') == host.npos ? 0 : host.find('@') + 1);
    const std::size_t slash = parts->rest.find_first_not_of('/');
    return {asciiLowered(host),
            withoutGitSuffix(std::string(slash == parts->rest.npos ? std::string_view{}
                                                                   : parts->rest.substr(slash)))};
  }
  const std::size_t at = repository.find('@'), colon = repository.find(':');
  if (at == repository.npos || colon == repository.npos || colon < at) return {};
  return {asciiLowered(repository.substr(at + 1, colon - at - 1)),
          withoutGitSuffix(repository.substr(colon + 1))};
}

std::string gitUrl(const std::string &name, const Json &facts) {
  const std::string repository = factText(facts, "repository"), commit = factText(facts, "commit");
  const auto [host, place] = placeOf(repository);
  if (host.empty() || commit.empty()) return {};
  const std::string path = factText(facts, "path");
  const std::string within = path.empty() || path == "." ? "" : '#' + encodedPath(path);
  if (host == "github.com" || host == "bitbucket.org")
    return "pkg:" + host.substr(0, host.find('.')) + '/' + encodedPath(asciiLowered(place)) + '@' +
           commit + within;
  return "pkg:generic/" + encodedForPurl(name, "") + '@' + commit +
         "?vcs_url=" + encodedValue("git+" + asUri(repository) + '@' + commit) + within;
}

std::string ociUrl(const Json &facts) {
  std::string reference = factText(facts, "reference");
  const std::string digest = factText(facts, "manifest_digest");
  if (reference.empty() || digest.empty()) return {};
  reference = reference.substr(0, reference.find('@'));
  const std::size_t slash = reference.rfind('/');
  const std::size_t colon = reference.find(':', slash == reference.npos ? 0 : slash);
  const std::string repository = reference.substr(0, colon);
  const std::string last = repository.substr(slash == repository.npos ? 0 : slash + 1);
  const std::string path = factText(facts, "path");
  return "pkg:oci/" + encodedForPurl(asciiLowered(last), "") + '@' + encodedForPurl(digest, "") +
         "?repository_url=" + encodedValue(repository) +
         (colon == reference.npos ? "" : "&tag=" + encodedValue(reference.substr(colon + 1))) +
         (path.empty() || path == "." ? "" : '#' + encodedPath(path));
}

std::string archiveUrl(const std::string &name, const Json &facts) {
  const std::string archive = factText(facts, "archive"),
                    digest = factText(facts, "archive_digest");
  if (archive.empty()) return {};
  return "pkg:generic/" + encodedForPurl(name, "") +
         (digest.empty() ? "?" : "?checksum=" + encodedValue(digest) + '&') +
         "download_url=" + encodedValue(archive);
}

} // namespace

std::string factText(const Json &facts, const char *name) {
  const auto found = facts.find(name);
  return found != facts.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string asUri(const std::string &address) {
  if (address.find("://") != std::string::npos) return address;
  const std::size_t colon = address.find(':');
  if (address.find('@') == address.npos || colon == address.npos) return address;
  const std::string path = address.substr(colon + 1);
  return "ssh://" + address.substr(0, colon) + (path.starts_with('/') ? "" : "/") + path;
}

std::string packageUrl(const std::string &name, const Json &facts) {
  const std::string kind = factText(facts, "kind");
  if (kind == "git") return gitUrl(name, facts);
  if (kind == "oci") return ociUrl(facts);
  return kind == "well-known" ? archiveUrl(name, facts) : std::string();
}

std::string supplierOf(const Json &facts) {
  const auto [host, place] = placeOf(factText(facts, "repository"));
  if (!host.empty()) {
    const std::size_t slash = place.rfind('/');
    return slash == place.npos ? host : host + '/' + place.substr(0, slash);
  }
  const std::string index = factText(facts, "index");
  if (const auto parts = urlParts(index)) return std::string(parts->authority);
  const std::string reference = factText(facts, "reference");
  return reference.substr(0, reference.rfind('/') == reference.npos ? 0 : reference.rfind('/'));
}

} // namespace skillhost::app

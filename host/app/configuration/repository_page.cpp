// SPDX-License-Identifier: Apache-2.0
#include "configuration/repository_page.hpp"

#include "ground/hexadecimal.hpp"
#include "ground/url.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace skillhost::app {
namespace {

using Segments = std::vector<std::string>;

std::string decodedSegment(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hexadecimalDigit(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : hexadecimalDigit(text[i + 2]);
    out += low < 0 ? text[i] : static_cast<char>(high * 16 + low);
    if (low >= 0) i += 2;
  }
  return out;
}

Segments segmentsOfPath(std::string_view path) {
  Segments out;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) out.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return out;
}

std::string joinedSegments(const Segments &segments, std::size_t begin, std::size_t end) {
  std::string out;
  for (std::size_t i = begin; i < end; ++i) out += (out.empty() ? "" : "/") + segments[i];
  return out;
}

bool isAmong(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Where the parts of a page's path are.
struct Parts {
  std::size_t repository = 0; // how many segments name the repository
  std::size_t ref = 0;        // the first segment of the ref; that of the end: there is none
  bool isFile = false;        // the last segment is a file
  bool isExact = false;       // the ref is one segment
};

// The word for what a page shows, at segment `at`, when the words before name a repository.
std::optional<Parts> partsAt(const Segments &path, std::size_t at, std::string_view host) {
  const bool isMarked = path[at] == "-";                             // GitLab
  if (!isMarked && host.starts_with("gitlab.")) return std::nullopt; // "tree" is a group there
  const std::size_t kind = isMarked ? at + 1 : at;
  const std::string_view word = kind < path.size() ? path[kind] : std::string_view{};
  const std::string_view next = kind + 1 < path.size() ? path[kind + 1] : std::string_view{};
  Parts parts{at, kind + 1};
  parts.isFile = isAmong(word, {"blob", "raw", "edit", "blame"});
  parts.isExact = isAmong(word, {"commit", "tags"});
  if (word == "releases" && next == "tag") {
    parts.ref = kind + 2;
    return parts;
  }
  // Gitea and Forgejo say of which kind the ref is.
  if (isAmong(word, {"src", "raw"}) && isAmong(next, {"branch", "tag", "commit"})) {
    parts.ref = kind + 2;
    parts.isExact = next == "commit";
    return parts;
  }
  if (isAmong(word, {"tree", "commits", "commit"}) || parts.isFile ||
      (word == "src" && host == "bitbucket.org") || (isMarked && word == "tags"))
    return parts;
  if (isMarked) return Parts{at, path.size()}; // its issues, say
  return std::nullopt;
}

std::optional<Parts> partsOf(const Segments &path, std::string_view host) {
  for (std::size_t at = 2; at < path.size(); ++at)
    if (const auto parts = partsAt(path, at, host)) return parts;
  // GitHub has nothing but pages below a repository. What has an @ was typed, see originOf().
  const bool isPage = host == "github.com" && path.size() > 2 &&
                      std::none_of(path.begin(), path.begin() + 2, [](const std::string &one) {
                        return one.find('@') != one.npos;
                      });
  return isPage ? std::optional(Parts{2, path.size()}) : std::nullopt;
}

// Bitbucket shows the id of a commit in the path, and its branch as "?at=".
std::string valueOf(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view one = query.substr(0, end);
    if (one.starts_with(name) && one.substr(name.size()).starts_with('='))
      return decodedSegment(one.substr(name.size() + 1));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return {};
}

} // namespace

RepositoryPage repositoryPage(std::string_view address) {
  const auto url = urlParts(address);
  if (!url || !isAmong(url->scheme, {"https", "http"})) return {std::string(address), {}, {}};
  const std::size_t end = std::min(url->rest.find_first_of("?#"), url->rest.size());
  std::string_view query = url->rest.substr(std::min(end + 1, url->rest.size()));
  query = query.substr(0, query.find('#'));
  std::string origin(url->origin);
  Segments path = segmentsOfPath(url->rest.substr(0, end));
  std::string_view host = url->authority;
  if (host == "www.github.com") host.remove_prefix(4);
  if (host == "raw.githubusercontent.com" && path.size() > 2) {
    origin = "https://github.com";
    path.insert(path.begin() + 2, "raw");
  }
  const std::optional<Parts> parts = partsOf(path, host);
  if (!parts) {
    std::string_view plain = address.substr(0, url->origin.size() + end);
    while (plain.ends_with('/')) plain.remove_suffix(1);
    return {std::string(plain), {}, {}};
  }
  RepositoryPage page{origin + '/' + joinedSegments(path, 0, parts->repository), {}, {}};
  Segments rest(path.begin() + static_cast<std::ptrdiff_t>(std::min(parts->ref, path.size())),
                path.end());
  for (std::string &one : rest) one = decodedSegment(one);
  if (rest.size() > 2 && rest[0] == "refs" && isAmong(rest[1], {"heads", "tags"}))
    rest.erase(rest.begin(), rest.begin() + 2);
  if (rest.size() > 1 && (parts->isFile || isAmong(rest.back(), {"SKILL.md", "skill.md"})))
    rest.pop_back();
  if (rest.empty()) return page;
  page.ref = host == "bitbucket.org" ? valueOf(query, "at") : std::string{};
  const bool isExact = parts->isExact || !page.ref.empty() || isHexadecimal(rest.front(), 40);
  if (page.ref.empty()) page.ref = rest.front();
  page.folder = joinedSegments(rest, 1, rest.size());
  page.mayRefContinue = !isExact && !page.folder.empty();
  return page;
}

} // namespace skillhost::app

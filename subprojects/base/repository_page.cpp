// SPDX-License-Identifier: Apache-2.0
#include "base/repository_page.hpp"

#include "ground/hexadecimal.hpp"
#include "ground/percent.hpp"
#include "ground/text.hpp"
#include "ground/url.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace skillhost {
namespace {

using Segments = std::vector<std::string>;

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

bool isGithubHost(std::string_view host) {
  return host == "github.com" || host.ends_with(".ghe.com");
}

// The places of the parts in a page's path.
struct Parts {
  std::size_t repository = 0; // the number of segments that name the repository
  std::size_t ref = 0; // the first segment of the ref; the number of all segments if there is none
  // Prefix of the full reference, if the page distinguishes a branch from a tag.
  std::string_view prefix{};
  bool isFile = false;    // the last segment is a file
  bool isExact = false;   // the ref is one segment
  bool isWhole = false;   // the ref is all that follows
  bool isUnknown = false; // the page may show something else than the repository's HEAD
};

// Pages that show the repository as a whole, and what people say about it.
bool isHarmless(std::string_view word, bool isLast) {
  if (isLast)
    return isAmong(word,
                   {"",      "tags",     "branches", "releases",   "pulls",       "merge_requests",
                    "pulse", "graphs",   "network",  "stargazers", "starrers",    "watchers",
                    "forks", "activity", "settings", "packages",   "deployments", "pipelines",
                    "jobs",  "boards",   "src",      "tree",       "commits"}) ||
           isHarmless(word, false);
  return isAmong(word, {"issues", "discussions", "wiki", "wikis", "actions", "projects", "security",
                        "milestones", "labels"});
}

bool isNumber(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
}

// A page of a proposal, on any host, shows what others would like the repository to be.
bool isProposal(std::string_view word, std::string_view next) {
  return (isAmong(word, {"pull", "pulls", "pull-requests", "merge_requests"}) && isNumber(next)) ||
         (word == "compare" && next.find("..") != next.npos);
}

// The word for what a page shows, at segment `at`, when the words before name a repository.
std::optional<Parts> partsAt(const Segments &path, std::size_t at, std::string_view host) {
  const bool isMarked = path[at] == "-"; // GitLab
  const std::size_t kind = isMarked ? at + 1 : at;
  const std::string_view word = kind < path.size() ? path[kind] : std::string_view{};
  const std::string_view next = kind + 1 < path.size() ? path[kind + 1] : std::string_view{};
  Parts parts{at, kind + 1};
  if (isProposal(word, next)) {
    parts.isUnknown = true;
    return parts;
  }
  if (!isMarked && host.starts_with("gitlab.")) return std::nullopt; // "tree" is a group there
  parts.isFile = isAmong(word, {"blob", "raw", "edit", "blame"});
  parts.isExact = word == "commit";
  if ((word == "releases" && next == "tag") ||
      (isMarked && isAmong(word, {"tags", "releases"}) && !next.empty())) {
    parts.ref = kind + (next == "tag" ? 2 : 1);
    parts.prefix = "refs/tags/";
    parts.isWhole = true;
    return parts;
  }
  // Gitea and Forgejo say of which kind the ref is.
  if (!isMarked && !isGithubHost(host) && kind + 2 < path.size() &&
      isAmong(word, {"src", "raw", "blame", "commits"}) &&
      isAmong(next, {"branch", "tag", "commit"})) {
    parts.ref = kind + 2;
    parts.isExact = next == "commit";
    if (!parts.isExact) parts.prefix = next == "tag" ? "refs/tags/" : "refs/heads/";
    return parts;
  }
  // Elsewhere the other words may be names of groups and repositories.
  const bool isTold = isMarked || isKnownGitHost(host);
  if (word == "tree" || (isTold && (isAmong(word, {"commits", "commit"}) || parts.isFile)) ||
      (word == "src" && host == "bitbucket.org"))
    return parts;
  if (!isMarked) return std::nullopt;
  parts.ref = path.size();
  parts.isUnknown = !isHarmless(word, next.empty());
  return parts;
}

std::optional<Parts> partsOf(const Segments &path, std::string_view host) {
  if (!path.empty() && path.back().ends_with(".git")) return std::nullopt;
  for (std::size_t at = 2; at < path.size(); ++at) {
    if (path[at - 1].find(".git@") != std::string::npos) return std::nullopt;
    if (const auto parts = partsAt(path, at, host)) return parts;
  }
  // Most hosts have nothing but pages below a repository. What has an @ was typed, see originOf().
  const bool isPage = isKnownGitHost(host) && !host.starts_with("gitlab.") && path.size() > 2 &&
                      std::none_of(path.begin(), path.begin() + 2, [](const std::string &one) {
                        return one.find('@') != one.npos;
                      });
  if (!isPage) return std::nullopt;
  Parts parts{2, path.size()};
  parts.isUnknown = !isHarmless(path[2], path.size() == 3);
  return parts;
}

// Names the part of the query that may choose what the page shows; "" when none does.
std::string unknownQuery(std::string_view query, std::string_view host) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view name = query.substr(0, std::min(query.find('='), end));
    if (!name.empty() && !isAmong(name, {"tab", "plain", "ref_type"}) &&
        !(name == "at" && host == "bitbucket.org"))
      return decodePercents(name);
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return {};
}

bool isOddSegment(std::string_view text, bool isFolder) {
  return text.empty() || text.front() == '/' || text.back() == '/' ||
         std::any_of(text.begin(), text.end(),
                     [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }) ||
         (isFolder && (text.find('/') != text.npos || text == "." || text == ".."));
}

// Bitbucket shows the id of a commit in the path, and its branch as "?at=".
std::string valueOf(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view one = query.substr(0, end);
    if (one.starts_with(name) && one.substr(name.size()).starts_with('='))
      return decodePercents(one.substr(name.size() + 1));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return {};
}

} // namespace

bool isKnownGitHost(std::string_view host) {
  return isGithubHost(host) || isAmong(host, {"www.github.com", "gitlab.com", "codeberg.org",
                                              "gitea.com", "bitbucket.org"});
}

RepositoryPage repositoryPage(std::string_view address) {
  const auto url = urlParts(address);
  if (!url || !isAmong(url->scheme, {"https", "http"})) return {std::string(address), {}, {}};
  const std::size_t end = std::min(url->rest.find_first_of("?#"), url->rest.size());
  std::string_view query;
  if (end < url->rest.size() && url->rest[end] == '?') query = url->rest.substr(end + 1);
  query = query.substr(0, query.find('#'));
  std::string origin(url->origin);
  Segments path = segmentsOfPath(url->rest.substr(0, end));
  const std::string lower = asciiLowered(url->authority);
  std::string_view host = lower;
  if (host == "www.github.com") host.remove_prefix(4);
  if (host == "raw.githubusercontent.com" && path.size() > 2) {
    origin = "https://github.com";
    host = "github.com";
    path.insert(path.begin() + 2, "raw");
  }
  const std::optional<Parts> parts = partsOf(path, host);
  std::string_view plain = address.substr(0, url->origin.size() + end);
  while (plain.ends_with('/')) plain.remove_suffix(1);
  RepositoryPage page{parts ? origin + '/' + joinedSegments(path, 0, parts->repository)
                            : std::string(plain),
                      {},
                      {}};
  const std::string instead =
      ": write " + page.url + ", and @ and a branch, tag or commit behind it";
  if (const std::string name = unknownQuery(query, host); !name.empty())
    page.problem = "the query \"" + name + "\" may choose what the page shows" + instead;
  if (isKnownGitHost(host) && path.size() > 1 && path.front() == "orgs")
    page.problem = "is a page of an organisation: write the address of a repository";
  if (!parts) return page;
  if (parts->isUnknown) page.problem = "this page does not say what to serve" + instead;
  if (!page.problem.empty()) return page;
  Segments rest(path.begin() + static_cast<std::ptrdiff_t>(std::min(parts->ref, path.size())),
                path.end());
  for (std::string &one : rest) {
    one = decodePercents(one);
    if (isOddSegment(one, &one != &rest.front())) {
      page.problem = "its path holds characters that no branch and no folder can have" + instead;
      return page;
    }
  }
  std::string prefix(parts->prefix);
  const bool isHead = valueOf(query, "ref_type") == "heads";
  if (prefix.empty() && !rest.empty() && !isHexadecimal(rest.front(), 40) &&
      (isHead || valueOf(query, "ref_type") == "tags"))
    prefix = isHead ? "refs/heads/" : "refs/tags/";
  if (rest.size() > 2 && rest[0] == "refs") {
    if (!isAmong(rest[1], {"heads", "tags"})) {
      page.problem = "shows neither a branch nor a tag" + instead;
      return page;
    }
    prefix = "refs/" + rest[1] + '/';
    rest.erase(rest.begin(), rest.begin() + 2);
  }
  if (parts->isWhole && !rest.empty()) rest = {joinedSegments(rest, 0, rest.size())};
  if (rest.size() > 1 && (parts->isFile || isAmong(rest.back(), {"SKILL.md", "skill.md"})))
    rest.pop_back();
  if (rest.empty()) return page;
  page.ref = host == "bitbucket.org" ? valueOf(query, "at") : std::string{};
  const bool isExact =
      parts->isExact || !page.ref.empty() || (prefix.empty() && isHexadecimal(rest.front(), 40));
  if (page.ref.empty()) page.ref = prefix + rest.front();
  page.folder = joinedSegments(rest, 1, rest.size());
  page.mayRefContinue = !isExact && !page.folder.empty();
  return page;
}

} // namespace skillhost

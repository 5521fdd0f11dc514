// SPDX-License-Identifier: Apache-2.0
#include "address.hpp"

#include "ground/text.hpp"
#include "ground/url.hpp"
#include "paths/names.hpp"

#include <skillhost/plugin.hpp>

#include <algorithm>

namespace skillhost::github {
namespace {

constexpr std::size_t maxAddressBytes = 2'048;

[[noreturn]] void refuse(std::string_view written, const char *why) {
  // The text before an '@' may contain a password.
  const std::size_t at = written.rfind('@');
  const std::string printed =
      at == written.npos ? std::string(written) : "***" + std::string(written.substr(at));
  throw skh::Error(SKH_INVALID, "url: \"" + paths::printable(printed) + "\" " + why);
}

bool isPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

bool isKnownHost(std::string_view owner) {
  const std::string host = asciiLowered(owner);
  return host == "github.com" || host == "www.github.com" || host == "gitlab.com" ||
         host == "codeberg.org" || host == "bitbucket.org";
}

// True for "owner/name" with the characters that GitHub allows: letters, digits and - _ .
bool isOwnerAndName(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == text.npos || slash == 0 || slash + 1 == text.size() || text.front() == '.' ||
      text.front() == '-' || text[slash + 1] == '.')
    return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return isPlain(c) || c == '/'; }) &&
         text.find('/', slash + 1) == text.npos;
}

// True for the address of a page, which is none of a repository: git servers answer it with 404.
bool isPage(std::string_view host, std::string_view path) {
  const bool isGithub = host == "github.com" || host == "www.github.com";
  const std::size_t owner = path.find('/', 1);
  const std::size_t name = owner == path.npos ? path.npos : path.find('/', owner + 1);
  return (isGithub && name != path.npos) || path.find("/-/") != path.npos ||
         path.find("/src/branch/") != path.npos;
}

void takeAuthority(Address &to, std::string_view written, std::string_view authority) {
  if (const std::size_t at = authority.rfind('@'); at != authority.npos) {
    to.user = authority.substr(0, at);
    authority.remove_prefix(at + 1);
    if (to.user.find(':') != std::string::npos || to.scheme != Scheme::ssh)
      refuse(written, "holds a user or a password: write the secret as token");
  }
  const std::size_t close = authority.rfind(']');
  const std::size_t colon = authority.find(':', close == authority.npos ? 0 : close);
  to.host = asciiLowered(authority.substr(0, colon));
  if (colon != authority.npos) to.port = authority.substr(colon + 1);
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  const bool isLiteral = to.host.starts_with('[') && to.host.ends_with(']');
  const auto fits = [&](char c) {
    return isPlain(c) || (isLiteral && (c == ':' || c == '[' || c == ']'));
  };
  if (to.host.empty() || to.host.front() == '-' ||
      !std::all_of(to.host.begin(), to.host.end(), fits))
    refuse(written, "has no host, or one that cannot be");
  if (to.port.size() > 5 || !std::all_of(to.port.begin(), to.port.end(), isDigit))
    refuse(written, "has a port that is no number");
  if (!to.user.empty() &&
      (to.user.front() == '-' || !std::all_of(to.user.begin(), to.user.end(), isPlain)))
    refuse(written, "has a user that cannot be");
}

void takeUrl(Address &to, std::string_view written, std::string_view text) {
  const std::size_t colon = text.find("://");
  const std::string scheme = asciiLowered(text.substr(0, colon));
  if (scheme == "https")
    to.scheme = Scheme::https;
  else if (scheme == "http")
    to.scheme = Scheme::http;
  else if (scheme == "ssh")
    to.scheme = Scheme::ssh;
  else if (scheme == "file")
    to.scheme = Scheme::file;
  else
    refuse(written,
           "must begin with https://, ssh:// or file://, or be user@host:path or owner/name");
  const std::string_view rest = text.substr(colon + 3);
  const std::size_t slash = rest.find('/');
  to.path = slash == rest.npos ? "" : rest.substr(slash);
  while (to.path.size() > 1 && to.path.back() == '/') to.path.pop_back();
  if (to.path.size() < 2) refuse(written, "names no repository");
  if (to.scheme == Scheme::file) {
    if (slash != 0) refuse(written, "must have three slashes: file:///srv/skills.git");
  } else {
    takeAuthority(to, written, rest.substr(0, slash));
  }
  const bool isWeb = to.scheme == Scheme::https || to.scheme == Scheme::http;
  if (isWeb && isPage(to.host, to.path))
    refuse(written, "is a page of a repository: write its address, and ref and subpath beside it, "
                    "or have `skillhost add` read the page");
  if (to.scheme == Scheme::http && !isThisMachine(to.host))
    refuse(written, "must begin with https:// (http:// is for this machine alone)");
  to.url = scheme + "://" + (to.user.empty() ? "" : to.user + "@") + to.host +
           (to.port.empty() ? "" : ":" + to.port) + to.path;
  if (to.scheme == Scheme::ssh && to.path.starts_with("/~")) to.path.erase(0, 1);
}

// Reads user@host:path, the short form of ssh and git.
void takeShort(Address &to, std::string_view written) {
  to.scheme = Scheme::ssh;
  const std::size_t colon = written.find(':');
  takeAuthority(to, written, written.substr(0, colon));
  to.path = written.substr(colon + 1);
  while (to.path.size() > 1 && to.path.back() == '/') to.path.pop_back();
  if (to.path.empty()) refuse(written, "names no repository");
  to.url = std::string(written.substr(0, colon + 1)) + to.path;
}

} // namespace

bool isThisMachine(std::string_view host) {
  return host == "127.0.0.1" || host == "[::1]" || host == "localhost";
}

std::string originOf(std::string_view url) {
  const auto parts = urlParts(url);
  return parts ? asciiLowered(parts->origin) : std::string();
}

std::string urlWithoutQuery(std::string_view url) {
  return paths::printable(url.substr(0, url.find_first_of("?#")));
}

Address::Address(std::string_view written, std::string_view baseUrl) {
  const auto isForbidden = [](char c) { return c <= ' ' || c == '\\' || c == '\x7f'; };
  if (written.empty() || written.size() > maxAddressBytes) refuse(written, "is empty or too long");
  const std::size_t colon = written.find("://");
  const bool isFile = written.front() == '/' || written.starts_with("file://");
  if (!isFile && std::any_of(written.begin(), written.end(), isForbidden))
    refuse(written, "holds blanks, backslashes or control characters");
  if (!isFile && colon != written.npos && written.find_first_of("?#") != written.npos)
    refuse(written, "must have no query and no fragment");
  if (written.front() == '/')
    takeUrl(*this, written, "file://" + std::string(written));
  else if (colon != written.npos)
    takeUrl(*this, written, written);
  else if (isKnownHost(written.substr(0, written.find('/'))))
    refuse(written, "begins with a host: write https:// before it");
  else if (isOwnerAndName(written))
    takeUrl(*this, written, std::string(baseUrl) + "/" + std::string(written));
  else if (written.find('@') < written.find(':') && written.find(':') != written.npos)
    takeShort(*this, written);
  else
    refuse(written, "must be https://…, ssh://…, file:///…, user@host:path or owner/name");
  name = path.substr(path.find_last_of("/:") == path.npos ? 0 : path.find_last_of("/:") + 1);
  if (name.ends_with(".git") && name.size() > 4) name.resize(name.size() - 4);
  if (name.empty() || name == "." || name == ".." || !paths::servable(name)) name = "repository";
}

Address Address::ofService(std::string_view written, std::string_view key) {
  const std::string why = std::string(key) + ": must begin with https:// and name a host";
  if (!written.starts_with("https://") && !written.starts_with("http://"))
    throw skh::Error(SKH_INVALID, why);
  const bool hasPath = urlParts(written)->rest.find('/') != written.npos;
  try {
    Address address(hasPath ? std::string(written) : std::string(written) + "/-", "");
    if (!hasPath) address.url.resize(address.url.size() - 2);
    return address;
  } catch (const skh::Error &) {
    throw skh::Error(SKH_INVALID, why);
  }
}

std::string Address::page() const {
  if (scheme != Scheme::https) return {};
  return url.ends_with(".git") ? url.substr(0, url.size() - 4) : url;
}

} // namespace skillhost::github

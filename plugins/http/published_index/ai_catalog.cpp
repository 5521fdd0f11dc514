// SPDX-License-Identifier: Apache-2.0
#include "ai_catalog.hpp"

#include "ground/json_text.hpp"
#include "ground/text.hpp"
#include "ground/url.hpp"

#include <algorithm>
#include <optional>

namespace skillhost {
namespace {

// Returns the URL of the server's root: that of the MCP endpoint without its path at this server.
std::string rootOf(const CatalogPlace &place) {
  std::string url = canonicalUrl(place.mcpUrl);
  std::string_view path = place.mcpPath;
  if (path.ends_with('/')) path.remove_suffix(1);
  if (url.ends_with(path)) {
    url.resize(url.size() - path.size());
    return url;
  }
  const std::optional<UrlParts> parts = urlParts(url);
  return parts ? std::string(parts->origin) : url;
}

// Returns the domain of the server; empty if an identifier cannot contain it, like an IPv6 address.
std::string publisherOf(std::string_view url) {
  const std::optional<UrlParts> parts = urlParts(url);
  std::string host(parts ? withoutPort(parts->authority) : std::string_view());
  const bool fits = std::all_of(host.begin(), host.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
  });
  return fits ? host : std::string();
}

struct Entry {
  std::string kind; // of the identifier, if the publisher has a domain: "skill"
  std::string name;
  std::string_view type;
  std::string url;
};

// Returns the required members of an entry, with the brace that opens it. An entry is identified by
// a URN, or by its URL if the publisher has no domain.
std::string beginningOf(const Entry &entry, const std::string &publisher) {
  std::string text = R"({"identifier":)";
  appendJsonString(text, publisher.empty()
                             ? entry.url
                             : "urn:air:" + publisher + ':' + entry.kind + ':' + entry.name);
  text += R"(,"displayName":)";
  appendJsonString(text, entry.name);
  text += R"(,"type":)";
  appendJsonString(text, entry.type);
  text += R"(,"url":)";
  appendJsonString(text, entry.url);
  return text;
}

std::string cardEntry(const CatalogPlace &place, const std::string &publisher) {
  Entry card{"mcp", place.cardName, "application/mcp-server-card+json",
             canonicalUrl(place.mcpUrl) + "/server-card"};
  // The name is a domain, a slash and a word; the publisher stands for the domain.
  card.name = card.name.substr(card.name.find('/') + 1);
  return beginningOf(card, publisher) + '}';
}

} // namespace

IndexLayout aiCatalogLayout(const CatalogPlace &place) {
  const std::string root = rootOf(place);
  const std::string publisher = publisherOf(root);
  IndexLayout layout;
  layout.begin = R"({"specVersion":"1.0","entries":[)";
  if (!place.cardName.empty()) layout.first = cardEntry(place, publisher);
  layout.entry = [root, publisher](const CatalogueEntry &entry, const std::string &digest) {
    const Entry skill{"skill", entry.name,
                      isDocument(*entry.skill) ? R"(text/markdown; profile="urn:air:agent-skills")"
                                               : "application/agent-skills+gzip",
                      root + std::string(publishedFolder) + publishedPath(entry)};
    std::string text = beginningOf(skill, publisher);
    text += R"(,"description":)";
    appendJsonString(text, publishedDescription(entry));
    text += R"(,"metadata":{"digest":"sha256:)" + digest + "\"}}";
    return text;
  };
  return layout;
}

} // namespace skillhost

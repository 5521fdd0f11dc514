// SPDX-License-Identifier: Apache-2.0
#include "ai_catalog.hpp"

#include "ground/json_text.hpp"
#include "ground/text.hpp"
#include "ground/url.hpp"
#include "listing_text.hpp"

#include <algorithm>
#include <optional>

namespace skillhost {
namespace {

std::string originOf(const std::string &url) {
  const std::optional<UrlParts> parts = urlParts(url);
  return std::string(parts ? parts->origin : std::string_view());
}

// Returns the domain in a URL in lower case; empty if it has only an address or a single word.
std::string domainOf(const std::string &origin) {
  const std::optional<UrlParts> parts = urlParts(origin);
  std::string_view host = parts ? withoutPort(parts->authority) : std::string_view();
  if (host.ends_with('.')) host.remove_suffix(1);
  const auto isLetter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto fits = [&](char c) { return isLetter(c) || (c >= '0' && c <= '9') || c == '-'; };
  const std::size_t dot = host.rfind('.');
  const bool isDomain =
      dot != std::string_view::npos && std::any_of(host.begin() + dot, host.end(), isLetter) &&
      std::all_of(host.begin(), host.end(), [&](char c) { return fits(c) || c == '.'; });
  return std::string(isDomain ? host : std::string_view());
}

} // namespace

AiCatalog::AiCatalog(std::string_view mcpUrl, std::string_view cardName)
    : mcpUrl_(canonicalUrl(mcpUrl)), origin_(originOf(mcpUrl_)), domain_(domainOf(origin_)),
      cardWord_(cardName.substr(cardName.find('/') + 1)) {}

std::string AiCatalog::beginning() const {
  std::string text =
      R"({"specVersion":"1.0","host":{"displayName":")" + domain_ + R"("},"entries":[)";
  if (!cardWord_.empty())
    text +=
        '\n' +
        openEntry("mcp", cardWord_, "application/mcp-server-card+json", mcpUrl_ + "/server-card") +
        '}';
  return text;
}

std::string AiCatalog::entry(const CatalogueEntry &skill, std::string_view digest) const {
  // The drafts disagree about the type of a single SKILL.md. This is the one of the directories
  // that follow Agentic Resource Discovery.
  std::string text =
      openEntry("skill", skill.name,
                isDocument(*skill.skill) ? R"(text/markdown; profile="urn:air:agent-skills")"
                                         : "application/agent-skills+gzip",
                origin_ + std::string(publishedFolder) + publishedPath(skill));
  text += R"(,"description":)";
  appendJsonString(text, publishedDescription(skill));
  return text + R"(,"digest":"sha256:)" + std::string(digest) + "\"}";
}

std::string AiCatalog::openEntry(std::string_view kind, std::string_view name,
                                 std::string_view type, const std::string &url) const {
  std::string text = R"({"identifier":"urn:air:)" + domain_ + ':' + std::string(kind) + ':' +
                     std::string(name) + R"(","displayName":")" + std::string(name) +
                     R"(","type":)";
  appendJsonString(text, type);
  text += R"(,"url":)";
  appendJsonString(text, url);
  return text;
}

} // namespace skillhost

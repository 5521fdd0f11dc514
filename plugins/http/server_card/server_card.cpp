// SPDX-License-Identifier: Apache-2.0
#include "server_card.hpp"

#include "ground/json.hpp"
#include "ground/sha256.hpp"
#include "ground/url.hpp"
#include "net/entity_tags.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace skillhost {
namespace {

constexpr std::string_view mediaType = "application/mcp-server-card+json";
constexpr std::string_view wellKnownPath = "/.well-known/mcp/server-card.json";
constexpr std::size_t maxNameLength = 200;

bool isAlphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Returns true for a part of a domain, which neither begins nor ends with a hyphen.
bool isLabel(std::string_view text) {
  return !text.empty() && text.front() != '-' && text.back() != '-' &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return isAlphanumeric(c) || c == '-'; });
}

bool isDomain(std::string_view text) {
  std::size_t labels = 1;
  for (; text.find('.') != text.npos; ++labels) {
    if (!isLabel(text.substr(0, text.find('.')))) return false;
    text.remove_prefix(text.find('.') + 1);
  }
  return labels > 1 && isLabel(text);
}

// A page of any origin may read the card. SEP-2127 requires these fields of every answer.
HttpFields publicFields() {
  return {{"Access-Control-Allow-Origin", "*"},
          {"Access-Control-Allow-Methods", "GET, HEAD"},
          {"Access-Control-Allow-Headers", "Content-Type, If-None-Match"},
          {"Access-Control-Expose-Headers", "ETag"}};
}

// Returns the path of the card, which follows that of MCP.
std::string pathBelow(std::string mcpPath) {
  if (mcpPath.ends_with('/')) mcpPath.pop_back();
  return mcpPath + "/server-card";
}

} // namespace

bool isServerName(std::string_view name) noexcept {
  const std::size_t slash = name.find('/');
  if (slash == name.npos || name.size() > maxNameLength) return false;
  const std::string_view word = name.substr(slash + 1);
  return isDomain(name.substr(0, slash)) && !word.empty() &&
         std::all_of(word.begin(), word.end(),
                     [](char c) { return isAlphanumeric(c) || c == '.' || c == '_' || c == '-'; });
}

std::string serverCardText(const ServerCardTexts &texts, std::string_view publicUrl) {
  const Json card{
      {"$schema", "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"},
      {"name", texts.name},
      {"version", texts.version},
      {"description", texts.description},
      {"remotes", Json::array({{{"type", "streamable-http"}, {"url", canonicalUrl(publicUrl)}}})}};
  return card.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

ServerCard::ServerCard(const ServerCardTexts &texts, const HttpParts &parts)
    : path_(pathBelow(parts.rules.path)), text_(serverCardText(texts, parts.rules.publicUrl)),
      tag_('"' + sha256Hex(text_) + '"') {}

std::vector<HttpRoute> ServerCard::routes() const {
  std::vector<HttpRoute> found;
  for (const std::string &path : {path_, std::string(wellKnownPath)}) {
    HttpRoute route{path};
    route.methods = {"GET", "HEAD", "OPTIONS"};
    route.onOtherMethod = publicFields();
    route.onOtherMethod.emplace_back("Cache-Control", "no-store");
    found.push_back(std::move(route));
  }
  return found;
}

void ServerCard::handle(const std::shared_ptr<HttpExchange> &exchange,
                        const PrincipalPointer & /*caller*/) {
  HttpFields fields = publicFields();
  if (exchange->request().method == "OPTIONS") {
    fields.emplace_back("Allow", "GET, HEAD, OPTIONS");
    return exchange->respond({204, {}, std::move(fields), {}});
  }
  fields.emplace_back("ETag", tag_);
  fields.emplace_back("Cache-Control", "public, max-age=3600");
  fields.emplace_back("X-Content-Type-Options", "nosniff");
  if (holdsTag(exchange->request().field("if-none-match").value_or(""), tag_))
    return exchange->respond({304, {}, std::move(fields), {}});
  exchange->respond({200, mediaType, std::move(fields), Fragments(text_)});
}

} // namespace skillhost

// SPDX-License-Identifier: Apache-2.0
#include "publishing/publisher.hpp"

#include "base/log.hpp"

#include <algorithm>
#include <utility>

namespace skillhost {
namespace {

constexpr std::string_view indexName = "index.json";

void refuse(HttpExchange &exchange, int status, std::string_view text, HttpFields fields = {}) {
  fields.emplace_back("Cache-Control", "no-store");
  exchange.respond({status, plainTextType, std::move(fields), Fragments(text)});
}

// Does a list of entity tags have it? Weak comparison, as for If-None-Match.
bool holds(std::string_view list, const std::string &tag) {
  while (!list.empty()) {
    std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), one.size() + 1));
    while (one.starts_with(' ') || one.starts_with('\t')) one.remove_prefix(1);
    while (one.ends_with(' ') || one.ends_with('\t')) one.remove_suffix(1);
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == "*" || one == tag) return true;
  }
  return false;
}

std::string indexKey(const Catalogue &catalogue, const Visibility::Key &key) {
  return "published index\n" + std::to_string(catalogue.generation()) + '\n' + key.text();
}

} // namespace

Publisher::Publisher(PublishRules rules, HttpParts parts)
    : rules_(std::move(rules)), parts_(parts),
      asksWho_(!rules_.openly && parts.access.authenticator() != nullptr),
      artefacts_(std::make_shared<Artefacts>(parts.library, parts.server.cache())) {}

bool Publisher::publishes(std::string_view path) const {
  return !rules_.sources.empty() && path.starts_with(publishedFolder);
}

bool Publisher::isPublished(const CatalogueEntry &entry) const {
  // The index knows a skill by the name that its SKILL.md says.
  return isPublishedName(entry.name) && entry.name == entry.skill->fields.name &&
         std::any_of(rules_.sources.begin(), rules_.sources.end(),
                     [&](const Glob &glob) { return glob.matches(entry.skill->source); });
}

void Publisher::handle(const std::shared_ptr<HttpExchange> &exchange) const {
  const std::string_view method = exchange->request().method;
  if (method != "GET" && method != "HEAD")
    return refuse(*exchange, 405, "only GET\n", {{"Allow", "GET, HEAD"}});
  parts_.mcp.guard(exchange, rules_.openly ? Need::Nothing : Need::Read,
                   [this, exchange](const PrincipalPointer &who) {
                     // At once, but while the first catalogue is being made.
                     parts_.library.whenReady([this, exchange, who] { admitted(exchange, who); });
                   });
}

void Publisher::admitted(Exchange exchange, const PrincipalPointer &principal) const {
  const auto whole = parts_.library.catalogue();
  const Visibility::Key key = parts_.access.visibility().keyOf(principal.get());
  const std::shared_ptr<const Catalogue> seen = Visibility::view(whole, key);
  const std::string_view path = exchange->request().path.substr(publishedFolder.size());
  if (path == indexName) return sendIndex(exchange, seen, key);
  for (const std::string_view end : {"/SKILL.md", ".tar.gz"}) {
    if (!path.ends_with(end)) continue;
    const CatalogueEntry *const entry = seen->byName(path.substr(0, path.size() - end.size()));
    if (entry != nullptr && isPublished(*entry) && publishedPath(*entry) == path)
      return sendArtefact(exchange, *entry);
  }
  refuse(*exchange, 404, "no such skill is published\n");
}

void Publisher::sendIndex(Exchange exchange, const std::shared_ptr<const Catalogue> &seen,
                          const Visibility::Key &key) const {
  const std::string cacheKey = indexKey(*seen, key);
  const auto answer = [this, exchange](const IndexText &index) {
    send(*exchange, "application/json", index.digest,
         std::make_shared<const std::string>(index.text));
  };
  Cache &cache = parts_.server.cache();
  if (const auto kept = cache.get<IndexText>(cacheKey)) return answer(*kept);
  std::vector<const CatalogueEntry *> entries;
  for (const CatalogueEntry &entry : seen->entries())
    if (isPublished(entry)) entries.push_back(&entry);
  writeIndexText(artefacts_, seen, std::move(entries), [&cache, cacheKey, answer](IndexText index) {
    if (!index.missing.empty()) {
      log::warning("server", "left out of the published index for now: " + index.missing);
      return answer(index);
    }
    const std::size_t bytes = sizeof index + index.text.size() + index.digest.size();
    const auto kept = std::make_shared<const IndexText>(std::move(index));
    cache.put(cacheKey, kept, bytes);
    answer(*kept);
  });
}

void Publisher::sendArtefact(Exchange exchange, const CatalogueEntry &entry) const {
  const bool document = isDocument(*entry.skill);
  artefacts_->make(entry.skill, [this, exchange, document](const Result<ArtefactPointer> &made) {
    if (made)
      return send(*exchange, document ? "text/markdown; charset=utf-8" : "application/gzip",
                  (*made)->digest, (*made)->bytes);
    if (made.failure().fault == Fault::TooLarge)
      return refuse(*exchange, 404, "it is too large to be published\n");
    log::warning("server", "a published skill cannot be sent: " + made.failure().message);
    refuse(*exchange, 503, "it cannot be read now\n", {{"Retry-After", "2"}});
  });
}

void Publisher::send(HttpExchange &exchange, std::string_view type, const std::string &digest,
                     const Fragments::Shared &bytes) const {
  const std::string tag = '"' + digest + '"';
  HttpFields fields{{"ETag", tag},
                    {"Cache-Control", asksWho_ ? "private, max-age=60" : "public, max-age=60"},
                    {"X-Content-Type-Options", "nosniff"}};
  if (asksWho_) fields.emplace_back("Vary", "Authorization");
  if (holds(exchange.request().field("if-none-match").value_or(""), tag))
    return exchange.respond({304, {}, std::move(fields), {}});
  Fragments body;
  body.append(bytes);
  exchange.respond({200, type, std::move(fields), std::move(body)});
}

} // namespace skillhost

// SPDX-License-Identifier: Apache-2.0
#include "publisher.hpp"

#include "base/log.hpp"
#include "net/entity_tags.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace skillhost {
namespace {

constexpr std::string_view indexName = "index.json";

void refuse(HttpExchange &exchange, int status, std::string_view text, HttpFields fields = {}) {
  fields.emplace_back("Cache-Control", "no-store");
  exchange.respond({status, plainTextType, std::move(fields), Fragments(text)});
}

// Returns the first product in a User-Agent field ("curl" of "curl/7.88.1"), without its version,
// because clients of MCP also name themselves without one.
std::string clientOf(const HttpRequest &request) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789!#$%&'*+-.^_`|~";
  const std::string_view agent = request.field("user-agent").value_or("");
  return std::string(agent.substr(0, agent.find_first_not_of(letters)));
}

// Returns the caller, or its network if callers are not identified.
std::string callerOf(const HttpRequest &request, const Principal *principal) {
  return principal != nullptr ? principal->issuer + '\n' + principal->subject
                              : networkOf(request.peer);
}

void refuseForNow(HttpExchange &exchange) {
  // A mirror would delete the skills that the listing lacks.
  refuse(exchange, 503, "some skills cannot be read now\n", {{"Retry-After", "2"}});
}

std::string listingKey(const Catalogue &catalogue, const Visibility::Key &key) {
  return "published index\n" + std::to_string(catalogue.generation()) + '\n' + key.text();
}

} // namespace

Publisher::Publisher(PublishRules rules, const HttpParts &parts)
    : rules_(std::move(rules)), library_(parts.library), access_(parts.access),
      server_(parts.server), asksWho_(!rules_.openly && parts.access.authenticator() != nullptr),
      aiCatalog_(parts.rules.publicUrl, rules_.cardName),
      artefacts_(std::make_shared<Artefacts>(parts.library, parts.server.cache(),
                                             rules_.leakedKeys ? Artefacts::LeakedKeys::Publish
                                                               : Artefacts::LeakedKeys::Refuse)) {}

std::vector<HttpRoute> Publisher::routes() const {
  if (rules_.sources.empty()) return {};
  std::vector<HttpRoute> found{{std::string(publishedFolder), HttpRoute::Extent::Folder}};
  if (aiCatalog_.isPossible()) found.push_back({std::string(aiCatalogPath)});
  for (HttpRoute &route : found) {
    route.methods = {"GET", "HEAD"};
    route.need = rules_.openly ? Permission::Nothing : Permission::Read;
    route.onOtherMethod = {{"Cache-Control", "no-store"}};
  }
  return found;
}

bool Publisher::isPublished(const CatalogueEntry &entry) const {
  // The index contains a skill under the name in its SKILL.md.
  return isPublishedName(entry.name) && entry.name == entry.skill->fields.name &&
         std::any_of(rules_.sources.begin(), rules_.sources.end(),
                     [&](const Glob &glob) { return glob.matches(entry.skill->source); });
}

void Publisher::handle(Exchange exchange, const PrincipalPointer &caller) {
  // This is called at once, except while the first catalogue is being made.
  library_.whenReady([this, exchange, caller] { admitted(exchange, caller); });
}

void Publisher::admitted(Exchange exchange, const PrincipalPointer &principal) const {
  const auto whole = library_.catalogue();
  const Visibility::Key key = access_.visibility().keyOf(principal.get());
  const std::shared_ptr<const Catalogue> seen = Visibility::view(whole, key);
  const std::string whose = callerOf(exchange->request(), principal.get());
  const bool isCatalog = exchange->request().path == aiCatalogPath;
  const std::string_view path =
      isCatalog ? indexName : exchange->request().path.substr(publishedFolder.size());
  if (path == indexName) {
    if (lacksSource(*whole, *seen, rules_.sources)) return refuseForNow(*exchange);
    return sendListing(exchange, seen, key, whose);
  }
  for (const std::string_view end : {"/SKILL.md", ".tar.gz"}) {
    if (!path.ends_with(end)) continue;
    const CatalogueEntry *const entry = seen->byName(path.substr(0, path.size() - end.size()));
    if (entry != nullptr && isPublished(*entry) && publishedPath(*entry) == path)
      return sendArtefact({exchange, entry->skill, principal}, whose);
  }
  refuse(*exchange, 404, "no such skill is published\n");
}

void Publisher::sendListing(Exchange exchange, const std::shared_ptr<const Catalogue> &seen,
                            const Visibility::Key &key, const std::string &whose) const {
  const std::string cacheKey = listingKey(*seen, key);
  const auto answer = [this, exchange](const PublishedListing &listing) {
    const bool isCatalog = exchange->request().path == aiCatalogPath;
    const ListingText &wanted = isCatalog ? listing.aiCatalog : listing.index;
    send(*exchange, isCatalog ? aiCatalogType : "application/json", wanted.digest,
         std::make_shared<const std::string>(wanted.text));
  };
  Cache &cache = server_.cache();
  if (const auto kept = cache.get<PublishedListing>(cacheKey)) return answer(*kept);
  std::vector<const CatalogueEntry *> entries;
  for (const CatalogueEntry &entry : seen->entries())
    if (isPublished(entry)) entries.push_back(&entry);
  writeListing(artefacts_, aiCatalog_, seen, std::move(entries), whose,
               [&cache, cacheKey, exchange, answer](PublishedListing listing) {
                 if (!listing.missing.empty())
                   log::warning("server", "is not published for now: " + listing.missing);
                 if (listing.isMissingForNow) return refuseForNow(*exchange);
                 if (!listing.missing.empty()) return answer(listing);
                 const std::size_t bytes = listing.bytes();
                 const auto kept = std::make_shared<const PublishedListing>(std::move(listing));
                 cache.put(cacheKey, kept, bytes);
                 answer(*kept);
               });
}

void Publisher::sendArtefact(Download download, const std::string &whose) const {
  const std::shared_ptr<const Skill> skill = download.skill;
  artefacts_->make(
      skill, whose, [this, download = std::move(download)](const Result<ArtefactPointer> &made) {
        HttpExchange &exchange = *download.exchange;
        if (made && !(*made)->leak.empty()) {
          record(download, {}, describe(Fault::Denied).code);
          return refuse(exchange, 404, "no such skill is published\n");
        }
        if (made) {
          const Sent sent = send(exchange,
                                 isDocument(*download.skill) ? "text/markdown; charset=utf-8"
                                                             : "application/gzip",
                                 (*made)->digest, (*made)->bytes);
          return record(download, (*made)->digest, sent == Sent::Nothing ? useUnchanged : useDone);
        }
        record(download, {}, describe(made.failure().fault).code);
        if (made.failure().fault == Fault::TooLarge)
          return refuse(exchange, 404, "it is too large to be published\n");
        const std::string why = "a published skill cannot be sent: " + made.failure().message;
        if (made.failure().fault == Fault::RateLimited)
          log::refused(LogLevel::Info, "http", networkOf(exchange.request().peer), why);
        else
          log::warning("server", why);
        refuse(exchange, 503, "it cannot be read now\n", {{"Retry-After", "2"}});
      });
}

// Records a download as a use of the skill, like load_skill. A HEAD request transfers nothing and
// is not recorded.
void Publisher::record(const Download &download, const std::string &digest,
                       std::string_view outcome) const {
  const Observers &observers = server_.observers();
  if (!observers.anyWants(event::callEnded) || download.exchange->request().method == "HEAD")
    return;
  using namespace std::chrono;
  const auto spent = duration_cast<microseconds>(steady_clock::now() - download.begun).count();
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  UseView use;
  use.kind = UseKind::Load;
  use.skill = download.skill->fields.name;
  use.source = download.skill->source;
  use.path = download.skill->path;
  use.digest = digest;
  if (download.principal) {
    use.issuer = download.principal->issuer;
    use.person = download.principal->subject;
  }
  const std::string client = clientOf(download.exchange->request());
  use.client = client;
  use.outcome = outcome;
  use.microseconds = static_cast<std::uint32_t>(std::min<std::int64_t>(spent, most));
  observers.callEnded(use);
}

Publisher::Sent Publisher::send(HttpExchange &exchange, std::string_view type,
                                const std::string &digest, const Fragments::Shared &bytes) const {
  const std::string tag = '"' + digest + '"';
  HttpFields fields{{"ETag", tag},
                    {"Cache-Control", asksWho_ ? "private, max-age=60" : "public, max-age=60"},
                    {"X-Content-Type-Options", "nosniff"}};
  if (asksWho_) fields.emplace_back("Vary", "Authorization");
  if (holdsTag(exchange.request().field("if-none-match").value_or(""), tag)) {
    exchange.respond({304, {}, std::move(fields), {}});
    return Sent::Nothing;
  }
  Fragments body;
  body.append(bytes);
  exchange.respond({200, type, std::move(fields), std::move(body)});
  return Sent::All;
}

} // namespace skillhost

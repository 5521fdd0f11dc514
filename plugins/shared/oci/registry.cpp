// SPDX-License-Identifier: Apache-2.0
#include "registry.hpp"

#include "credential_helper.hpp"
#include "digest.hpp"

#include "ground/base64.hpp"
#include "http_client/url.hpp"
#include "http_client/web_address.hpp"
#include "paths/names.hpp"

#include <algorithm>
#include <utility>

namespace skillhost::oci {
namespace {

using Clock = remote::Operation::Clock;

constexpr int maxRedirects = 3, maxPages = 100;
constexpr std::size_t maxTokenAnswerBytes = std::size_t{64} << 10U, maxListedTags = 10'000;
// A token is not used this shortly before it expires.
constexpr std::chrono::seconds beforeTheEnd{10};

std::string pullScope(const Reference &where) { return "repository:" + where.repository + ":pull"; }
std::string pushScope(const Reference &where) { return pullScope(where) + ",push"; }

bool isWriting(const Request &request) { return request.body.has_value(); }

std::string originOf(const std::string &url) {
  const auto address = web::readWebAddress(url);
  return address ? address->origin : std::string();
}

std::string basicHeader(const Credentials &credentials) {
  return "Authorization: Basic " + encodeBase64(credentials.user + ":" + credentials.secret);
}

} // namespace

Registry::Registry(RegistryRules rules)
    : rules_(std::move(rules)), credentials_(rules_.login.credentials) {}

void Registry::beginRound() {
  hasAskedHelper_ = false;
  helperFailure_.reset();
}

std::string Registry::urlOf(const Reference &where, const std::string &rest) const {
  return rules_.origin + "/v2/" + where.repository + rest;
}

std::string Registry::authorization(const std::string &scope) {
  if (isBasic_) return basicHeader(credentials_);
  const auto held = tokens_.find(scope);
  if (held == tokens_.end()) return {};
  if (Clock::now() < held->second.until) return "Authorization: Bearer " + held->second.text;
  tokens_.erase(held);
  return {};
}

Answer Registry::request(remote::Operation &operation, Request request, const std::string &scope,
                         RedirectPolicy redirectPolicy) {
  const std::vector<std::string> headers = request.headers;
  for (bool hasLoggedIn = false;;) {
    request.headers = headers;
    const std::string login = authorization(scope);
    if (!login.empty()) request.headers.push_back(login);
    Answer answer = exchange(connections_, rules_.exchange, operation, request);
    // The registry may have refused an old answer of the helper.
    if (answer.status == 401 && (!hasLoggedIn || renewCredentials(operation)) &&
        logIn(operation, answer.authenticate, scope)) {
      hasLoggedIn = true;
      continue;
    }
    if (!answer.isRedirect() || redirectPolicy == RedirectPolicy::returnRedirect) return answer;
    request.headers = headers; // secrets stay at this origin
    return follow(operation, request, std::move(answer), redirectPolicy, login);
  }
}

Answer Registry::follow(remote::Operation &operation, const Request &asked, Answer answer,
                        RedirectPolicy redirectPolicy, const std::string &login) {
  std::string from = asked.url;
  for (int followed = 0; answer.isRedirect(); ++followed) {
    const std::string where = shownUrl(from) + " redirects";
    if (followed == maxRedirects) throw remote::RemoteError(where + " too often");
    const std::string origin = originOf(answer.location);
    if (redirectPolicy == RedirectPolicy::never && origin != rules_.origin)
      throw remote::RemoteError(where + " to " + (origin.empty() ? "no address" : origin) +
                                ", and no digest vouches for what is there");
    if (!origin.starts_with("https://") && !from.starts_with("http://"))
      throw remote::RemoteError(where + " to an address without https");
    Request next = asked;
    if (origin == rules_.origin && !login.empty()) next.headers.push_back(login);
    from = next.url = answer.location;
    answer = exchange(connections_, rules_.exchange, operation, next);
  }
  return answer;
}

// Returns false if there is no login to try, so the refusal stands.
bool Registry::logIn(remote::Operation &operation, const std::string &header,
                     const std::string &scope) {
  const Challenge challenge = readChallenge(header);
  loginFailure_.clear();
  if (challenge.scheme == Scheme::none) {
    loginFailure_ = "it asks for no login that is known here (Bearer, Basic)";
    return false;
  }
  if (credentials_.empty()) renewCredentials(operation);
  if (challenge.scheme == Scheme::bearer)
    return fetchToken(operation, challenge, scope) ||
           (renewCredentials(operation) && fetchToken(operation, challenge, scope));
  if (isBasic_ && !renewCredentials(operation)) return false;
  if (credentials_.isIdentity) {
    loginFailure_ = "it asks for a user and password, and the login is an identity token";
    return false;
  }
  return isBasic_ = !credentials_.empty();
}

// Returns true if the helper has other credentials than before. Throws what askHelper() throws.
bool Registry::renewCredentials(const remote::Operation &operation) {
  if (rules_.login.helper.empty()) return false;
  if (helperFailure_) throw remote::RemoteError(*helperFailure_);
  if (std::exchange(hasAskedHelper_, true)) return false;
  try {
    Credentials fresh = askHelper(rules_.login, operation);
    if (fresh == credentials_) return false;
    credentials_ = std::move(fresh);
  } catch (const remote::RemoteError &error) {
    helperFailure_ = error;
    throw;
  }
  isBasic_ = false;
  tokens_.clear();
  return true;
}

Answer Registry::askAuthority(remote::Operation &operation, const Challenge &challenge,
                              const std::string &realm, const std::string &scope,
                              bool mayHaveLogin) {
  // Ignores the scope of the challenge. Otherwise a registry could get a token that may delete or
  // push.
  std::string fields = "scope=" + web::formEncoded(scope);
  if (!challenge.service.empty())
    fields = "service=" + web::formEncoded(challenge.service) + "&" + fields;
  Request request{"GET", realm, {}, maxTokenAnswerBytes};
  if (mayHaveLogin && credentials_.isIdentity) {
    fields += "&grant_type=refresh_token&client_id=skillhost&refresh_token=" +
              web::formEncoded(credentials_.secret);
    request.method = "POST";
    request.headers = {"Expect:", "Content-Type: application/x-www-form-urlencoded"};
    request.body = fields;
  } else {
    request.url += (realm.find('?') == std::string::npos ? "?" : "&") + fields;
    if (mayHaveLogin && !credentials_.empty()) request.headers.push_back(basicHeader(credentials_));
  }
  return exchange(connections_, rules_.exchange, operation, request);
}

bool Registry::fetchToken(remote::Operation &operation, const Challenge &challenge,
                          const std::string &scope) {
  const auto realm = web::readWebAddress(challenge.realm);
  if (!realm) {
    loginFailure_ = "the authority that it names for tokens is no address";
    return false;
  }
  const bool isOwn = realm->origin == rules_.origin;
  if (!realm->secure && !isOwn) {
    loginFailure_ =
        "the authority that it names for tokens, " + realm->origin + ", is asked without https";
    return false;
  }
  // Over http, an attacker on the network may have named the authority.
  const bool isTrusted = isOwn || rules_.origin.starts_with("https://");
  const Clock::time_point asked = Clock::now();
  const Answer answer = askAuthority(operation, challenge, realm->url, scope, isTrusted);
  if (answer.status == 429 || answer.status >= 500) refuse({"GET", realm->url}, answer);
  const std::optional<Token> token = answer.isGood() ? readToken(answer.body) : std::nullopt;
  if (!token) {
    loginFailure_ =
        shownUrl(realm->url) + " gives no token (" + std::to_string(answer.status) + ")";
    return false;
  }
  // Every token is used at least once, even if it expires soon. Otherwise this would never end.
  const auto lasts = std::max(token->lasts - beforeTheEnd, std::chrono::seconds(1));
  // The earlier demand for a password did not come from the registry, or it has changed.
  isBasic_ = false;
  std::erase_if(tokens_, [&](const auto &one) { return one.second.until <= asked; });
  tokens_[scope] = {token->text, asked + lasts};
  return true;
}

void Registry::refuse(const Request &request, const Answer &answer) const {
  std::string said = shownUrl(request.url) + " answers " + std::to_string(answer.status);
  const std::string told = isWriting(request) ? readComplaint(answer.body) : std::string();
  const std::string why = told.empty() ? "" : ": " + told;
  switch (answer.status) {
  case 401:
    said += credentials_.empty() ? ": it needs a login" : ": the login is not accepted";
    if (credentials_.empty() && !rules_.login.helper.empty())
      said += ", and docker-credential-" + rules_.login.helper + " has none";
    if (!loginFailure_.empty()) said += "; " + loginFailure_;
    throw remote::RefusedError(said, answer.retryAfter);
  case 403:
    throw remote::RefusedError(said + (isWriting(request) ? ": writing there is not allowed" + why
                                                          : ": reading it is not allowed"),
                               answer.retryAfter);
  case 404:
    throw MissingError(said + ": there is no such thing");
  case 429:
    throw BusyError(said + ": it was asked too often", answer.retryAfter);
  default:
    if (answer.status == 503 && answer.retryAfter) throw BusyError(said, answer.retryAfter);
    throw remote::RemoteError(said + why, answer.retryAfter);
  }
}

std::string Registry::digestOf(remote::Operation &operation, const Reference &reference) {
  Request head{"HEAD",
               urlOf(reference, "/manifests/" + reference.manifest()),
               {std::string("Accept: ") + acceptedManifests}};
  const Answer answer = request(operation, head, pullScope(reference), RedirectPolicy::never);
  if (answer.status == 405 || answer.status == 501) return {};
  if (!answer.isGood()) refuse(head, answer);
  return isDigest(answer.contentDigest) ? answer.contentDigest : std::string();
}

FetchedManifest Registry::manifest(remote::Operation &operation, const Reference &where,
                                   const std::string &reference) {
  const bool isByDigest = isDigest(reference);
  Request get{"GET",
              urlOf(where, "/manifests/" + reference),
              {std::string("Accept: ") + acceptedManifests},
              maxManifestBytes};
  Answer answer = request(operation, get, pullScope(where),
                          isByDigest ? RedirectPolicy::whenRedirected : RedirectPolicy::never);
  if (answer.status != 200) refuse(get, answer);
  std::string digest = isByDigest                       ? reference
                       : isDigest(answer.contentDigest) ? answer.contentDigest
                                                        : sha256Digest(answer.body);
  if (!isDigestOf(digest, answer.body))
    throw ContentError(shownUrl(get.url) + " has the digest " + sha256Digest(answer.body) +
                       " and not " + digest);
  return {std::move(digest), std::move(answer.body), std::move(answer.contentType)};
}

std::vector<Descriptor> Registry::referrers(remote::Operation &operation, const Reference &where,
                                            const std::string &digest) {
  const Request get{"GET",
                    urlOf(where, "/referrers/" + digest),
                    {std::string("Accept: ") + acceptedManifests},
                    maxManifestBytes};
  const Answer answer = request(operation, get, pullScope(where), RedirectPolicy::never);
  if (answer.status == 200) return readManifest(answer.body, answer.contentType).manifests;
  // The specification allows the tag only after 404. After any other answer the referrers are
  // unknown.
  if (answer.status != 404) refuse(get, answer);
  std::string tag = digest;
  std::replace(tag.begin(), tag.end(), ':', '-');
  const FetchedManifest kept = manifest(operation, where, tag);
  return readManifest(kept.bytes, kept.mediaType).manifests;
}

std::string Registry::blob(remote::Operation &operation, const Reference &where,
                           const Descriptor &descriptor, std::uint64_t maxBytes) {
  if (descriptor.size > maxBytes)
    throw ContentError(descriptor.digest + " has " + std::to_string(descriptor.size) +
                       " bytes, and may have " + std::to_string(maxBytes));
  Request get{"GET", urlOf(where, "/blobs/" + descriptor.digest), {}, descriptor.size};
  Answer answer = request(operation, get, pullScope(where), RedirectPolicy::whenRedirected);
  if (answer.status != 200) refuse(get, answer);
  if (answer.body.size() != descriptor.size)
    throw ContentError(shownUrl(get.url) + " has " + std::to_string(answer.body.size()) +
                       " bytes, and the manifest says " + std::to_string(descriptor.size));
  if (!isDigestOf(descriptor.digest, answer.body))
    throw ContentError(shownUrl(get.url) + " has the digest " + sha256Digest(answer.body) +
                       " and not " + descriptor.digest);
  return std::move(answer.body);
}

std::vector<std::string> Registry::tags(remote::Operation &operation, const Reference &where) {
  std::vector<std::string> all;
  std::string url = urlOf(where, "/tags/list");
  for (int pages = 0; !url.empty(); ++pages) {
    if (pages == maxPages)
      throw ContentError(shownUrl(url) + " has more than " + std::to_string(maxPages) + " pages");
    Request get{"GET", url, {}, maxManifestBytes};
    const Answer answer = request(operation, get, pullScope(where), RedirectPolicy::never);
    if (answer.status != 200) refuse(get, answer);
    std::vector<std::string> page = readTags(answer.body);
    if (page.size() > maxListedTags - all.size())
      throw ContentError(shownUrl(url) + " has more than " + std::to_string(maxListedTags) +
                         " tags");
    all.insert(all.end(), page.begin(), page.end());
    const std::string next = nextLink(answer.link);
    if (next.empty()) break;
    const auto address = web::readWebAddress(next, url);
    if (!address || address->origin != originOf(rules_.origin + "/"))
      throw ContentError(shownUrl(url) + " continues at another host: " + paths::printable(next));
    url = address->url;
  }
  return all;
}

bool Registry::putBlob(remote::Operation &operation, const Reference &where,
                       const Descriptor &descriptor, std::string_view bytes) {
  const Request head{"HEAD", urlOf(where, "/blobs/" + descriptor.digest)};
  const Answer there = request(operation, head, pushScope(where), RedirectPolicy::returnRedirect);
  // A redirect only leads to an existing blob.
  if (there.isGood() || there.isRedirect()) return false;
  if (there.status != 404) refuse(head, there);
  const Request begin{"POST",
                      urlOf(where, "/blobs/uploads/"),
                      {"Expect:", "Content-Type:"},
                      maxTokenAnswerBytes,
                      ""};
  const Answer begun = request(operation, begin, pushScope(where), RedirectPolicy::returnRedirect);
  if (begun.status != 202) refuse(begin, begun);
  if (const std::string origin = originOf(begun.location); origin != rules_.origin)
    throw remote::RemoteError(shownUrl(begin.url) + " wants it sent to " +
                              (origin.empty() ? "no address" : origin) +
                              ", which is another host than the registry");
  Request put{"PUT",
              begun.location,
              {"Expect:", "Content-Type: application/octet-stream"},
              maxTokenAnswerBytes,
              bytes};
  put.url += (put.url.find('?') == std::string::npos ? "?" : "&");
  put.url += "digest=" + web::formEncoded(descriptor.digest);
  const Answer done = request(operation, put, pushScope(where), RedirectPolicy::returnRedirect);
  if (done.status != 201) refuse(put, done);
  return true;
}

void Registry::putManifest(remote::Operation &operation, const Reference &where,
                           const std::string &reference, const std::string &mediaType,
                           std::string_view bytes) {
  const Request put{"PUT",
                    urlOf(where, "/manifests/" + reference),
                    {"Expect:", "Content-Type: " + mediaType},
                    maxTokenAnswerBytes,
                    bytes};
  const Answer done = request(operation, put, pushScope(where), RedirectPolicy::returnRedirect);
  if (done.status != 201) refuse(put, done);
  if (isDigest(done.contentDigest) && !isDigestOf(done.contentDigest, bytes))
    throw ContentError(shownUrl(put.url) + " has kept something else: its digest is " +
                       done.contentDigest + ", and what was sent has " + sha256Digest(bytes));
}

} // namespace skillhost::oci

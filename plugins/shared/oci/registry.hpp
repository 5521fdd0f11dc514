// SPDX-License-Identifier: Apache-2.0
// A client of one registry by OCI's distribution protocol (version 1.1, which includes Docker's
// version 2). Content is verified against its digest and size before it is returned. Only one
// thread may use it.
#pragma once

#include "challenge.hpp"
#include "credentials.hpp"
#include "exchange.hpp"
#include "manifest.hpp"
#include "reference.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skillhost::oci {

struct RegistryRules {
  std::string origin; // "https://registry.example:5000"; http:// only if the operator chose it
  Login login;
  ExchangeRules exchange;
};

// The registry asks for a pause (429, or 503 with Retry-After).
class BusyError : public remote::RemoteError {
public:
  using RemoteError::RemoteError;
};

// The registry does not have the item (404).
class MissingError : public remote::RemoteError {
public:
  using RemoteError::RemoteError;
};

struct FetchedManifest {
  std::string digest, bytes, mediaType;
};

// Credentials are sent to the registry and to the authority that it names for tokens, over https.
// Over http they are only sent if the operator chose http, and then only to the registry's own
// host. A token is only sent to the registry. Neither follows a redirect or appears in a message.
// Redirects to other hosts are only followed for content with a digest, at most three, and never
// when writing. After a refusal, one login is tried.
//
// A helper (credential_helper.hpp) is asked when the registry first wants a login. Its answer is
// used until it is refused, and then the helper is asked once more.
//
// All functions throw what the operation throws; remote::RefusedError for 401 and 403; BusyError,
// MissingError, NetworkError and RemoteError if the registry or the connection fails; ContentError.
class Registry {
public:
  // Throws std::bad_alloc.
  explicit Registry(RegistryRules rules);

  // Begins a new round. The helper is asked at most once in each.
  void beginRound();
  // Asks with HEAD for the digest that the tag, or the digest itself, names now; "" if the registry
  // does not say.
  std::string digestOf(remote::Operation &operation, const Reference &reference);
  // Fetches the manifest named by `reference`, a tag or a digest, instead of the one in `where`.
  FetchedManifest manifest(remote::Operation &operation, const Reference &where,
                           const std::string &reference);
  // A blob larger than `maxBytes` is not requested.
  std::string blob(remote::Operation &operation, const Reference &where,
                   const Descriptor &descriptor, std::uint64_t maxBytes);
  // Returns the referrers of the artefact with this digest: from the registry's index or, if it
  // does not support that (404), from the index under a tag. Throws MissingError if there is
  // neither.
  std::vector<Descriptor> referrers(remote::Operation &operation, const Reference &where,
                                    const std::string &digest);
  // Lists the tags of a repository, page by page.
  std::vector<std::string> tags(remote::Operation &operation, const Reference &where);

  // The last two functions write. putBlob() returns false without sending if the blob is already
  // there. `bytes` must match the descriptor.
  bool putBlob(remote::Operation &operation, const Reference &where, const Descriptor &descriptor,
               std::string_view bytes);
  // Writes a manifest under `reference`, a tag or its digest. Everything that it names must already
  // be there.
  void putManifest(remote::Operation &operation, const Reference &where,
                   const std::string &reference, const std::string &mediaType,
                   std::string_view bytes);

private:
  // The target that a redirect may have. `returnRedirect`: the redirect is returned as the answer.
  enum class RedirectPolicy : std::uint8_t { never, whenRedirected, returnRedirect };
  struct CachedToken {
    std::string text;
    remote::Operation::Clock::time_point until;
  };

  std::string urlOf(const Reference &where, const std::string &rest) const;
  Answer request(remote::Operation &operation, Request request, const std::string &scope,
                 RedirectPolicy redirectPolicy);
  Answer follow(remote::Operation &operation, const Request &request, Answer answer,
                RedirectPolicy redirectPolicy, const std::string &login);
  std::string authorization(const std::string &scope);
  // The functions that follow return false if the login does not succeed.
  bool logIn(remote::Operation &operation, const std::string &header, const std::string &scope);
  bool fetchToken(remote::Operation &operation, const Challenge &challenge,
                  const std::string &scope);
  bool renewCredentials(const remote::Operation &operation);
  // Asks the authority for a token; with the login, if that may be sent there.
  Answer askAuthority(remote::Operation &operation, const Challenge &challenge,
                      const std::string &realm, const std::string &scope, bool mayHaveLogin);
  [[noreturn]] void refuse(const Request &request, const Answer &answer) const;

  const RegistryRules rules_;
  web::Connections connections_;
  Credentials credentials_; // the helper's last answer, or those of the rules
  // The helper was asked in this round, and how it failed.
  bool hasAskedHelper_ = false;
  std::optional<remote::RemoteError> helperFailure_;
  bool isBasic_ = false;                      // the registry asked for user and password
  std::map<std::string, CachedToken> tokens_; // by scope
  std::string loginFailure_;                  // reason why the last login failed
};

} // namespace skillhost::oci

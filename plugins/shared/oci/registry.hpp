// SPDX-License-Identifier: Apache-2.0
// One registry, by OCI's distribution protocol (version 1.1, which Docker's version 2 is). What
// comes is held against its digest and its size before it is handed on. One thread.
#pragma once

#include "challenge.hpp"
#include "credentials.hpp"
#include "exchange.hpp"
#include "manifest.hpp"
#include "reference.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace skillhost::oci {

struct RegistryRules {
  std::string origin; // "https://registry.example:5000"; http:// where that is meant
  Credentials credentials;
  ExchangeRules exchange;
};

// It wants to be left alone for a while (429, or 503 with Retry-After).
class BusyError : public remote::RemoteError {
public:
  using RemoteError::RemoteError;
};

// It has no such thing (404).
class MissingError : public remote::RemoteError {
public:
  using RemoteError::RemoteError;
};

struct FetchedManifest {
  std::string digest, bytes, mediaType;
};

// Credentials go to the registry and to the authority that it names for tokens, over https (http
// where the registry is asked by it, and then to its own host alone); a token to the registry
// alone. Neither goes where a redirect leads, nor into a message. Redirects to other hosts are
// followed for what a digest vouches for alone, three at most, and none where something is written.
// A refusal is answered by one login.
//
// All throw what the operation throws; remote::RefusedError for 401 and 403, BusyError,
// MissingError, NetworkError and RemoteError for what the registry or the way to it is to blame;
// ContentError.
class Registry {
public:
  // Throws std::bad_alloc.
  explicit Registry(RegistryRules rules);

  // By HEAD: what the tag, or the digest itself, names now; "" where the registry does not say.
  std::string digestOf(remote::Operation &operation, const Reference &reference);
  // By `reference`, a tag or a digest, in place of what `where` has.
  FetchedManifest manifest(remote::Operation &operation, const Reference &where,
                           const std::string &reference);
  // `most`: a larger one is not even asked for.
  std::string blob(remote::Operation &operation, const Reference &where,
                   const Descriptor &descriptor, std::uint64_t most);
  // Returns the referrers of the artefact of this digest: their index or, where the registry has
  // no such thing (404), the one that lies under a tag. MissingError: there is neither.
  std::vector<Descriptor> referrers(remote::Operation &operation, const Reference &where,
                                    const std::string &digest);
  // Of a repository, page by page.
  std::vector<std::string> tags(remote::Operation &operation, const Reference &where);

  // These two write. A blob that is there already is not sent: false then. `bytes` are those of the
  // descriptor.
  bool putBlob(remote::Operation &operation, const Reference &where, const Descriptor &descriptor,
               std::string_view bytes);
  // Under `reference`, a tag or its digest. What it names must be there already.
  void putManifest(remote::Operation &operation, const Reference &where,
                   const std::string &reference, const std::string &mediaType,
                   std::string_view bytes);

private:
  // Where a redirect may lead; `unasked`: it is an answer like others.
  enum class Leave : std::uint8_t { never, whenRedirected, unasked };
  struct Held {
    std::string text;
    remote::Operation::Clock::time_point until;
  };

  std::string urlOf(const Reference &where, const std::string &rest) const;
  Answer ask(remote::Operation &operation, Ask ask, const std::string &scope, Leave leave);
  Answer follow(remote::Operation &operation, const Ask &ask, Answer answer, Leave leave,
                const std::string &login);
  std::string authorization(const std::string &scope);
  bool logIn(remote::Operation &operation, const std::string &header, const std::string &scope);
  bool fetchToken(remote::Operation &operation, const Challenge &challenge,
                  const std::string &scope);
  [[noreturn]] void refuse(const Ask &ask, const Answer &answer) const;

  const RegistryRules rules_;
  web::Connections connections_;
  bool isBasic_ = false;               // it asked for user and password
  std::map<std::string, Held> tokens_; // by scope
  std::string trouble_;                // why the last login brought nothing
};

} // namespace skillhost::oci

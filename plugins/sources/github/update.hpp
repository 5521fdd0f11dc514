// SPDX-License-Identifier: Apache-2.0
// Checks the remote with git and fetches a new commit.
#pragma once

#include "settings.hpp"

#include "git/object_store.hpp"
#include "remote/operation.hpp"

#include <map>

namespace skillhost::github {

// The parts of a request that are not in the settings.
struct Access {
  std::string agent; // name of the client
  std::string token; // may be ""
};

struct Update {
  std::string commit;  // commit to serve, which is in the store with all its objects
  std::string refused; // commit that ref names but the pin forbids; else ""
  // Only set by the API, see State.
  std::string tree{}, tag{};
  std::map<std::string, std::uint64_t> absent{};
  std::vector<std::string> notes{}; // messages for the operator
};

// The repository to fetch from, and the part to fetch.
struct Upstream {
  Address address;
  std::string ref, pin;
  bool isMeant = true; // the operator wrote the address, so it may be a private one
};

// The repository answers but has no such branch, tag or commit. The host receives SKH_NOT_FOUND.
class MissingRefError : public remote::RemoteError {
public:
  explicit MissingRefError(const std::string &message)
      : RemoteError(SKH_NOT_FOUND, message, std::nullopt) {}
};

// True for 7 or more digits of a commit's SHA, git's short form. It may also be the name of a
// branch.
bool isShortId(const std::string &ref);

// Checks which commit `ref` names, and fetches it unless the store has it. With a pin, the pinned
// commit is fetched. Throws skh::Error, RemoteError if the remote fails, and MissingRefError, which
// is a RemoteError; the store then stays as it was. Only those settings count that apply to all
// repositories.
Update update(const Settings &settings, const Upstream &from, const Access &who, ObjectStore &store,
              remote::Operation &operation);

} // namespace skillhost::github

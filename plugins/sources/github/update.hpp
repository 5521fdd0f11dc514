// SPDX-License-Identifier: Apache-2.0
// One look at the remote, and the fetch when it has something else.
#pragma once

#include "settings.hpp"

#include "git/object_store.hpp"
#include "remote/operation.hpp"

#include <map>

namespace skillhost::github {

// What of a request is not in the settings.
struct Access {
  std::string agent; // who asks
  std::string token; // or ""
};

struct Update {
  std::string commit;  // what is to be served, and is in the store with all that belongs to it
  std::string refused; // what ref names, when the pin forbids it; else ""
  // Of what came by the API: see State.
  std::string tree{}, tag{};
  std::map<std::string, std::uint64_t> absent{};
  std::vector<std::string> notes{}; // for the operator
};

// Which repository, and what of it.
struct Upstream {
  Address address;
  std::string ref, pin;
  bool isMeant = true; // the operator wrote the address: it may be one of this network
};

// The repository answers, and has no such branch, tag or commit: the host is told SKH_NOT_FOUND.
class MissingRefError : public remote::RemoteError {
public:
  explicit MissingRefError(const std::string &message)
      : RemoteError(SKH_NOT_FOUND, message, std::nullopt) {}
};

// 7 digits of a commit's SHA or more, as git shows it for short. It may be the name of a branch
// too.
bool isShortId(const std::string &ref);

// Asks the remote what `ref` names, and fetches it unless the store has it. With a pin it is the
// pin that is fetched. Throws skh::Error, RemoteError when the remote is to blame, of which
// MissingRefError; the store then has what it had. Of the settings only what holds for all
// repositories counts.
Update update(const Settings &settings, const Upstream &from, const Access &who, ObjectStore &store,
              remote::Operation &operation);

} // namespace skillhost::github

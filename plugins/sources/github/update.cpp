// SPDX-License-Identifier: Apache-2.0
#include "update.hpp"

#include "state_file.hpp"

#include "git/remote.hpp"
#include "ground/hexadecimal.hpp"
#include "http_client/signal_guard.hpp"
#include "network/http_conversation.hpp"
#include "network/ssh_conversation.hpp"

#include <algorithm>
#include <set>

namespace skillhost::github {
namespace {

using References = std::vector<RemoteReference>;

struct Wanted {
  std::string name;    // reference or id to fetch
  std::string id;      // id of the commit, or of a tag that leads to it
  bool isPart = false; // the name is a part of an id
};

const RemoteReference *named(const References &references, const std::string &name) {
  const auto found = std::find_if(references.begin(), references.end(),
                                  [&](const RemoteReference &one) { return one.name == name; });
  return found == references.end() ? nullptr : &*found;
}

bool isOurs(const RemoteReference &one) {
  return one.name.starts_with("refs/heads/") || one.name.starts_with("refs/tags/");
}

// Finds the commits whose id begins with `start`, among branches, tags and the store. Other
// references, such as those of pull requests, can be written by strangers and do not count.
std::set<std::string> commitsBeginning(const std::string &start, const References &references,
                                       ObjectStore &store) {
  std::set<std::string> found;
  for (const RemoteReference &one : references) {
    if (isOurs(one) && one.id.starts_with(start) && named(references, one.name + "^{}") == nullptr)
      found.insert(one.id);
  }
  if (std::string known = store.commitOf(start); !known.empty()) found.insert(std::move(known));
  return found;
}

// True if a branch or a tag leads to the commit. The store may have more commits, because all
// references of a repository on this machine are fetched at once.
bool isLedTo(const std::string &commit, const References &references, ObjectStore &store) {
  std::vector<std::string> tips;
  for (const RemoteReference &one : references)
    if (isOurs(one)) tips.push_back(one.id);
  return store.isReachable(commit, tips);
}

// Returns the longest beginning of `path`, up to a '/', that is a branch or a tag; "" if there is
// none.
std::string longestRef(const References &references, std::string path) {
  for (;;) {
    const std::size_t slash = path.rfind('/');
    if (slash == path.npos) return {};
    path.resize(slash);
    if ((path.starts_with("refs/") && named(references, path) != nullptr) ||
        named(references, "refs/heads/" + path) != nullptr ||
        named(references, "refs/tags/" + path) != nullptr)
      return path;
  }
}

Wanted resolve(const References &references, const std::string &ref, ObjectStore &store) {
  if (references.empty()) throw remote::RemoteError("the repository is empty");
  if (isObjectId(ref)) return {ref, ref}; // otherwise a branch of that name would replace it
  std::vector<std::string> names{ref};
  if (ref.empty())
    names = {"HEAD"};
  else if (!ref.starts_with("refs/"))
    names = {"refs/heads/" + ref, "refs/tags/" + ref};
  for (const std::string &name : names) {
    const RemoteReference *const found = named(references, name);
    if (found == nullptr) continue;
    // An annotated tag is listed twice: as itself, and as the commit that it names.
    const RemoteReference *const peeled = named(references, name + "^{}");
    return {name, peeled == nullptr ? found->id : peeled->id};
  }
  if (ref.empty()) throw remote::RemoteError("the repository's HEAD names no branch: set ref");
  if (isShortId(ref)) {
    const std::set<std::string> found = commitsBeginning(ref, references, store);
    if (found.size() > 1)
      throw remote::RemoteError("ref: more than one commit begins with " + ref +
                                ": write the whole SHA");
    const std::string &id = found.empty() ? ref : *found.begin();
    return {id, id, true};
  }
  const std::string other = longestRef(references, ref);
  throw MissingRefError(
      "ref: the repository has no branch and no tag \"" + ref + '"' +
      (other.empty() ? "" : ", but \"" + other + "\": write the folder behind it as subpath"));
}

std::unique_ptr<Conversation> converse(const Address &address, const HttpAccess &access,
                                       remote::Operation &operation) {
  switch (address.scheme) {
  case Scheme::file:
    return nullptr;
  case Scheme::ssh:
    return std::make_unique<SshConversation>(address, operation);
  default:
    return std::make_unique<HttpConversation>(access, operation);
  }
}

// Some servers do not send a commit by its id alone. Then it is fetched with the branches.
std::string fetch(Remote &remote, ObjectStore &store, const Wanted &wanted) {
  const bool byId = wanted.name == wanted.id;
  try {
    if (!isShortId(wanted.id)) remote.download({wanted.name});
  } catch (const remote::RemoteError &) {
    if (!byId) throw;
  }
  if (byId && store.commitOf(wanted.id).empty()) remote.download({"refs/heads/*", "refs/tags/*"});
  return store.commitOf(wanted.id);
}

} // namespace

bool isShortId(const std::string &ref) {
  return ref.size() >= 7 && ref.size() < 40 && isHexadecimal(ref, ref.size());
}

Update update(const Settings &settings, const Upstream &from, const Access &who, ObjectStore &store,
              remote::Operation &operation) {
  const web::SignalGuard guard; // the remote may close the pipe or connection
  const HttpAccess access{from.address.url,
                          settings.user,
                          who.token,
                          {from.isMeant ? from.address.host : std::string{}, settings.caFile,
                           who.agent, settings.allowPrivateAddresses}};
  const std::unique_ptr<Conversation> conversation = converse(from.address, access, operation);
  Remote remote(store, from.address.url, conversation.get(), operation);
  Update done;
  Wanted wanted{from.pin, from.pin};
  try {
    const Wanted offered = resolve(remote.references(), from.ref, store);
    if (from.pin.empty() || from.pin == offered.id)
      wanted = offered;
    else
      done.refused = offered.id;
  } catch (const remote::RemoteError &) {
    if (from.pin.empty() || remote.references().empty()) throw;
  }
  done.commit = store.commitOf(wanted.id);
  if (done.commit.empty()) {
    try {
      done.commit = fetch(remote, store, wanted);
    } catch (const remote::RemoteError &error) {
      if (done.refused.empty()) throw;
      throw remote::RemoteError("pin: the repository has " + done.refused + " and not the pinned " +
                                    from.pin + ", which alone may be served: " + error.what(),
                                error.retryAfter());
    }
  }
  if (done.commit.empty() && !done.refused.empty())
    throw remote::RemoteError("pin: the repository has " + done.refused + " and not the pinned " +
                              from.pin + ", which alone may be served");
  if (done.commit.empty() && !from.pin.empty())
    throw remote::RemoteError("the repository does not have commit " + wanted.id);
  if (done.commit.empty())
    throw MissingRefError("ref: the repository has no branch, no tag and no commit \"" + wanted.id +
                          '"');
  if (wanted.isPart && !isLedTo(done.commit, remote.references(), store)) {
    remote.download({"refs/heads/*", "refs/tags/*"});
    if (!isLedTo(done.commit, remote.references(), store))
      throw MissingRefError("ref: neither a branch nor a tag leads to a commit that begins with " +
                            from.ref);
  }
  store.keep(done.commit);
  return done;
}

} // namespace skillhost::github

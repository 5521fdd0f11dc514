// SPDX-License-Identifier: Apache-2.0
#include "update.hpp"

#include "state_file.hpp"

#include "git/remote.hpp"
#include "ground/hexadecimal.hpp"
#include "http/signal_guard.hpp"
#include "network/http_conversation.hpp"
#include "network/ssh_conversation.hpp"

#include <algorithm>

namespace skillhost::github {
namespace {

using References = std::vector<RemoteReference>;

struct Wanted {
  std::string name; // what to fetch: a reference, or the id itself
  std::string id;   // of the commit, or of a tag that leads to it
};

const RemoteReference *named(const References &references, const std::string &name) {
  const auto found = std::find_if(references.begin(), references.end(),
                                  [&](const RemoteReference &one) { return one.name == name; });
  return found == references.end() ? nullptr : &*found;
}

// The commit that a branch or a tag leads to, when its id begins so.
std::string tipOf(const References &references, const std::string &start) {
  for (const RemoteReference &one : references)
    if (one.id.starts_with(start)) return one.id;
  return {};
}

// 7 digits or more, as git shows the id of a commit for short.
bool isShortId(const std::string &ref) {
  return ref.size() >= 7 && ref.size() < 40 && isHexadecimal(ref, ref.size());
}

// The longest beginning of `path`, up to a '/', that is a branch or a tag; "" when none is.
std::string longestRef(const References &references, std::string path) {
  for (;;) {
    const std::size_t slash = path.rfind('/');
    if (slash == path.npos) return {};
    path.resize(slash);
    if (named(references, "refs/heads/" + path) != nullptr ||
        named(references, "refs/tags/" + path) != nullptr)
      return path;
  }
}

Wanted resolve(const References &references, const std::string &ref) {
  if (references.empty()) throw remote::RemoteError("the repository is empty");
  std::vector<std::string> names{"HEAD"};
  if (!ref.empty()) names = {"refs/heads/" + ref, "refs/tags/" + ref, ref};
  for (const std::string &name : names) {
    if (!ref.empty() && name == ref && !ref.starts_with("refs/")) continue;
    const RemoteReference *const found = named(references, name);
    if (found == nullptr) continue;
    // An annotated tag is told twice: as itself, and as the commit that it names.
    const RemoteReference *const peeled = named(references, name + "^{}");
    return {name, peeled == nullptr ? found->id : peeled->id};
  }
  if (isObjectId(ref)) return {ref, ref};
  if (ref.empty()) throw remote::RemoteError("the repository's HEAD names no branch: set ref");
  if (isShortId(ref)) {
    const std::string tip = tipOf(references, ref);
    return {tip.empty() ? ref : tip, tip.empty() ? ref : tip};
  }
  const std::string other = longestRef(references, ref);
  throw remote::RemoteError(
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

// Not every server gives out a commit by its id alone: then it may be in what a branch leads to.
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

Update update(const Settings &settings, const Upstream &from, const Access &who, ObjectStore &store,
              remote::Operation &operation) {
  const http::SignalGuard guard; // the other side of a pipe or a connection may be gone
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
    const Wanted offered = resolve(remote.references(), from.ref);
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
  if (done.commit.empty())
    throw remote::RemoteError(from.pin.empty()
                                  ? "ref: the repository has no branch, no tag and no commit \"" +
                                        wanted.id + '"'
                                  : "the repository does not have commit " + wanted.id);
  store.keep(done.commit);
  return done;
}

} // namespace skillhost::github

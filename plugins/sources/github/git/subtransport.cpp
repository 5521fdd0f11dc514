// SPDX-License-Identifier: Apache-2.0
#include "subtransport.hpp"

#include <algorithm>
#include <filesystem>

#include <git2/sys/transport.h>

namespace skillhost::github {
namespace {

constexpr const char *noSha256 = "it names its objects by SHA-256, which is not read here: name a "
                                 "repository whose objects are named by SHA-1";
constexpr const char *noShallow =
    "it is a shallow clone, of which nothing can be fetched: complete it there by `git fetch "
    "--unshallow`, or name the repository that it was cloned from";

// libgit2 only knows the base, so a pointer to the base is converted to one to the whole.
struct OwnSubtransport : git_smart_subtransport {
  Passage *passage = nullptr;
  git_smart_subtransport_stream *only = nullptr; // set if the conversation has only one stream
};
struct OwnStream : git_smart_subtransport_stream {
  std::unique_ptr<Stream> stream;
};

OwnSubtransport &whole(git_smart_subtransport *base) {
  return *static_cast<OwnSubtransport *>(base);
}

// Runs `body` and keeps what it throws for our caller, while libgit2 receives an error code.
template <class Body> int contained(Passage &passage, Body body) noexcept {
  try {
    body();
    return 0;
  } catch (...) {
    if (!passage.failure) passage.failure = std::current_exception();
    git_error_set_str(GIT_ERROR_NET, "the conversation ended");
    return GIT_EUSER;
  }
}

int readStream(git_smart_subtransport_stream *base, char *into, std::size_t maxBytes,
               std::size_t *got) {
  return contained(*whole(base->subtransport).passage, [&] {
    *got = static_cast<OwnStream *>(base)->stream->read(into, maxBytes);
    whole(base->subtransport).passage->hear({into, *got});
  });
}

int writeStream(git_smart_subtransport_stream *base, const char *bytes, std::size_t size) {
  return contained(*whole(base->subtransport).passage,
                   [&] { static_cast<OwnStream *>(base)->stream->write({bytes, size}); });
}

void freeStream(git_smart_subtransport_stream *base) {
  if (OwnSubtransport &owner = whole(base->subtransport); owner.only == base) owner.only = nullptr;
  const std::unique_ptr<OwnStream> ended(static_cast<OwnStream *>(base));
}

int act(git_smart_subtransport_stream **out, git_smart_subtransport *base, const char * /*url*/,
        git_smart_service_t service) {
  OwnSubtransport &own = whole(base);
  return contained(*own.passage, [&] {
    if (service != GIT_SERVICE_UPLOADPACK_LS && service != GIT_SERVICE_UPLOADPACK)
      throw skh::Error(SKH_UNSUPPORTED, "nothing is ever pushed");
    Conversation &conversation = *own.passage->conversation;
    if (!conversation.isStateless() && own.only != nullptr) {
      *out = own.only;
      return;
    }
    auto made = std::make_unique<OwnStream>();
    made->subtransport = base;
    made->read = &readStream;
    made->write = &writeStream;
    made->free = &freeStream;
    made->stream =
        conversation.open(service == GIT_SERVICE_UPLOADPACK_LS ? Conversation::Step::advertise
                                                               : Conversation::Step::request);
    if (!conversation.isStateless()) own.only = made.get();
    *out = made.release(); // freeStream() deletes it
  });
}

int closeSubtransport(git_smart_subtransport * /*base*/) { return 0; }

void freeSubtransport(git_smart_subtransport *base) {
  const std::unique_ptr<OwnSubtransport> ended(&whole(base));
}

int makeSubtransport(git_smart_subtransport **out, git_transport * /*owner*/, void *parameter) {
  auto &passage = *static_cast<Passage *>(parameter);
  return contained(passage, [&] {
    auto made = std::make_unique<OwnSubtransport>();
    made->action = &act;
    made->close = &closeSubtransport;
    made->free = &freeSubtransport;
    made->passage = &passage;
    *out = made.release(); // freeSubtransport() deletes it
  });
}

int makeTransport(git_transport **out, git_remote *owner, void *parameter) {
  auto &passage = *static_cast<Passage *>(parameter);
  if (passage.conversation == nullptr) return git_transport_local(out, owner, nullptr);
  git_smart_subtransport_definition definition{};
  definition.callback = &makeSubtransport;
  definition.rpc = passage.conversation->isStateless() ? 1U : 0U;
  definition.param = &passage;
  return git_transport_smart(out, owner, &definition);
}

int onProgress(const git_indexer_progress *progress, void *parameter) {
  auto &passage = *static_cast<Passage *>(parameter);
  return contained(passage, [&] {
    passage.operation.checkpoint();
    // For a connection over the network, the streams count the bytes.
    if (passage.conversation == nullptr && progress->received_bytes > passage.operation.bytes())
      passage.operation.receive(progress->received_bytes - passage.operation.bytes());
  });
}

int onPacking(int /*stage*/, std::uint32_t /*done*/, std::uint32_t /*total*/, void *parameter) {
  auto &passage = *static_cast<Passage *>(parameter);
  return contained(passage, [&] { passage.operation.checkpoint(); });
}

} // namespace

void Passage::hear(std::string_view bytes) {
  constexpr std::string_view byDigest = "object-format=sha256", cut = "0035shallow ";
  if (isListed || obstacle != nullptr) return;
  last += bytes;
  if (last.find(byDigest) != last.npos)
    obstacle = noSha256;
  else if (last.find(cut) != last.npos)
    obstacle = noShallow;
  last.erase(0, last.size() - std::min(last.size(), byDigest.size()));
}

void Passage::lookInto(const std::string &repository) {
  std::error_code unknown;
  if (std::filesystem::exists(repository + "/shallow", unknown) ||
      std::filesystem::exists(repository + "/.git/shallow", unknown))
    obstacle = noShallow;
}

void passThrough(git_remote_callbacks &callbacks, Passage &passage) {
  callbacks.transport = &makeTransport;
  callbacks.transfer_progress = &onProgress;
  callbacks.pack_progress = &onPacking;
  callbacks.payload = &passage;
}

void checkPassage(int code, Passage &passage, const std::string &what) {
  if (code >= 0) return;
  if (passage.failure) std::rethrow_exception(std::exchange(passage.failure, nullptr));
  const std::string reason = lastReason();
  if (reason.find("objectformat") != reason.npos) passage.obstacle = noSha256;
  throw remote::RemoteError(what + ": " +
                            (passage.obstacle == nullptr ? reason : passage.obstacle));
}

} // namespace skillhost::github

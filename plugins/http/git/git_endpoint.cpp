// SPDX-License-Identifier: Apache-2.0
#include "git_endpoint.hpp"

#include "base/log.hpp"
#include "compression.hpp"
#include "password_exchange.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <variant>

namespace skillhost::git {
namespace {

constexpr std::string_view branch = "refs/heads/main";
constexpr std::size_t maxBody = std::size_t{1} << 20U;        // also unpacked
constexpr std::size_t maxPackBytes = std::size_t{512} << 20U; // all that are sent at once
constexpr std::size_t maxWaitingClients = 200;
// A skill counts as restless at the third try. The others are for skills that change in between.
constexpr int maxTries = 5;

constexpr std::string_view advertisementType = "application/x-git-upload-pack-advertisement";
constexpr std::string_view requestType = "application/x-git-upload-pack-request";
constexpr std::string_view resultType = "application/x-git-upload-pack-result";

void answerText(HttpExchange &exchange, int status, std::string_view text, HttpFields fields = {}) {
  fields.emplace_back("Cache-Control", "no-store");
  exchange.respond({status, plainTextType, std::move(fields), Fragments(text)});
}

void answerGit(HttpExchange &exchange, std::string_view type, Fragments body) {
  exchange.respond({200, type, {{"Cache-Control", "no-store"}}, std::move(body)});
}

// Returns the value of a parameter that git never escapes.
std::string_view parameterOf(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), one.size() + 1));
    if (one.starts_with(name) && one.substr(name.size()).starts_with('='))
      return one.substr(name.size() + 1);
  }
  return {};
}

// Tells a person what an update does, on the band for progress.
void appendAdvice(std::string &head) {
  appendPacket(head, "\2Each state of this repository is one commit without a parent.\n"
                     "If git pull does not update, run: git pull --rebase\n");
}

} // namespace

GitEndpoint::GitEndpoint(const HttpParts &parts, SnapshotRules rules)
    : library_(parts.library), access_(parts.access), mcp_(parts.mcp),
      snapshotTurns_(std::make_shared<Turns>(1, maxWaitingClients)),
      packTurns_(std::make_shared<Turns>(2, maxWaitingClients)),
      snapshots_(std::make_shared<Snapshots>(parts.library, parts.server.cache(), snapshotTurns_,
                                             restless_, std::move(rules))),
      packs_(std::make_shared<Packs>(parts.library, parts.server.cache(), packTurns_, restless_,
                                     maxPackBytes)) {}

std::vector<HttpRoute> GitEndpoint::routes() const {
  // The handler checks the caller itself, because git sends the token as a password.
  HttpRoute folder{"/git/", HttpRoute::Extent::Folder};
  folder.methods = {"GET", "HEAD", "POST"};
  folder.onOtherMethod = {{"Cache-Control", "no-store"}};
  return {std::move(folder)};
}

GitEndpoint::Protocol GitEndpoint::protocolOf(const HttpRequest &request) {
  const std::string_view field = request.field("git-protocol").value_or("");
  if (field.find("version=2") != std::string_view::npos) return Protocol::Version2;
  if (field.find("version=1") != std::string_view::npos) return Protocol::Version1;
  return Protocol::Version0;
}

void GitEndpoint::handle(const Exchange &exchange, const PrincipalPointer & /*caller*/) {
  const HttpRequest &asked = exchange->request();
  constexpr std::string_view writing = "git-receive-pack";
  const std::string_view service = parameterOf(asked.query, "service");
  if (!asked.path.starts_with(repositoryFolder))
    return answerText(*exchange, 404,
                      "the repository is at " +
                          std::string(repositoryFolder.substr(0, repositoryFolder.size() - 1)) +
                          "\n");
  const std::string_view file = asked.path.substr(repositoryFolder.size());
  if (file == writing || service == writing)
    return answerText(*exchange, 403,
                      "this repository is read-only: change the skills in the source that they "
                      "come from\n");
  const bool isPost = asked.method == "POST";
  if (!isPost && file == "info/refs" && service == "git-upload-pack")
    return admit(exchange, [this, exchange](const PrincipalPointer &caller) {
      sendCapabilities(exchange, caller);
    });
  if (isPost && file == "git-upload-pack")
    return admit(exchange, [this, exchange](const PrincipalPointer &caller) {
      exchange->takeCodedBody(); // git packs long requests
      exchange->readBody([this, exchange, caller] { answerBody(exchange, caller); }, maxBody);
    });
  answerText(*exchange, file == "info/refs" && !isPost ? 403 : 404,
             "this repository needs git 1.6.6 or later, which speaks the smart HTTP protocol: git "
             "clone URL, where the path of the URL is /git/skills.git\n");
}

void GitEndpoint::admit(const Exchange &exchange,
                        std::function<void(const PrincipalPointer &)> onAdmitted) {
  mcp_.admit(std::make_shared<PasswordExchange>(exchange), Permission::Read,
             [this, onAdmitted = std::move(onAdmitted)](const PrincipalPointer &caller) {
               // This is called at once, except while the first catalogue is being made.
               library_.whenReady([onAdmitted, caller] { onAdmitted(caller); });
             });
}

View GitEndpoint::viewOf(const PrincipalPointer &caller) const {
  const auto whole = library_.catalogue();
  const Visibility::Key key = access_.visibility().keyOf(caller.get());
  View view;
  view.catalogue = Visibility::view(whole, key);
  view.key = std::to_string(whole->generation()) + '\n' + key.text();
  view.mark = key.mark();
  return view;
}

void GitEndpoint::refuse(const Exchange &exchange, const Failure &why) {
  // The answer waits for the next catalogue, so that the client's next try does not meet this one.
  if (why.fault == Fault::Stale)
    return library_.reload([exchange] {
      answerText(*exchange, 503, "the skills change just now: run the command again\n",
                 {{"Retry-After", "2"}});
    });
  if (why.fault == Fault::RateLimited || why.fault == Fault::Cancelled)
    return answerText(*exchange, 503, why.message + "\n", {{"Retry-After", "2"}});
  log::warning("server", "the git repository cannot be sent: " + why.message);
  answerText(*exchange, 503, "the repository cannot be read now\n", {{"Retry-After", "5"}});
}

void GitEndpoint::makeSnapshot(const PrincipalPointer &caller, OnSnapshot onMade, int tries) {
  snapshots_->make(viewOf(caller), [this, caller, onMade = std::move(onMade),
                                    tries](const Result<SnapshotPointer> &made) {
    if (made || made.failure().fault != Fault::Stale || tries == 1) return onMade(made);
    library_.reload([this, caller, onMade, tries] { makeSnapshot(caller, onMade, tries - 1); });
  });
}

void GitEndpoint::sendCapabilities(const Exchange &exchange, const PrincipalPointer &caller) {
  const Protocol protocol = protocolOf(exchange->request());
  std::string out;
  if (protocol == Protocol::Version2) {
    for (const std::string_view line : {"version 2\n", "agent=skillhost\n", "ls-refs\n",
                                        "fetch=shallow\n", "object-format=sha1\n"})
      appendPacket(out, line);
    return answerGit(*exchange, advertisementType, Fragments(std::move(out += flushPacket)));
  }
  appendPacket(out, "# service=git-upload-pack\n");
  out += flushPacket;
  if (protocol == Protocol::Version1) appendPacket(out, "version 1\n");
  const auto send = [this, exchange,
                     out = std::move(out)](const Result<SnapshotPointer> &snapshot) mutable {
    if (!snapshot) return refuse(exchange, snapshot.failure());
    const std::string id = hexOf((*snapshot)->commit.id);
    appendPacket(out, id + " HEAD" + '\0' +
                          "multi_ack_detailed side-band-64k thin-pack shallow no-progress "
                          "symref=HEAD:" +
                          std::string(branch) + " object-format=sha1 agent=skillhost\n");
    appendPacket(out, id + ' ' + std::string(branch) + '\n');
    answerGit(*exchange, advertisementType, Fragments(std::move(out += flushPacket)));
  };
  makeSnapshot(caller, send, maxTries);
}

void GitEndpoint::answerBody(const Exchange &exchange, const PrincipalPointer &caller) {
  const HttpRequest &asked = exchange->request();
  if (asked.field("content-type").value_or("") != requestType)
    return answerText(*exchange, 415,
                      "the Content-Type must be " + std::string(requestType) + "\n");
  const std::string_view coding = asked.field("content-encoding").value_or("identity");
  std::string unpacked;
  std::string_view body = asked.body;
  if (coding == "gzip" || coding == "x-gzip") {
    Result<std::string> plain = gunzip(body, maxBody);
    if (!plain)
      return answerText(*exchange, plain.failure().fault == Fault::TooLarge ? 413 : 400,
                        plain.failure().message + "\n");
    unpacked = *std::move(plain);
    body = unpacked;
  } else if (coding != "identity") {
    return answerText(*exchange, 415, "the Content-Encoding must be gzip, or none\n");
  }
  const auto transfer = std::make_shared<Transfer>(Transfer{exchange, {}});
  transfer->isVersion2 = protocolOf(asked) == Protocol::Version2;
  if (!transfer->isVersion2) {
    Result<Fetch> fetch = readFetch(body);
    if (!fetch) return answerText(*exchange, 400, fetch.failure().message + "\n");
    if (fetch->wants.empty()) return answerGit(*exchange, resultType, {});
    transfer->fetch = *std::move(fetch);
    return answerFetch(transfer, caller);
  }
  auto command = readCommand(body);
  if (!command) return answerText(*exchange, 400, command.failure().message + "\n");
  if (const auto *list = std::get_if<ListRefs>(&*command))
    return answerListRefs(exchange, *list, caller);
  transfer->fetch = std::get<Fetch>(*std::move(command));
  answerFetch(transfer, caller);
}

void GitEndpoint::answerListRefs(const Exchange &exchange, const ListRefs &list,
                                 const PrincipalPointer &caller) {
  const auto send = [this, exchange, list](const Result<SnapshotPointer> &snapshot) {
    if (!snapshot) return refuse(exchange, snapshot.failure());
    const std::string id = hexOf((*snapshot)->commit.id);
    const auto isWanted = [&](std::string_view ref) {
      return list.prefixes.empty() ||
             std::any_of(list.prefixes.begin(), list.prefixes.end(),
                         [&](const std::string &prefix) { return ref.starts_with(prefix); });
    };
    std::string out;
    if (isWanted("HEAD"))
      appendPacket(out, id + " HEAD" +
                            (list.symrefs ? " symref-target:" + std::string(branch) : "") + '\n');
    if (isWanted(branch)) appendPacket(out, id + ' ' + std::string(branch) + '\n');
    answerGit(*exchange, resultType, Fragments(std::move(out += flushPacket)));
  };
  makeSnapshot(caller, send, maxTries);
}

void GitEndpoint::answerFetch(const TransferPointer &transfer, const PrincipalPointer &caller) {
  transfer->exchange->whenGone([gone = transfer->gone] { *gone = true; });
  const std::string mark = viewOf(caller).mark;
  if (const SnapshotPointer offered = snapshots_->offered(mark, transfer->fetch.wants.front()))
    return answerFetchOf(transfer, offered, mark);
  const auto send = [this, transfer, mark](const Result<SnapshotPointer> &made) {
    if (!made) return refuse(transfer->exchange, made.failure());
    answerFetchOf(transfer, *made, mark);
  };
  makeSnapshot(caller, send, maxTries);
}

void GitEndpoint::answerFetchOf(const TransferPointer &transfer, const SnapshotPointer &snapshot,
                                const std::string &mark) {
  HttpExchange &exchange = *transfer->exchange;
  for (const ObjectId &wanted : transfer->fetch.wants)
    if (wanted != snapshot->commit.id)
      return answerGit(
          exchange, resultType,
          Fragments(errorPacket("only the latest commit can be fetched, and it is "
                                "not " +
                                hexOf(wanted) + " (any more): run the command again")));
  std::vector<SnapshotPointer> haves;
  std::vector<ObjectId> common;
  ObjectIds asked;
  for (const Fetch::Step &step : transfer->fetch.steps) {
    if (!step.have || !asked.insert(*step.have).second) continue;
    SnapshotPointer known = snapshots_->known(mark, *step.have);
    if (!known) continue;
    common.push_back(*step.have);
    haves.push_back(std::move(known));
  }
  if (!agree(*transfer, common))
    return answerGit(exchange, resultType, Fragments(std::move(transfer->head)));
  sendPack(transfer, snapshot, std::move(haves));
}

bool GitEndpoint::agree(Transfer &transfer, const std::vector<ObjectId> &common) {
  std::string &head = transfer.head;
  const Fetch &fetch = transfer.fetch;
  if (transfer.isVersion2) {
    if (!fetch.done) {
      appendPacket(head, "acknowledgments\n");
      for (const ObjectId &id : common) appendPacket(head, "ACK " + hexOf(id) + '\n');
      appendPacket(head, common.empty() ? "NAK\n" : "ready\n");
      head += common.empty() ? flushPacket : delimiterPacket;
      if (common.empty()) return false;
    }
    appendPacket(head, "packfile\n");
    return true;
  }
  // No commit has a parent, so none is shallow.
  if (fetch.deepens) head += flushPacket;
  ObjectIds unacknowledged(common.begin(), common.end());
  const ObjectId *last = nullptr;
  for (const Fetch::Step &step : fetch.steps) {
    if (!step.have) { // a flush packet
      if (last != nullptr && fetch.detailedAcks)
        appendPacket(head, "ACK " + hexOf(*last) + " ready\n");
      if (last == nullptr || fetch.detailedAcks) appendPacket(head, "NAK\n");
    } else if (unacknowledged.erase(*step.have) != 0) {
      if (fetch.detailedAcks)
        appendPacket(head, "ACK " + hexOf(*step.have) + " common\n");
      else if (last == nullptr)
        appendPacket(head, "ACK " + hexOf(*step.have) + '\n');
      last = &*step.have;
    }
  }
  if (!fetch.done) return false;
  if (last == nullptr)
    appendPacket(head, "NAK\n");
  else if (fetch.detailedAcks)
    appendPacket(head, "ACK " + hexOf(*last) + '\n');
  return true;
}

void GitEndpoint::sendPack(const TransferPointer &transfer, const SnapshotPointer &snapshot,
                           std::vector<SnapshotPointer> haves) {
  const Fetch &fetch = transfer->fetch;
  const bool isUpdate = std::any_of(fetch.steps.begin(), fetch.steps.end(), [&](const auto &step) {
    return step.have && *step.have != snapshot->commit.id;
  });
  if (isUpdate && fetch.sideBand && !fetch.noProgress) appendAdvice(transfer->head);
  WantedPack wanted{snapshot, std::move(haves), fetch.takesDeltas,
                    [gone = transfer->gone] { return gone->load(); }};
  packs_->make(std::move(wanted), [this, transfer](const Result<PackPointer> &pack) {
    if (!pack) return refuse(transfer->exchange, pack.failure());
    answerGit(*transfer->exchange, resultType,
              framed(std::move(transfer->head), *pack, transfer->fetch.sideBand));
  });
}

} // namespace skillhost::git

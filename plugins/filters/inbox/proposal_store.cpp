// SPDX-License-Identifier: Apache-2.0
// A proposal is a folder ID with proposal.json (the record) and .files (the proposed files). It is
// made as draft-ID and renamed. An approval exchanges ID/.next, a copy of the files, with the
// folder of the skill by one system call, and ID/.next then becomes ID/.before. The dot keeps a
// source from serving these folders if its directory happens to contain the inbox.
#include "inbox/proposal_store.hpp"

#include "base/log.hpp"
#include "content_folder.hpp"
#include "ground/folder.hpp"
#include "ground/random.hpp"
#include "ground/read_file.hpp"
#include "ground/replace_file.hpp"
#include "ground/shown.hpp"
#include "ground/trusted_path.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ranges>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace skillhost::inbox {
namespace {

constexpr const char *lockName = ".lock", *recordName = "proposal.json",
                     *nextRecordName = ".proposal.json", *filesName = ".files", *nextName = ".next",
                     *beforeName = ".before";
constexpr std::string_view draftPrefix = "draft-";
constexpr std::size_t maxRecordBytes = 1U << 20U;

// Clients that receive log messages need not learn of proposals of others.
void logProblem(const std::string &text) {
  log::write(LogLevel::Warning, "inbox", text, {}, log::Audience::Log);
}

Failure inInbox(const Failure &failure) { return {failure.fault, "the inbox: " + failure.message}; }

Result<Descriptor> openFolder(int parent, const std::string &name) {
  Descriptor folder(::openat(parent, name.c_str(), asFolder));
  if (!folder) return failedNow(name);
  return folder;
}

Result<Proposal> readRecord(int own) {
  const Descriptor file(::openat(own, recordName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) return failedNow(recordName);
  const Result<std::string> text = readDescriptor(file.number(), maxRecordBytes);
  if (!text) return text.failure();
  return proposalFrom(*text);
}

// Writes the record of a decision beside the present one, so that the disk has room for it before
// the decision takes effect.
Status prepareRecord(int own, const Proposal &proposal) {
  return writeFileBeside(own, nextRecordName, recordOf(proposal), Flush::Now);
}

Status useRecord(int own) {
  if (::renameat(own, nextRecordName, own, recordName) != 0 || ::fsync(own) != 0)
    return failedNow(recordName);
  return Done{};
}

// No skill has this base. It stands for a skill that the proposer does not see and that could not
// be read.
constexpr const char *unknownBase = "unknown";

// Names the folders that an approval would take away with the skill, although the proposal has
// nothing to say about them. Returns "" if there are none.
std::string whyNotReplaced(const std::string &name, const FolderContent &there) {
  const auto listed = [](const std::vector<std::string> &paths) {
    constexpr std::size_t most = 10;
    std::string list;
    for (std::size_t i = 0; i < std::min(most, paths.size()); ++i)
      list += (i == 0 ? "" : ", ") + shownLine(paths[i]);
    return paths.size() > most ? list + " and others" : list;
  };
  if (!there.skills.empty())
    return "in the folder " + name +
           " are skills of their own, which an approval would remove: " + listed(there.skills) +
           ": move them out of it first";
  if (!there.dotFolders.empty())
    return "in the folder " + name +
           " are hidden folders, which an approval would remove: " + listed(there.dotFolders) +
           ": move them out of it first";
  return {};
}

std::int64_t lastMomentOf(const Proposal &proposal) {
  return std::max(proposal.when, proposal.decided);
}

} // namespace

// Whoever holds this may change the folder, and finds no draft of another process that still runs.
struct ProposalStore::Locked {
  Descriptor folder, skills, lock;
  std::string path; // of the folder

  Result<Proposal> record(const std::string &id) const {
    const Result<Descriptor> own = openFolder(folder.number(), id);
    if (!own) return damaged(id, own.failure());
    return record(id, own->number());
  }
  Result<Proposal> record(const std::string &id, int own) const {
    Result<Proposal> read = readRecord(own);
    if (read && read->id != id)
      read = Failure{Fault::Corrupt, "it is the record of the proposal " + read->id};
    if (!read) return damaged(id, read.failure());
    return read;
  }
  Failure damaged(const std::string &id, const Failure &why) const {
    return {why.fault, "the proposal " + id + " cannot be read from " + path + '/' + id + '/' +
                           recordName + ": " + why.message +
                           ": restore that file, or delete the folder " + path + '/' + id};
  }
  Failure changedFiles(const std::string &id) const {
    return {Fault::Corrupt, "the files of the proposal " + id +
                                " were changed in the inbox: " + "restore " + path + '/' + id +
                                '/' + filesName + ", or reject the proposal"};
  }

  Status remove(const std::string &id) const {
    // The rename makes it vanish as a whole.
    const std::string draft = std::string(draftPrefix) + id;
    if (::renameat(folder.number(), id.c_str(), folder.number(), draft.c_str()) != 0)
      return failedNow(id);
    return removeAll(folder.number(), draft);
  }

  // Removes drafts of killed processes.
  Result<ProposalList> all() const {
    std::error_code error;
    const std::vector<std::string> names = namesIn(folder.number(), error);
    if (error) return {Fault::OperationFailed, error.message()};
    ProposalList list;
    for (const std::string &name : names) {
      if (name.starts_with(draftPrefix)) {
        if (const Status removed = removeAll(folder.number(), name); !removed)
          logProblem(removed.failure().message);
        continue;
      }
      if (!isProposalId(name)) continue;
      Result<Proposal> proposal = record(name);
      if (!proposal) {
        list.unreadable.push_back({name, proposal.failure().message});
        logProblem(proposal.failure().message);
        continue;
      }
      proposal->findings = Json::array();
      list.proposals.push_back(*std::move(proposal));
    }
    std::sort(list.proposals.begin(), list.proposals.end(),
              [](const Proposal &a, const Proposal &b) {
                return a.when != b.when ? a.when > b.when : a.id < b.id;
              });
    return list;
  }

  // Removes old proposals, and returns the others.
  Result<ProposalList> current(std::int64_t now, std::int64_t keepSeconds) const {
    Result<ProposalList> list = all();
    if (!list) return list;
    for (const Proposal &one : list->proposals)
      if (lastMomentOf(one) + keepSeconds < now)
        if (const Status removed = remove(one.id); !removed) logProblem(removed.failure().message);
    std::erase_if(list->proposals,
                  [&](const Proposal &one) { return lastMomentOf(one) + keepSeconds < now; });
    return list;
  }
};

Status ProposalStore::prepare() const {
  if (::mkdir(settings_.folder.c_str(), 0700) != 0 && errno != EEXIST)
    return failedNow(settings_.folder);
  if (const Status trusted = checkTrusted(settings_.folder); !trusted) return trusted;
  return Done{};
}

Result<ProposalStore::Locked> ProposalStore::lock() const {
  constexpr std::chrono::seconds patience{10};
  constexpr std::chrono::milliseconds pause{10};
  if (const Status prepared = prepare(); !prepared) return prepared.failure();
  Locked locked;
  locked.path = settings_.folder;
  locked.folder = Descriptor(::open(settings_.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!locked.folder) return failedNow(settings_.folder);
  locked.skills = Descriptor(::open(settings_.skills.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!locked.skills) return failedNow(settings_.skills);
  locked.lock = Descriptor(
      ::openat(locked.folder.number(), lockName, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!locked.lock) return failedNow(lockName);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (::flock(locked.lock.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return failedNow(lockName);
    if (std::chrono::steady_clock::now() > end)
      return {Fault::Unavailable, "another process is using the inbox"};
    std::this_thread::sleep_for(pause); // flock(2) has no form with a deadline
  }
  return locked;
}

Result<Proposal> ProposalStore::submit(Submission submission, std::int64_t now,
                                       bool mayCompare) const {
  const Result<Locked> locked = lock();
  if (!locked) return locked.failure();
  const int folder = locked->folder.number();
  const Result<ProposalList> list = locked->current(now, settings_.keepSeconds);
  if (!list) return inInbox(list.failure());
  const std::vector<Proposal> &all = list->proposals;
  const auto isOwn = [&](const Proposal &one) {
    return one.state == State::Pending && one.proposer == submission.proposer;
  };
  const auto isReplaced = [&](const Proposal &one) {
    return isOwn(one) && one.name == submission.name;
  };
  std::size_t pending = 0, own = 0;
  for (const Proposal &one : all) {
    if (isReplaced(one)) continue;
    pending += one.state == State::Pending ? 1 : 0;
    own += isOwn(one) ? 1 : 0;
  }
  if (own >= settings_.pendingPerProposer)
    return {Fault::RateLimited, "you have " + std::to_string(own) +
                                    " proposals that wait for a reviewer, and may have no more"};
  if (pending >= settings_.pending)
    return {Fault::RateLimited, std::to_string(pending) +
                                    " proposals wait for a reviewer, and the inbox takes no more"};
  const Result<std::optional<FolderContent>> there =
      readContent(locked->skills.number(), submission.name);
  if (!there && mayCompare) {
    const Failure &why = there.failure();
    if (why.fault == Fault::Conflict || why.fault == Fault::TooLarge)
      return {why.fault == Fault::Conflict ? Fault::Conflict : Fault::OperationFailed,
              "the skill of this name cannot be compared: " + why.message};
    // The reason names a file, which the proposer may not see.
    logProblem("the skill " + submission.name + " cannot be read: " + why.message);
    return {Fault::OperationFailed, "the skill of this name cannot be read by the server"};
  }

  Proposal proposal;
  proposal.id = randomHex(16);
  proposal.name = submission.name;
  proposal.note = std::move(submission.note);
  proposal.proposer = submission.proposer;
  proposal.client = std::move(submission.client);
  proposal.when = now;
  proposal.digest = digestOf(submission.files);
  if (!there)
    proposal.base = unknownBase;
  else if (*there)
    proposal.base = digestOf((*there)->files);
  proposal.sawSkill = mayCompare && !proposal.base.empty();
  proposal.files = submission.files.size();
  for (const auto &[path, file] : submission.files) proposal.bytes += file.bytes.size();
  proposal.findings = std::move(submission.findings);
  proposal.findingCount = proposal.findings.size();
  if (mayCompare && proposal.base == proposal.digest)
    return {Fault::AlreadyExists, "the skill " + proposal.name + " has exactly these files"};

  const std::string draft = std::string(draftPrefix) + proposal.id;
  const auto write = [&]() -> Status {
    if (::mkdirat(folder, draft.c_str(), 0700) != 0) return failedNow(draft);
    const Result<Descriptor> made = openFolder(folder, draft);
    if (!made) return made.failure();
    if (Status files = writeContent(made->number(), filesName, submission.files, Readers::Owner);
        !files)
      return files;
    if (Status record = writeFileBeside(made->number(), recordName, recordOf(proposal), Flush::Now);
        !record)
      return record;
    if (::renameat(folder, draft.c_str(), folder, proposal.id.c_str()) != 0 || ::fsync(folder) != 0)
      return failedNow(draft);
    return Done{};
  };
  if (const Status written = write(); !written) {
    (void)removeAll(folder, draft); // on failure the next call removes it
    return inInbox(written.failure());
  }
  // The oldest decided proposals make room.
  std::size_t kept = all.size() + 1;
  for (const Proposal &one : std::views::reverse(all)) {
    const bool makesRoom = kept > settings_.kept && one.state != State::Pending;
    if (!makesRoom && !isReplaced(one)) continue;
    --kept;
    if (const Status removed = locked->remove(one.id); !removed)
      logProblem(removed.failure().message);
  }
  return proposal;
}

Result<ProposalList> ProposalStore::list(std::int64_t now) const {
  const Result<Locked> locked = lock();
  if (!locked) return locked.failure();
  return locked->current(now, settings_.keepSeconds);
}

Result<ProposalContent> ProposalStore::find(const std::string &id) const {
  const Failure unknown{Fault::NotFound, "there is no proposal " + id.substr(0, 64)};
  if (!isProposalId(id)) return unknown;
  const Result<Locked> locked = lock();
  if (!locked) return locked.failure();
  const Result<Descriptor> own = openFolder(locked->folder.number(), id);
  if (!own) return unknown;
  Result<Proposal> proposal = locked->record(id, own->number());
  if (!proposal) return proposal.failure();
  Result<std::optional<FolderContent>> files = readContent(own->number(), filesName);
  if (!files) return inInbox(files.failure());
  if (!*files || digestOf((*files)->files) != proposal->digest) return locked->changedFiles(id);
  const bool isApproved = proposal->state == State::Approved;
  Result<std::optional<FolderContent>> before =
      isApproved ? readContent(own->number(), beforeName)
                 : readContent(locked->skills.number(), proposal->name);
  ProposalContent found;
  found.proposal = *std::move(proposal);
  found.files = std::move((*files)->files);
  const bool isPending = found.proposal.state == State::Pending;
  if (!before) {
    found.isUnreadable = true;
    found.obstacle = "what is there cannot be compared: " + before.failure().message;
    return found;
  }
  if (*before) {
    if (isPending) found.obstacle = whyNotReplaced(found.proposal.name, **before);
    found.before = std::move((*before)->files);
    found.base = digestOf(*found.before);
  }
  found.isOutdated = isPending && found.proposal.base != found.base;
  return found;
}

Result<Proposal> ProposalStore::decide(const DecisionOnProposal &decision, std::int64_t now) const {
  const Failure unknown{Fault::NotFound, "there is no proposal " + decision.id.substr(0, 64)};
  if (!isProposalId(decision.id)) return unknown;
  const Result<Locked> locked = lock();
  if (!locked) return locked.failure();
  const Result<Descriptor> own = openFolder(locked->folder.number(), decision.id);
  if (!own) return unknown;
  Result<Proposal> read = locked->record(decision.id, own->number());
  if (!read) return read.failure();
  Proposal proposal = *std::move(read);
  if (proposal.state != State::Pending)
    return {Fault::Conflict, nameOf(proposal.reviewer) + " has decided on it: it is " +
                                 std::string(nameOf(proposal.state))};
  if (decision.byAnother && decision.approve && decision.reviewer == proposal.proposer)
    return {Fault::Denied, "you have proposed it, so another reviewer has to approve it"};
  if (decision.digest.value_or(proposal.digest) != proposal.digest)
    return {Fault::Conflict, "the proposal has the digest " + proposal.digest +
                                 ", and not the one that you name: show it, and decide then"};
  proposal.state = decision.approve ? State::Approved : State::Rejected;
  proposal.reviewer = decision.reviewer;
  proposal.reason = decision.reason;
  proposal.decided = now;
  if (Status prepared = prepareRecord(own->number(), proposal); !prepared)
    return inInbox(prepared.failure());
  const Result<std::optional<FolderContent>> there =
      readContent(locked->skills.number(), proposal.name);
  const std::string digest = there && *there ? digestOf((*there)->files) : "";
  // A process was killed after it had put the files in place, and before the record said so.
  const bool isInPlace = digest == proposal.digest && digest != proposal.base;
  if (!decision.approve && isInPlace)
    return {Fault::Conflict, "the skill " + proposal.name +
                                 " already has these files, because an approval was interrupted: "
                                 "approve the proposal, or put the skill back by hand first"};
  if (decision.approve) {
    if (!there) return there.failure();
    const Result<std::optional<FolderContent>> files = readContent(own->number(), filesName);
    if (!files) return inInbox(files.failure());
    if (!*files || digestOf((*files)->files) != proposal.digest)
      return locked->changedFiles(decision.id);
    if (decision.base.value_or(digest) != digest)
      return {Fault::Conflict, "the skill " + proposal.name +
                                   " has changed since the proposal was shown: show it again, and "
                                   "decide then"};
    if (!isInPlace) {
      const std::string why = *there ? whyNotReplaced(proposal.name, **there) : "";
      if (!why.empty()) return {Fault::Conflict, why};
      if (digest != proposal.base && !decision.evenIfChanged)
        return {Fault::Conflict, "the skill " + proposal.name +
                                     " has changed since the proposal: look at the difference, and "
                                     "then approve it with even_if_changed, or reject it"};
      if (Status put = putInPlace(*locked, own->number(), proposal.name, (*files)->files,
                                  there->has_value());
          !put)
        return put.failure();
    }
    // It does not exist if there was no skill before.
    if (::renameat(own->number(), nextName, own->number(), beforeName) != 0 && errno != ENOENT)
      logProblem(failedNow(beforeName).message);
  }
  if (const Status used = useRecord(own->number()); !used) return inInbox(used.failure());
  return proposal;
}

Status ProposalStore::putInPlace(const Locked &locked, int own, const std::string &name,
                                 const Files &files, bool isThere) const {
  // Remains of an approval that was interrupted before the exchange.
  if (Status removed = removeAll(own, nextName); !removed) return inInbox(removed.failure());
  if (const Status written = writeContent(own, nextName, files, Readers::Everybody); !written) {
    (void)removeAll(own, nextName);
    return inInbox(written.failure());
  }
  const int skills = locked.skills.number();
  if (::renameat2(own, nextName, skills, name.c_str(),
                  isThere ? RENAME_EXCHANGE : RENAME_NOREPLACE) != 0) {
    const int error = errno;
    (void)removeAll(own, nextName);
    if (error == EXDEV)
      return Failure{Fault::OperationFailed, settings_.folder + " and " + settings_.skills +
                                                 " must be on one file system, so that a skill is "
                                                 "replaced as a whole"};
    if (error == EEXIST || error == ENOENT)
      return Failure{Fault::Conflict, "the skill " + name + " changes at this moment"};
    errno = error;
    return failedNow(settings_.skills + '/' + name);
  }
  if (::fsync(skills) != 0) return failedNow(settings_.skills);
  return Done{};
}

} // namespace skillhost::inbox

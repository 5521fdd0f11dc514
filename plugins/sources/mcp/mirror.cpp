// SPDX-License-Identifier: Apache-2.0
#include "mirror.hpp"

#include "entries.hpp"
#include "ground/json_member.hpp"
#include "ground/sha256.hpp"
#include "ground/time_reading.hpp"
#include "http_channel.hpp"
#include "http_client/signal_guard.hpp"
#include "mcp_client/greeting.hpp"
#include "mcp_client/listing.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace skillhost::mcp_source {
namespace {

constexpr int maxPasses = 2; // of one refresh
constexpr std::size_t filesAtOnce = 16;
constexpr std::uint64_t maxBytesAtOnce = std::uint64_t{16} << 20U; // of several files
constexpr std::size_t maxFactBytes = 200;

std::string factIn(const Json &object, const char *name) {
  return shownWords(memberText(object, name).substr(0, maxFactBytes));
}

bool hasEqualFiles(const StoredSkill &a, const StoredSkill &b) {
  return std::equal(a.documents.begin(), a.documents.end(), b.documents.begin(), b.documents.end(),
                    [](const StoredDocument &one, const StoredDocument &other) {
                      return one.path == other.path && one.revision == other.revision;
                    });
}

// Returns what a server without the extension has in its place; "" if nothing looks like skills.
std::string lookalikeIn(GreetedServer &server) {
  if (!memberOf(server.capabilities, "resources").is_object()) return {};
  const Result<Conversation::Reply> page =
      server.conversation.ask("resources/list", server.params, Deadline::never());
  if (!page || page->refusal) return {};
  const Json &resources = memberOf(page->result, "resources");
  if (!resources.is_array()) return {};
  for (const Json &one : resources)
    if (const std::string_view uri = memberText(one, "uri"); uri.starts_with("skill://"))
      return "; it lists the resource " + shownWords(uri) +
             ", but this source does not read skills in that form";
  return {};
}

} // namespace

// A pass reads the list and what is missing. A session that ends, a token that is not accepted,
// or a skill that changed after it was listed, makes another pass necessary.
struct Mirror::RefreshState {
  RefreshState(Mirror &mirror, remote::Operation &operation, bool isLastPass)
      : isLast(isLastPass), connection(mirror.upstream_->connect(operation)),
        server(connection->server()), channel(connection->channel()),
        facts{factIn(server.serverInfo, "name"), factIn(server.serverInfo, "version"),
              server.protocol} {
    if (const Status has = requireSkillsExtension(server.capabilities); !has)
      throw remote::RemoteError(has.failure().message + lookalikeIn(server));
  }

  // A file to fetch of one of `skills`.
  struct Wanted {
    std::size_t skill = 0;
    const StoredDocument *document = nullptr;
  };

  const bool isLast;
  const std::unique_ptr<Connection> connection;
  GreetedServer &server;
  SourceChannel &channel;
  const ServerFacts facts;
  std::vector<StoredSkill> skills;        // listed ones
  std::vector<SkillPointer> kept;         // unlisted ones that stay
  std::vector<Wanted> wanted;             // in the order of fetching
  std::set<const StoredDocument *> asked; // so far
  struct Wrong {
    std::string why;
    bool isChange = false; // its bytes differ from the digest in the list
  };
  std::map<std::size_t, Wrong> wrong; // by skill
  std::set<std::string> failedBefore; // ids of skills that failed in the last refresh
  // Bytes differ from the digest in the list, probably because the skill has changed since then.
  bool needsAnotherPass = false;
  std::size_t fetched = 0; // files
};

Mirror::Mirror(skh::Host host, const Settings &settings, History &history)
    : SnapshotMirror(host, history), settings_(settings),
      agent_(std::string(host.name()) + "/" + std::string(host.version())),
      credential_(settings, agent_), folder_(host), findings_(host) {
  if (settings.command.empty()) {
    upstream_ =
        std::make_unique<HttpUpstream>(settings, agent_, std::string(host.version()), credential_);
  } else {
    auto program = std::make_unique<ProgramUpstream>(host, settings);
    program_ = program.get();
    upstream_ = std::move(program);
  }
  state_.url = settings.identity;
}

bool Mirror::isComplete(const StoredSkill &skill) const {
  return std::all_of(
      skill.documents.begin(), skill.documents.end(),
      [&](const StoredDocument &document) { return folder_.has(document.revision); });
}

void Mirror::load() {
  std::optional<State> known = readState(folder_.state(), settings_.identity);
  if (!known) return;
  const std::size_t all = known->skills.size();
  std::erase_if(known->skills, [&](const SkillPointer &skill) {
    return !settings_.selection.takes(skill->id) || !isComplete(*skill);
  });
  if (known->skills.empty() && all != 0) return;
  state_ = *std::move(known);
  ready_ = makeSnapshot(state_.skills, settings_.shownServer, state_.facts);
  host_.log(SKH_INFO, settings_.shownServer + ": " + serving() + " from the cache");
}

std::string Mirror::serving() const {
  const std::size_t count = state_.skills.size();
  return std::to_string(count) + (count == 1 ? " skill" : " skills");
}

void Mirror::refresh(remote::Operation &operation, const std::function<void()> &publishNow) {
  const web::SignalGuard guard; // the server may close the connection
  Reasons failed;
  for (int pass = 1;; ++pass) {
    const bool isLast = pass == maxPasses;
    try {
      if (refreshOnce(operation, isLast, failed)) return;
    } catch (const SessionEnded &) {
      if (isLast) throw;
    } catch (const TokenRefused &) {
      if (isLast) throw;
    }
    publishNow();
  }
}

// Returns false if another pass is needed.
bool Mirror::refreshOnce(remote::Operation &operation, bool isLast, Reasons &failed) {
  RefreshState state(*this, operation, isLast);
  readList(state);
  state.failedBefore = std::exchange(failedBefore_, {});
  for (std::size_t i = 0; i < state.skills.size(); ++i)
    if (const auto known = failed.find(state.skills[i].id); known != failed.end())
      state.wrong[i] = {known->second, false};
  try {
    while (plan(state)) fetch(state);
  } catch (const skh::Error &error) {
    if (error.status() != SKH_CANCELLED) finishAfterFailure(state);
    throw;
  }
  for (const auto &[skill, wrong] : state.wrong)
    if (!wrong.isChange) failed[state.skills[skill].id] = wrong.why;
  finish(state);
  state.connection->succeed();
  return !state.needsAnotherPass;
}

void Mirror::readList(RefreshState &state) {
  ListingRequest request{"skills/list", "skills", "uri", state.server.params};
  request.mostEntries = settings_.limits.maxSkills;
  Result<Listing> listing = readListing(state.server.conversation, request, Deadline::never());
  if (!listing) throw remote::RemoteError(listing.failure().message);
  if (listing->entries.empty() && !listing->remarks.empty())
    throw remote::RemoteError(listing->remarks.front());
  const auto tell = [&](const std::string &words) {
    findings_.warn(settings_.shownServer + ": " + words);
  };
  for (const std::string &remark : listing->remarks) tell(remark);
  for (const std::string &words : state.channel.takeWarnings()) tell(words);
  if (listing->isCut)
    tell("it lists more than " + std::to_string(settings_.limits.maxSkills) +
         " skills, and those beyond are left out (max_skills)");
  Entries entries = readEntries(listing->entries, settings_);
  for (const std::string &finding : entries.findings) tell(finding);
  state.skills = std::move(entries.skills);
  for (const Json &meta : listing->metas) {
    const MissingSkills missing = readMissingSkills(meta);
    for (const MissingSkills::Skill &skill : missing.skills) tell(skill.name + ": " + skill.why);
    if (!missing.why.empty()) tell(missing.why);
    keepUnlisted(state, missing);
  }
}

// Keeps skills that are not in the list because the server cannot read them now.
void Mirror::keepUnlisted(RefreshState &state, const MissingSkills &missing) {
  const SnapshotPointer before = history_.newest();
  if (!before) return;
  const auto isMissing = [&](const StoredSkill &old) {
    return !missing.why.empty() ||
           std::any_of(missing.skills.begin(), missing.skills.end(),
                       [&](const auto &one) { return one.uri == old.folder; }) ||
           std::any_of(missing.folders.begin(), missing.folders.end(),
                       [&](const auto &folder) { return old.folder.starts_with(folder); });
  };
  std::set<std::string> taken;
  for (const StoredSkill &skill : state.skills) taken.insert(skill.id);
  for (const SkillPointer &skill : state.kept) taken.insert(skill->id);
  for (const SkillPointer &old : before->skills)
    if (isMissing(*old) && settings_.selection.takes(old->id) && taken.insert(old->id).second)
      state.kept.push_back(old);
}

// Collects the files that are not in the cache, equal ones once. Returns false if there are none.
// Files of skills that failed in the last refresh come last, so that they do not take the time of
// all others. Skills that failed in this refresh are left alone, but a file that one of them did
// not give is asked for in the next skill that has it. Each file of a skill is asked for only once,
// so the rounds of plan() and fetch() end.
bool Mirror::plan(RefreshState &state) {
  state.wanted.clear();
  std::set<std::string> planned;
  for (const bool areLast : {false, true})
    for (std::size_t i = 0; i < state.skills.size(); ++i) {
      if (state.failedBefore.contains(state.skills[i].id) != areLast) continue;
      if (state.wrong.contains(i)) continue;
      for (const StoredDocument &document : state.skills[i].documents)
        if (!state.asked.contains(&document) && !folder_.has(document.revision) &&
            planned.insert(document.revision).second) {
          state.wanted.push_back({i, &document});
          state.asked.insert(&document);
        }
    }
  return !state.wanted.empty();
}

void Mirror::fetch(RefreshState &state) {
  for (std::size_t begin = 0; begin < state.wanted.size();) {
    std::size_t end = begin;
    std::uint64_t bytes = 0;
    do {
      bytes += state.wanted[end++].document->size;
    } while (end < state.wanted.size() && end - begin < filesAtOnce &&
             bytes + state.wanted[end].document->size <= maxBytesAtOnce);
    try {
      fetchBatch(state, begin, end);
    } catch (const skh::Error &) {
      for (std::size_t i = begin; i < end; ++i)
        failedBefore_.insert(state.skills[state.wanted[i].skill].id);
      throw;
    }
    begin = end;
  }
}

void Mirror::fetchBatch(RefreshState &state, std::size_t begin, std::size_t end) {
  std::vector<Json> params;
  std::uint64_t largest = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const StoredDocument &document = *state.wanted[i].document;
    Json one = state.server.params;
    one["uri"] = document.uri;
    params.push_back(std::move(one));
    largest = std::max(largest, document.size);
    state.server.conversation.allowMore(answerBytesFor(document.size));
  }
  state.channel.limitAnswers(answerBytesFor(largest));
  Result<std::vector<Conversation::Reply>> replies =
      state.server.conversation.askTogether("resources/read", params, Deadline::never());
  if (!replies && end - begin > 1) {
    // If one of the answers cannot be read, the others are read when they are asked for alone.
    for (std::size_t i = begin; i < end; ++i) fetchBatch(state, i, i + 1);
    return;
  }
  for (std::size_t i = begin; i < end; ++i)
    accept(state, i, replies ? contentIn((*replies)[i - begin]) : replies.failure());
}

void Mirror::accept(RefreshState &state, std::size_t which, const Result<std::string> &content) {
  const auto &[skill, document] = state.wanted[which];
  if (!content) {
    state.wrong.emplace(
        skill, RefreshState::Wrong{document->path + ": " + content.failure().message, false});
    return;
  }
  const std::string digest = sha256Hex(*content);
  if (content->size() == document->size && digest == document->revision) {
    folder_.put(digest, *content);
    ++state.fetched;
    return;
  }
  state.needsAnotherPass |= !state.isLast && !state.failedBefore.contains(state.skills[skill].id);
  state.wrong.emplace(
      skill, RefreshState::Wrong{document->path + ": its bytes have the digest sha256:" + digest +
                                     " and not that of the list, sha256:" + document->revision,
                                 true});
}

void Mirror::finish(RefreshState &state) {
  const SnapshotPointer before = history_.newest();
  std::vector<SkillPointer> skills = std::move(state.kept);
  for (std::size_t i = 0; i < state.skills.size(); ++i) {
    StoredSkill &skill = state.skills[i];
    const SkillPointer old = before ? before->find(skill.id) : nullptr;
    if (isComplete(skill)) {
      const bool hasOldFiles = old && hasEqualFiles(*old, skill);
      const bool isOld = hasOldFiles && old->uri == skill.uri && old->folder == skill.folder &&
                         old->through == skill.through;
      skill.fetched = hasOldFiles ? old->fetched : secondsNow();
      skills.push_back(isOld ? old : std::make_shared<const StoredSkill>(std::move(skill)));
      continue;
    }
    if (old) skills.push_back(old);
    const auto wrong = state.wrong.find(i);
    if (wrong == state.wrong.end()) continue; // the refresh has ended before
    failedBefore_.insert(skill.id);
    if (!state.needsAnotherPass || !wrong->second.isChange)
      findings_.warn(settings_.shownServer + ": skill " + skill.id +
                     (old ? " stays as it was: " : " left out: ") + wrong->second.why);
  }
  SnapshotPointer fresh = makeSnapshot(skills, settings_.shownServer, state.facts);
  // The facts of a snapshot stay: if another version of the server lists the same skills, the first
  // one counts.
  const bool isNew = !before || before->id != fresh->id;
  state_ = {settings_.identity, secondsNow(), std::move(skills),
            isNew ? state.facts : before->facts};
  if (state.fetched > 0) host_.count("fetches", static_cast<double>(state.fetched));
  if (isNew) {
    host_.log(SKH_INFO, settings_.shownServer + ": " + serving() + ", " +
                            std::to_string(state.fetched) + " files fetched");
    ready_ = std::move(fresh);
  }
  needsTidy_ = true;
  // Last, because a snapshot is served even if the disk refuses.
  folder_.putState(writeState(state_));
}

// Keeps what was fetched. The failure that ended the refresh is the one to tell.
void Mirror::finishAfterFailure(RefreshState &state) {
  try {
    finish(state);
  } catch (const skh::Error &error) {
    findings_.warn(settings_.shownServer + ": " + error.what());
  }
}

void Mirror::tidy(const remote::Checkpoint & /*checkpoint*/) {
  if (!std::exchange(needsTidy_, false)) return;
  std::set<std::string> kept;
  for (const SnapshotPointer &one : history_.all())
    for (const SkillPointer &skill : one->skills)
      for (const StoredDocument &document : skill->documents) kept.insert(document.revision);
  folder_.sweep(kept);
}

std::string Mirror::read(const StoredDocument &document, const std::string &name) {
  std::optional<std::string> bytes = folder_.get(document.revision, settings_.limits.maxSkillBytes);
  if (!bytes)
    throw skh::Error(SKH_UNAVAILABLE,
                     name + ": it is no longer whole in the cache, and is being fetched again");
  return *std::move(bytes);
}

} // namespace skillhost::mcp_source

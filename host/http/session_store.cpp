// SPDX-License-Identifier: Apache-2.0
// Opens, resumes and ends sessions by their ids.
#include "session_store.hpp"

#include "base/log.hpp"
#include "ground/bind_weak.hpp"
#include "ground/json_member.hpp"
#include "ground/random.hpp"
#include "settled_reply.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t replicaBytes = 8;

void warnUnreadable(const Failure &why) {
  log::warning("http", "the shared state of a session cannot be read: " + why.message);
}

std::size_t bytesOf(const std::map<std::string, SessionCopy::Unsaved> &unsaved) {
  constexpr std::size_t ofOne = 64;
  std::size_t bytes = 0;
  for (const auto &[subject, change] : unsaved) bytes += subject.size() + ofOne;
  return bytes;
}

// Returns the time from which no replica takes the ids of a session, whatever its clock says.
std::int64_t refusedUntil(std::int64_t endsAt) noexcept { return endsAt + SessionIds::clockSkew; }

} // namespace

std::shared_ptr<SessionStore> SessionStore::make(std::shared_ptr<SharedStore> state,
                                                 SessionRules rules, const Blake3Key &key,
                                                 Make makeSession) {
  const std::shared_ptr<SessionStore> made(
      new SessionStore(std::move(state), rules, key, std::move(makeSession)));
  made->begin();
  return made;
}

SessionStore::SessionStore(std::shared_ptr<SharedStore> state, SessionRules rules,
                           const Blake3Key &key, Make makeSession)
    : state_(std::move(state)), rules_(rules), ids_(key, rules.maxAge),
      make_(std::move(makeSession)), replica_(randomHex(replicaBytes)),
      table_(rules.maxInMemory, rules.idle,
             state_
                 ? SessionTable::OnEvicted([this](const Session &session) { onEvicted(session); })
                 : nullptr) {}

void SessionStore::begin() {
  if (!state_) return;
  state_->listen(channel, {bindWeak(this, &SessionStore::onMessage),
                           bindWeak(this, &SessionStore::restore, Pass::AfterLostMessages)});
  // An engine that was away may have forgotten everything.
  state_->onReachable([weak = weak_from_this()](bool isBack) {
    if (const auto self = weak.lock(); self && isBack) self->restore(Pass::AfterAway);
  });
}

SharedStore::Span SessionStore::spanUntil(std::int64_t until) {
  return std::chrono::seconds(std::max<std::int64_t>(1, until - secondsNow()));
}

std::unique_ptr<SessionCopy> SessionStore::newCopy(const SessionIdentity &identity,
                                                   bool isListeningHere) {
  return std::make_unique<SessionCopy>(replica_ + '.' + std::to_string(++copies_), identity.name,
                                       ids_.endOf(identity), isListeningHere);
}

std::shared_ptr<HttpSession> SessionStore::prepare(const SessionRequester &requester) {
  SessionIdentity identity;
  identity.name = SessionIds::newName();
  identity.issuedAt = secondsNow();
  return make_(requester, newCopy(identity, true));
}

bool SessionStore::add(const Session &session) {
  SessionIdentity identity;
  identity.name = session->copy().name;
  identity.issuedAt = session->copy().endsAt - rules_.maxAge.count();
  identity.client = session->client().clientName.copy();
  const std::string capabilities = session->client().clientCapabilities.copy();
  if (const auto stated = readJsonObject(capabilities))
    identity.capabilities = capabilityFlags(*stated);
  session->setId(ids_.seal(identity, session->owner()));
  if (!table_.add(session)) return false;
  remember(session);
  return true;
}

bool SessionStore::hasEnded(const SessionIdentity &identity) const {
  return ended_.mayContain(identity.name, refusedUntil(ids_.endOf(identity)));
}

void SessionStore::find(const std::string &id, const SessionRequester &requester,
                        const FindCallback &then) {
  if (const Session own = table_.find(id, requester.owner))
    return then(own, NoSessionReason::Absent);
  auto identity = ids_.open(id, requester.owner, secondsNow());
  if (!identity || hasEnded(*identity)) return then(nullptr, NoSessionReason::Absent);
  auto resumed = [self = shared_from_this(), id, identity = *identity, requester,
                  then](const Value &record) {
    const Found found = self->resume(id, identity, requester, record);
    then(found.session, found.reason);
  };
  // A request does not wait for an engine that is known to be unreachable. All sessions are checked
  // when it is back.
  if (!state_ || !state_->isEngineReachable()) return resumed(std::nullopt);
  state_->get(keyOf(identity->name), SharedStore::Span(0),
              [resumed = std::move(resumed)](const Result<Value> &record) {
                resumed(record ? *record : std::nullopt);
              });
}

SessionStore::Found SessionStore::resume(const std::string &id, const SessionIdentity &identity,
                                         const SessionRequester &requester, const Value &record) {
  SessionRecord read;
  if (record) {
    Result<SessionRecord> found = SessionRecord::read(*record);
    if (!found)
      warnUnreadable(found.failure());
    else
      read = *std::move(found);
  }
  if (read.ended) ended_.add(identity.name, refusedUntil(ids_.endOf(identity)), secondsNow());
  if (hasEnded(identity)) return {};
  // Another request of the session may have been faster.
  if (const Session own = table_.find(id, requester.owner)) return {own};
  const Session session = make_(requester, newCopy(identity, false));
  if (!session) return {nullptr, NoSessionReason::Stopping};
  session->setId(id);
  session->client().resume(identity.client, identity.capabilities);
  session->client().take(read.notes);
  session->copy().seen = record;
  session->copy().writes = read.writes;
  if (!table_.add(session)) {
    const Session own = table_.find(id, requester.owner);
    return {own, NoSessionReason::Full};
  }
  remember(session);
  // The session may have been ended while it was made.
  if (hasEnded(identity)) {
    forget(session);
    return {};
  }
  return {session};
}

PendingClientRequests::Name SessionStore::questionNames(const std::string &name) {
  return [weak = weak_from_this(), name](std::uint64_t number) {
    const auto self = weak.lock();
    return self ? self->questionName(name, number) : std::to_string(number);
  };
}

SharedNotes SessionStore::notesOf(const Session &session) {
  if (!state_) return {};
  // Limits the memory that an unreachable engine costs.
  constexpr std::size_t maxUnsavedBytes = 64U << 10U;
  return {[own = std::weak_ptr(session)](const SessionChange &change) {
            const Session changed = own.lock();
            if (!changed) return;
            SessionCopy &copy = changed->copy();
            const std::scoped_lock lock(copy.mutex);
            std::string subject = subjectOf(change);
            if (!copy.unsaved.contains(subject) &&
                bytesOf(copy.unsaved) + subject.size() > maxUnsavedBytes)
              return;
            copy.unsaved[std::move(subject)] = {change, ++copy.changes};
          },
          [weak = weak_from_this(), own = std::weak_ptr(session)](NotesRefreshed then) {
            const auto self = weak.lock();
            const Session asked = own.lock();
            if (!self || !asked) return then(NotesAge::Unknown);
            self->refresh(asked, std::move(then));
          }};
}

std::shared_ptr<ReplyChannel> SessionStore::replyWhenSaved(Session session,
                                                           std::shared_ptr<ReplyChannel> reply) {
  if (!state_) return reply;
  return std::make_shared<SettledReply>(
      std::move(reply), [self = shared_from_this(), session = std::move(session)](
                            const std::function<void()> &then) { self->whenSaved(session, then); });
}

void SessionStore::remember(const Session &session) {
  constexpr std::size_t few = 64;
  const std::size_t open = table_.size();
  const std::scoped_lock lock(mutex_);
  if (sessionsByName_.size() > 2 * open + few)
    std::erase_if(sessionsByName_, [](const auto &one) { return one.second.expired(); });
  sessionsByName_[session->copy().name] = session;
}

std::shared_ptr<HttpSession> SessionStore::findKnown(const std::string &name) {
  const std::scoped_lock lock(mutex_);
  const auto found = sessionsByName_.find(name);
  return found == sessionsByName_.end() ? nullptr : found->second.lock();
}

void SessionStore::forget(const Session &session) {
  ended_.add(session->copy().name, refusedUntil(session->copy().endsAt), secondsNow());
  table_.end(session->id(), session->owner());
}

void SessionStore::endHere(const Session &session) {
  ended_.add(session->copy().name, refusedUntil(session->copy().endsAt), secondsNow(),
             session->share().key);
  table_.end(session->id(), session->owner());
}

// Anybody may open a session without a name. When the table drops such a session for lack of room,
// its record is erased, or the engine would fill up. A session that is only idle here may be in use
// at another replica, so its record stays until its id is too old.
void SessionStore::onEvicted(const Session &session) {
  if (!session->owner().empty()) return;
  {
    const std::scoped_lock lock(session->copy().mutex);
    session->copy().isEvicted = true;
    if (session->copy().isSaving) return; // onSaved() erases it
  }
  eraseRecord(*session);
}

void SessionStore::eraseRecord(const HttpSession &session) {
  Value seen;
  {
    const std::scoped_lock lock(session.copy().mutex);
    seen.swap(session.copy().seen);
  }
  // The engine keeps the record if another replica has changed it since.
  if (seen) state_->erase(keyOf(session.copy().name), *seen, nullptr);
}

void SessionStore::end(const Session &session, const std::function<void(End)> &then) {
  if (!ended_.hasRoom(session->share().key, secondsNow())) return then(End::TooMany);
  if (!state_) {
    endHere(session);
    return then(End::Done);
  }
  if (!state_->isEngineReachable()) return then(End::Unreachable);
  SessionRecord ended;
  ended.ended = true;
  const std::int64_t until = refusedUntil(session->copy().endsAt);
  state_->put(keyOf(session->copy().name), ended.text(), spanUntil(until),
              [self = shared_from_this(), session, until, then](const Status &done) {
                if (done) {
                  self->endHere(session);
                  self->publishEnd(session->copy().name, until);
                } else {
                  self->warnUnwritten(done.failure());
                }
                then(done ? End::Done : End::Unreachable);
              });
}

void SessionStore::sendIfListening(const HttpSession &session, const Fragments &message) {
  {
    const std::scoped_lock lock(session.copy().mutex);
    if (!session.copy().isListeningHere) return;
  }
  session.standaloneStream()->send(message);
}

bool SessionStore::listen(const Session &session) {
  bool wasListeningHere = false;
  {
    const std::scoped_lock lock(session->copy().mutex);
    wasListeningHere = std::exchange(session->copy().isListeningHere, true);
  }
  if (wasListeningHere || !state_) return !wasListeningHere;
  publish(*session, "listening", Json::object());
  refresh(session, [](NotesAge) {}); // the client's notifications depend on its subscriptions
  return true;
}

} // namespace skillhost

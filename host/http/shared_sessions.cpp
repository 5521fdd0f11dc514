// SPDX-License-Identifier: Apache-2.0
// Sessions of several replicas: which one a request is of, and bringing its copy up to date.
#include "shared_sessions.hpp"

#include "base/log.hpp"
#include "settled_reply.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t lookedAtOnce = 16;

// So long after a session was opened unwritten other replicas have its client ask again, which is
// told only then that there is none: who has it may have died. The same after the engine is back,
// when all who have something to write do.
constexpr std::chrono::seconds unwrittenSpan{600}, writingSpan{30};
constexpr std::size_t idSize = 32;
constexpr std::size_t longestMark = 24; // '-' and a number

// As all are made; nothing else is worth asking the engine about.
bool isSessionId(std::string_view id) {
  return id.size() == idSize && id.find_first_not_of("0123456789abcdef") == id.npos;
}

std::chrono::seconds unixTime() {
  return std::chrono::duration_cast<std::chrono::seconds>(
      std::chrono::system_clock::now().time_since_epoch());
}

// After the id of a session that could not be written when it was opened: when that was.
std::string unwrittenMark() { return '-' + std::to_string(unixTime().count()); }

std::optional<std::chrono::seconds> readMark(std::string_view mark) {
  if (mark.size() < 2 || mark.size() > longestMark || mark.front() != '-') return std::nullopt;
  std::uint32_t seconds = 0;
  const char *const end = mark.data() + mark.size();
  const auto [at, error] = std::from_chars(mark.data() + 1, end, seconds);
  if (error != std::errc() || at != end) return std::nullopt;
  return std::chrono::seconds(seconds);
}

void warnUnreadable(const Failure &why) {
  log::warning("http", "a session that is shared cannot be read: " + why.message);
}

// That the record of it is to be written, whatever it was before.
void forgetRecord(HttpSession &session) {
  const std::scoped_lock lock(session.copy()->mutex);
  session.copy()->seen.reset();
  session.copy()->saved = SharedCopy::never;
}

} // namespace

void SharedSessions::begin() {
  table_->whenOusted([weak = weak_from_this()](const std::shared_ptr<HttpSession> &session) {
    if (const auto self = weak.lock()) self->ousted(session);
  });
  state_->listen(channel, {[weak = weak_from_this()](std::string_view message) {
                             if (const auto self = weak.lock()) self->heard(message);
                           },
                           [weak = weak_from_this()] {
                             if (const auto self = weak.lock()) self->lookAgain(Which::InUse);
                           }});
  state_->onReachable([weak = weak_from_this()](bool isBack) {
    const auto self = weak.lock();
    if (!self || !isBack) return;
    self->backSince_ = std::chrono::steady_clock::now();
    self->lookAgain(Which::All);
  });
}

std::string SharedSessions::keyOf(const std::string &id) const {
  return "session/" + state_->keyed("session", {id});
}

std::unique_ptr<SharedCopy> SharedSessions::newCopy(const std::string &id,
                                                    const std::string &owner) {
  return std::make_unique<SharedCopy>(state_->replica() + '.' + std::to_string(++copies_),
                                      keyOf(id), state_->keyed("owner", {owner}));
}

void SharedSessions::opened(const std::shared_ptr<HttpSession> &session,
                            std::function<void(const std::string &id)> then) {
  know(session);
  settle(session, [session, then = std::move(then)] {
    SharedCopy &copy = *session->copy();
    std::unique_lock lock(copy.mutex);
    const bool isWritten = copy.saved != SharedCopy::never;
    lock.unlock();
    then(isWritten ? session->id() : session->id() + unwrittenMark());
  });
}

bool SharedSessions::mayCome(std::string_view mark) const {
  const auto since = readMark(mark);
  if (!since) return false;
  const auto back = backSince_.load();
  return std::chrono::abs(unixTime() - *since) < unwrittenSpan ||
         (back != std::chrono::steady_clock::time_point() &&
          std::chrono::steady_clock::now() - back < writingSpan);
}

// Who has it writes it down now, if it can.
void SharedSessions::askToWrite(const std::string &id) {
  if (!mayTellNow()) return;
  publish(*state_, "write", {{"session", keyOf(id)}});
}

void SharedSessions::find(const std::string &name, SessionAsker asker, Then then) {
  const std::string id = name.substr(0, idSize);
  const std::string_view mark = std::string_view(name).substr(id.size());
  if (!isSessionId(id) || (!mark.empty() && !readMark(mark)))
    return then(nullptr, SessionLack::Absent);
  {
    const std::scoped_lock lock(mutex_);
    const auto [at, isFirst] = asked_.try_emplace(id);
    at->second.push_back({std::move(asker), mayCome(mark), std::move(then)});
    if (!isFirst) return; // whoever asks goes on with it
  }
  ask(id);
}

// For those who wait now. Who comes while the engine is asked waits for the next answer: a value
// that was on its way may be older than the request.
void SharedSessions::ask(const std::string &id) {
  std::vector<Job> jobs;
  {
    const std::scoped_lock lock(mutex_);
    jobs.swap(asked_[id]);
  }
  // What is known to be away is not waited for; it is asked until it is back.
  if (!state_->reachable())
    return came(id, jobs, Failure{Fault::Unavailable, "the engine of the shared state is away"});
  state_->get(keyOf(id), span(),
              [self = shared_from_this(), id, jobs = std::move(jobs)](const Result<Value> &value) {
                self->came(id, jobs, value);
              });
}

void SharedSessions::came(const std::string &id, const std::vector<Job> &jobs,
                          const Result<Value> &value) {
  for (const Job &job : jobs) {
    const Found found = resolve(id, job, value);
    job.then(found.session, found.lack);
  }
  {
    const std::scoped_lock lock(mutex_);
    const auto own = asked_.find(id);
    if (own->second.empty()) {
      asked_.erase(own);
      return;
    }
  }
  ask(id);
}

SharedSessions::Found SharedSessions::resolve(const std::string &id, const Job &job,
                                              const Result<Value> &value) {
  const std::shared_ptr<HttpSession> session = table_->peek(id);
  if (session && session->owner() != job.asker.owner) return {};
  Found found;
  if (!value) {
    found = {session, SessionLack::Away};
  } else if (*value) {
    found = session ? goOn(session, **value) : restore(id, job.asker, **value);
  } else if (session && table_->unused(*session)) {
    forget(session);
  } else if (session) { // the engine has lost it
    forgetRecord(*session);
    found = {session};
  } else if (job.mayCome) {
    askToWrite(id);
    found.lack = SessionLack::Unwritten;
  }
  if (found.session) found.session->touch();
  return found;
}

SharedSessions::Found SharedSessions::goOn(const std::shared_ptr<HttpSession> &session,
                                           const std::string &text) {
  SharedCopy &copy = *session->copy();
  std::unique_lock lock(copy.mutex);
  if (copy.seen == text) return {session};
  Result<SessionRecord> record = SessionRecord::read(text);
  if (!record) {
    warnUnreadable(record.failure());
    return {};
  }
  if (record->kind == SessionRecord::Kind::Newer) return {nullptr, SessionLack::Newer};
  if (record->kind == SessionRecord::Kind::Ended) {
    lock.unlock();
    forget(session);
    return {};
  }
  if (record->owner != copy.owner) return {};
  const bool fits = adopt(*session, copy, *std::move(record), text), isRead = copy.isElsewhere();
  lock.unlock();
  if (isRead) session->standing()->release();
  if (!fits) return {nullptr, SessionLack::Full};
  return {session};
}

bool SharedSessions::adopt(HttpSession &session, SharedCopy &copy, SessionRecord theirs,
                           const std::string &text) {
  // The engine has lost what was written since: what is known here is newer.
  if (copy.base.writes != 0 && theirs.writes <= copy.base.writes) {
    copy.seen = text;
    copy.saved = SharedCopy::never;
    return true;
  }
  if (!session.client().merge(copy.base.facts, theirs.facts)) return false;
  copy.base = std::move(theirs);
  copy.seen = text;
  return true;
}

SharedSessions::Found SharedSessions::restore(const std::string &id, const SessionAsker &asker,
                                              const std::string &text) {
  Result<SessionRecord> record = SessionRecord::read(text);
  if (!record) {
    warnUnreadable(record.failure());
    return {};
  }
  if (record->kind == SessionRecord::Kind::Newer) return {nullptr, SessionLack::Newer};
  if (record->kind == SessionRecord::Kind::Ended ||
      record->owner != state_->keyed("owner", {asker.owner}))
    return {};
  const std::shared_ptr<HttpSession> session = make_(id, asker);
  if (!session) return {nullptr, SessionLack::Away};
  {
    SharedCopy &copy = *session->copy();
    const std::scoped_lock lock(copy.mutex);
    if (!adopt(*session, copy, *std::move(record), text)) return {nullptr, SessionLack::Full};
    copy.isRestored = true;
    copy.saved = session->client().changes();
  }
  if (!table_->add(session)) return {nullptr, SessionLack::Full};
  know(session);
  return {session};
}

void SharedSessions::forget(const std::shared_ptr<HttpSession> &session) {
  table_->end(session->id(), session->owner());
}

// What anybody may open without a name is not to stay in the engine for longer than in a table:
// else it fills up, however few sessions the table takes. Who uses it at another replica has it
// written there again. A session of a principal stays, and goes on when its client comes back.
void SharedSessions::ousted(const std::shared_ptr<HttpSession> &session) {
  if (!session->owner().empty()) return;
  {
    const std::scoped_lock lock(session->copy()->mutex);
    session->copy()->isOusted = true;
    if (session->copy()->isSaving) return; // erased after that
  }
  eraseRecord(*session);
}

void SharedSessions::eraseRecord(const HttpSession &session) {
  std::optional<std::string> seen;
  {
    const std::scoped_lock lock(session.copy()->mutex);
    seen.swap(session.copy()->seen);
  }
  // Not what another replica has made of it since.
  if (seen) state_->erase(session.copy()->key, *seen, nullptr);
}

void SharedSessions::end(const std::shared_ptr<HttpSession> &session,
                         std::function<void(bool done)> then) {
  if (!state_->reachable()) return then(false);
  SessionRecord ended;
  ended.kind = SessionRecord::Kind::Ended;
  state_->put(session->copy()->key, ended.text(), span(),
              [self = shared_from_this(), session, then = std::move(then)](const Status &done) {
                if (done) {
                  self->forget(session);
                  self->publishEnd(*session);
                }
                then(static_cast<bool>(done));
              });
}

std::shared_ptr<ReplyChannel> SharedSessions::settled(std::shared_ptr<HttpSession> session,
                                                      std::shared_ptr<ReplyChannel> reply) {
  return std::make_shared<SettledReply>(
      std::move(reply), [self = shared_from_this(), session = std::move(session)](
                            const std::function<void()> &then) { self->settle(session, then); });
}

void SharedSessions::know(const std::shared_ptr<HttpSession> &session) {
  constexpr std::size_t few = 64;
  const std::size_t open = table_->size();
  const std::scoped_lock lock(mutex_);
  if (known_.size() > 2 * open + few)
    std::erase_if(known_, [](const auto &one) { return one.second.expired(); });
  known_[session->copy()->key] = session;
}

std::shared_ptr<HttpSession> SharedSessions::known(const std::string &key) {
  const std::scoped_lock lock(mutex_);
  const auto found = known_.find(key);
  return found == known_.end() ? nullptr : found->second.lock();
}

void SharedSessions::keepUsed() {
  if (state_->reachable()) lookAgain(Which::InUse);
}

void SharedSessions::lookAgain(Which which) {
  const auto left = std::make_shared<std::vector<std::shared_ptr<HttpSession>>>();
  for (const auto &session : table_->all())
    if (which == Which::All ? !table_->unused(*session)
                            : session->standing()->attached() || !session->client().idle())
      left->push_back(session);
  const SharedState::Span expiry = which == Which::InUse ? span() : SharedState::Span(0);
  for (std::size_t i = 0; i < lookedAtOnce; ++i) lookAt(left, expiry);
}

// One after the other, so that thousands do not come at once.
void SharedSessions::lookAt(const std::shared_ptr<std::vector<std::shared_ptr<HttpSession>>> &left,
                            SharedState::Span expiry) {
  std::shared_ptr<HttpSession> session;
  {
    const std::scoped_lock lock(mutex_);
    if (left->empty()) return;
    session = std::move(left->back());
    left->pop_back();
  }
  state_->get(session->copy()->key, expiry,
              [self = shared_from_this(), session, left, expiry](const Result<Value> &value) {
                self->looked(session, value);
                // What is away now is looked at when it is back.
                if (value) self->lookAt(left, expiry);
              });
}

void SharedSessions::lookAt(const std::shared_ptr<HttpSession> &session) {
  state_->get(session->copy()->key, span(),
              [self = shared_from_this(), session](const Result<Value> &value) {
                self->looked(session, value);
              });
}

void SharedSessions::looked(const std::shared_ptr<HttpSession> &session,
                            const Result<Value> &value) {
  if (!value) return;
  if (*value)
    goOn(session, **value);
  else
    forgetRecord(*session);
  settle(session, [] {});
}

void SharedSessions::tell(const HttpSession &session, const Fragments &message) {
  {
    const std::scoped_lock lock(session.copy()->mutex);
    if (session.copy()->isElsewhere()) return;
  }
  session.standing()->send(message);
}

bool SharedSessions::listen(const std::shared_ptr<HttpSession> &session) {
  SharedCopy &copy = *session->copy();
  bool isNew = false, wasMissed = false;
  {
    const std::scoped_lock lock(copy.mutex);
    isNew = copy.base.listener != copy.place && !copy.hasTaken;
    wasMissed = isNew && (copy.isRestored || !copy.base.listener.empty());
    if (isNew) copy.hasTaken = true;
  }
  if (isNew) session->client().changed();
  settle(session, [] {});
  return wasMissed;
}

} // namespace skillhost

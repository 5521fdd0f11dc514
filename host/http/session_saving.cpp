// SPDX-License-Identifier: Apache-2.0
// Saves the notes of sessions in the engine. A replica reads the record, applies its changes, and
// writes the record if nobody else has written it since; otherwise it starts again. A session has
// one write at a time.
#include "base/log.hpp"
#include "ground/bind_weak.hpp"
#include "session_store.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <utility>

namespace skillhost {
namespace {

// An attempt fails when another replica has written first, which as many replicas can do as serve
// requests of the session at once. High enough that a write does not fail only because other
// replicas keep writing first.
constexpr int maxAttempts = 100;
constexpr std::size_t jobsAtOnce = 16;
// If there are more changes than that, the message names none and the other replicas read the
// record.
constexpr std::size_t maxPublishedChanges = 64;

// Returns the write count of the record that this replica knows.
std::uint64_t writesOf(const HttpSession &session) {
  const std::scoped_lock lock(session.copy().mutex);
  return session.copy().writes;
}

} // namespace

struct SessionDraft {
  std::uint64_t change = 0; // number of the last change in the draft
  std::map<std::string, SessionCopy::Unsaved> changes;
  std::optional<std::string> seen; // the record that the write replaces
  std::uint64_t writes = 0;
  std::string text;
};

// Runs jobs; a finished one starts the next. A job that finds the engine unreachable does not
// finish, and the remaining jobs are dropped.
struct SessionStore::Jobs : std::enable_shared_from_this<Jobs> {
  explicit Jobs(std::function<void()> whenOver) : over(std::move(whenOver)) {}
  Jobs(const Jobs &) = delete;
  Jobs &operator=(const Jobs &) = delete;
  ~Jobs() {
    try {
      over();
    } catch (const std::exception &why) {
      log::failure("http", {"sessions are not compared with the engine again"}, why);
    }
  }

  const std::function<void()> over;
  std::mutex mutex;
  std::vector<Job> left; // the next one is the last element

  void next() {
    Job job;
    {
      const std::scoped_lock lock(mutex);
      if (left.empty()) return;
      job = std::move(left.back());
      left.pop_back();
    }
    job([self = shared_from_this()] { self->next(); });
  }
};

// The state client already logs an unreachable engine, once; it is not logged again here. An engine
// that is full refuses each write, so one line a minute stands for all of them.
void SessionStore::warnUnwritten(const Failure &why) {
  constexpr std::chrono::minutes pause{1};
  if (why.fault == Fault::Unavailable || why.fault == Fault::ToolTimeout ||
      why.fault == Fault::Cancelled)
    return;
  std::size_t count = 0;
  {
    const std::scoped_lock lock(mutex_);
    ++unwritten_;
    const auto now = std::chrono::steady_clock::now();
    if (warned_ && now - *warned_ < pause) return;
    warned_ = now;
    count = std::exchange(unwritten_, 0);
  }
  log::warning("http",
               "what a session remembers cannot be written for the other replicas: " + why.message +
                   (count > 1
                        ? " (" + std::to_string(count) + " times since the last line of this kind)"
                        : ""));
}

void SessionStore::whenSaved(const Session &session, const std::function<void()> &then) {
  SessionCopy &copy = session->copy();
  bool isFirst = false, isSettled = !state_;
  if (!isSettled) {
    const std::scoped_lock lock(copy.mutex);
    // If the engine cannot be reached, the changes are written when it is back. A session that the
    // table has dropped is never written again.
    isSettled = copy.unsaved.empty() ||
                (!copy.isSaving && (copy.isEvicted || !state_->isEngineReachable()));
    if (!isSettled) {
      copy.waiting.push_back({copy.changes, then});
      isFirst = !std::exchange(copy.isSaving, true);
    }
  }
  if (isSettled) return then();
  if (isFirst) save(session, maxAttempts);
}

void SessionStore::save(const Session &session, int attempts) {
  SessionCopy &copy = session->copy();
  SessionDraft draft;
  SessionRecord record;
  {
    const std::scoped_lock lock(copy.mutex);
    draft.change = copy.changes;
    draft.changes = copy.unsaved;
    draft.seen = copy.seen;
    draft.writes = record.writes = copy.writes + 1;
  }
  // If there is no record yet, the first one contains all notes of this replica.
  Result<SessionRecord> before{Fault::NotFound, "there is none"};
  if (draft.seen) before = SessionRecord::read(*draft.seen);
  record.notes = before ? before->notes : session->client().notes();
  for (const auto &[subject, one] : draft.changes) applyChange(record.notes, one.change);
  draft.text = record.text();
  if (draft.text.size() > SessionRecord::largest) {
    warnUnwritten({Fault::TooLarge, "it is too much"});
    return onSaved(session, draft.change, false);
  }
  const std::optional<std::string> seen = draft.seen;
  const std::string text = draft.text;
  state_->compareAndSet(
      keyOf(copy.name), seen ? std::optional<std::string_view>(*seen) : std::nullopt, text,
      spanUntil(copy.endsAt),
      [self = shared_from_this(), session, draft = std::move(draft),
       attempts](const Result<bool> &done) { self->onWritten(session, draft, attempts, done); });
}

void SessionStore::onWritten(const Session &session, SessionDraft draft, int attempts,
                             const Result<bool> &done) {
  SessionCopy &copy = session->copy();
  if (!done) {
    warnUnwritten(done.failure());
    return onSaved(session, draft.change, false);
  }
  if (!*done) {
    if (attempts <= 1) {
      warnUnwritten({Fault::Conflict, "other replicas change it all the time"});
      return onSaved(session, draft.change, false);
    }
    return mergeAndSave(session, draft, attempts - 1);
  }
  Json changes = Json::array();
  {
    const std::scoped_lock lock(copy.mutex);
    copy.seen = std::move(draft.text);
    copy.writes = draft.writes;
    for (const auto &[subject, one] : draft.changes) {
      const auto left = copy.unsaved.find(subject);
      if (left != copy.unsaved.end() && left->second.number == one.number) copy.unsaved.erase(left);
    }
  }
  if (draft.changes.size() <= maxPublishedChanges)
    for (const auto &[subject, one] : draft.changes) changes.push_back(changeAsJson(one.change));
  publish(*session, "changed", {{"writes", draft.writes}, {"changes", std::move(changes)}});
  onSaved(session, draft.change, true);
}

// Another replica has written first, or the engine has lost the record.
void SessionStore::mergeAndSave(const Session &session, const SessionDraft &draft, int attempts) {
  state_->get(keyOf(session->copy().name), SharedStore::Span(0),
              [self = shared_from_this(), session, draft, attempts,
               writes = writesOf(*session)](const Result<Value> &value) {
                if (!value) return self->onSaved(session, 0, false);
                self->onRecordRead(session, *value, writes);
                if (self->ended_.contains(session->copy().name))
                  return self->onSaved(session, 0, false);
                if (*value || draft.seen) return self->save(session, attempts);
                // The key holds a value that no replica has made. A compare with "no value" would
                // fail forever, so the value is replaced.
                self->state_->put(
                    keyOf(session->copy().name), draft.text, spanUntil(session->copy().endsAt),
                    [self, session, draft](const Status &done) {
                      self->onWritten(session, draft, 1,
                                      done ? Result<bool>(true) : Result<bool>(done.failure()));
                    });
              });
}

void SessionStore::onSaved(const Session &session, std::uint64_t change, bool isWritten) {
  SessionCopy &copy = session->copy();
  std::vector<SessionCopy::Waiting> ready;
  bool isMore = false, isEvicted = false;
  {
    const std::scoped_lock lock(copy.mutex);
    const auto first =
        std::stable_partition(copy.waiting.begin(), copy.waiting.end(),
                              [&](const auto &one) { return !isWritten || one.change <= change; });
    ready.assign(std::make_move_iterator(copy.waiting.begin()), std::make_move_iterator(first));
    copy.waiting.erase(copy.waiting.begin(), first);
    isMore = !copy.waiting.empty();
    if (!isMore) copy.isSaving = false;
    isEvicted = !isMore && copy.isEvicted;
  }
  for (const SessionCopy::Waiting &one : ready) one.then();
  if (isMore) save(session, maxAttempts);
  if (isEvicted) eraseRecord(*session);
}

void SessionStore::refresh(const Session &session, NotesRefreshed then) {
  if (!state_->isEngineReachable()) return then(NotesAge::Unknown);
  state_->get(keyOf(session->copy().name), SharedStore::Span(0),
              [self = shared_from_this(), session, writes = writesOf(*session),
               then = std::move(then)](const Result<Value> &value) {
                then(value ? self->onRecordRead(session, *value, writes) : NotesAge::Unknown);
              });
}

// Applies what other replicas have written to the session. If the engine has lost the record, or
// has an older one than this replica knew at the time of the request (`writes`), the notes of this
// replica are written again. Replies may arrive out of order: a reply that is older than a record
// that became known meanwhile is ignored. A session without notes has no record yet, so its record
// is not lost.
NotesAge SessionStore::onRecordRead(const Session &session, const Value &value,
                                    std::uint64_t writes) {
  SessionCopy &copy = session->copy();
  Result<SessionRecord> read{Fault::NotFound, "there is none"};
  if (value) read = SessionRecord::read(*value);
  const SessionRecord record = read ? *read : SessionRecord();
  if (record.ended) {
    forget(session);
    return NotesAge::Current;
  }
  bool isKnown = false, isLate = false, isLost = false;
  {
    const std::scoped_lock lock(copy.mutex);
    isKnown = copy.seen == value;
    isLost = !read ? copy.seen.has_value() : record.writes < copy.writes;
    isLate = isLost && copy.writes > writes;
  }
  const bool isCurrent = isLate || (read ? isKnown || !isLost : !value && !isLost);
  const NotesAge age = isCurrent ? NotesAge::Current : NotesAge::Lost;
  if (isKnown || isLate) return age;
  if (isLost) markAllUnsaved(*session);
  for (;;) {
    std::uint64_t number = 0;
    SessionNotes notes = record.notes;
    {
      const std::scoped_lock lock(copy.mutex);
      copy.seen = value;
      copy.writes = std::max(copy.writes, record.writes);
      number = copy.changes;
      for (const auto &[subject, one] : copy.unsaved) applyChange(notes, one.change);
    }
    if (read) session->client().take(notes);
    const std::scoped_lock lock(copy.mutex);
    if (copy.changes == number) return age;
  }
}

// Marks everything that the session remembers as unsaved, so that it is written whatever the engine
// holds.
void SessionStore::markAllUnsaved(const HttpSession &session) {
  const SessionNotes notes = session.client().notes();
  std::vector<SessionChange> all;
  if (notes.logLevel >= 0)
    all.push_back({.kind = SessionChange::Kind::LogLevel, .level = notes.logLevel});
  for (const std::string &uri : notes.uris)
    all.push_back({.kind = SessionChange::Kind::Subscribed, .name = uri});
  for (const auto &[id, skill] : notes.loaded)
    all.push_back({.kind = SessionChange::Kind::Loaded, .name = id, .skill = skill});
  SessionCopy &copy = session.copy();
  const std::scoped_lock lock(copy.mutex);
  for (SessionChange &change : all)
    copy.unsaved.try_emplace(subjectOf(change), SessionCopy::Unsaved{change, ++copy.changes});
}

// Used when all sessions are checked. If the engine is away, the check runs again when it is back.
// A lost record is written again.
SessionStore::Job SessionStore::checkJob(const Session &session) {
  return [self = shared_from_this(), session](const std::function<void()> &next) {
    self->refresh(session, [self, session, next](NotesAge age) {
      if (age != NotesAge::Unknown) self->whenSaved(session, next);
    });
  };
}

// Reads the record first and writes it only if it does not say that the session has ended: many
// replicas may notice at once that the engine is back.
SessionStore::Job SessionStore::publishEndJob(const EndedSessions::Ended &ended) {
  return [self = shared_from_this(), ended](const std::function<void()> &next) {
    self->state_->get(keyOf(ended.name), SharedStore::Span(0),
                      [self, ended, next](const Result<Value> &found) {
                        if (!found) return;
                        SessionRecord record;
                        if (*found)
                          if (Result<SessionRecord> read = SessionRecord::read(**found))
                            record = *std::move(read);
                        if (record.ended) return next();
                        record = {};
                        record.ended = true;
                        self->state_->put(keyOf(ended.name), record.text(), spanUntil(ended.until),
                                          [self, ended, next](const Status &done) {
                                            if (!done) return;
                                            self->publishEnd(ended.name, ended.until);
                                            next();
                                          });
                      });
  };
}

void SessionStore::restore(Pass pass) {
  {
    const std::scoped_lock lock(mutex_);
    PassState &state = passes_[static_cast<std::size_t>(pass)];
    state.isWanted = state.isRunning;
    if (std::exchange(state.isRunning, true)) return;
  }
  std::shared_ptr<Jobs> jobs;
  try {
    jobs = std::make_shared<Jobs>(bindWeak(this, &SessionStore::onRestored, pass));
  } catch (const std::bad_alloc &) { // so that the next pass may begin
    const std::scoped_lock lock(mutex_);
    passes_[static_cast<std::size_t>(pass)].isRunning = false;
    throw;
  }
  for (const Session &session : table_.all()) jobs->left.push_back(checkJob(session));
  // Jobs are taken from the end, so ended sessions come first.
  if (pass == Pass::AfterAway)
    for (const EndedSessions::Ended &one : ended_.all()) jobs->left.push_back(publishEndJob(one));
  for (std::size_t i = 0; i < jobsAtOnce; ++i) jobs->next();
}

void SessionStore::onRestored(Pass pass) {
  {
    const std::scoped_lock lock(mutex_);
    PassState &state = passes_[static_cast<std::size_t>(pass)];
    state.isRunning = false;
    if (!std::exchange(state.isWanted, false)) return;
  }
  restore(pass);
}

} // namespace skillhost

// SPDX-License-Identifier: Apache-2.0
// Sessions of several replicas: writing down what has changed. One write of a session at a time,
// against the record as it was last seen; where another replica was first, both are brought
// together.
#include "base/log.hpp"
#include "shared_sessions.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace skillhost {
namespace {

// Each one that fails means that another replica has written: as many requests as run in one
// session at once may come first, again and again. So many that nobody gives up who only has bad
// luck.
constexpr int mostAttempts = 100;

struct Draft {
  std::uint64_t change = 0; // the last that is in it
  bool isNews = true;       // else the record says all that there is to say
  SessionRecord record;
  std::optional<std::string> seen;
  bool takes = false; // the stream
};

Draft draftOf(const HttpSession &session) {
  SharedCopy &copy = *session.copy();
  const std::scoped_lock lock(copy.mutex);
  Draft draft;
  draft.change = session.client().changes();
  draft.record = copy.base;
  draft.record.facts = session.client().facts();
  draft.seen = copy.seen;
  draft.takes = copy.hasTaken;
  draft.isNews =
      copy.saved == SharedCopy::never || draft.takes || draft.record.facts != copy.base.facts;
  if (draft.takes) draft.record.listener = copy.place;
  ++draft.record.writes;
  return draft;
}

// That the engine is away is said once, by who speaks to it.
void warnOf(const Failure &why) {
  if (why.fault != Fault::Unavailable && why.fault != Fault::ToolTimeout &&
      why.fault != Fault::Cancelled)
    log::warning("http", "a session cannot be written for the other replicas: " + why.message);
}

} // namespace

void SharedSessions::settle(const std::shared_ptr<HttpSession> &session,
                            const std::function<void()> &then) {
  SharedCopy &copy = *session->copy();
  bool isFirst = false, isSettled = false;
  {
    const std::scoped_lock lock(copy.mutex);
    const std::uint64_t change = session->client().changes();
    // What cannot be written now is when the engine is back.
    // What was taken out of the table is never written again.
    isSettled = copy.saved == change || (!copy.isSaving && copy.isOusted) ||
                (!copy.isSaving && !state_->reachable());
    if (!isSettled) {
      copy.waiting.push_back({change, then});
      isFirst = !std::exchange(copy.isSaving, true);
    }
  }
  if (isSettled) return then();
  if (isFirst) save(session, mostAttempts);
}

void SharedSessions::save(const std::shared_ptr<HttpSession> &session, int attempts, Over over) {
  const Draft draft = draftOf(*session);
  if (!draft.isNews) return saved(session, draft.change, true);
  const std::string text = draft.record.text();
  if (text.size() > SessionRecord::largest) {
    warnOf({Fault::TooLarge, "it holds too much"});
    return saved(session, draft.change, false);
  }
  auto written = [self = shared_from_this(), session, attempts, draft,
                  text](const Result<bool> &done) {
    SharedCopy &copy = *session->copy();
    if (!done) {
      warnOf(done.failure());
      return self->saved(session, draft.change, false);
    }
    if (!*done) {
      if (attempts > 1)
        return self->state_->get(copy.key, self->span(),
                                 [self, session, attempts](const Result<Value> &value) {
                                   self->saveAgain(session, attempts - 1, value);
                                 });
      log::warning("http", "a session is not written: other replicas change it all the time");
      return self->saved(session, draft.change, false);
    }
    bool isHeardElsewhere = false;
    {
      const std::scoped_lock lock(copy.mutex);
      // Else something newer has been seen meanwhile.
      if (copy.seen == draft.seen) {
        copy.seen = text;
        copy.base = draft.record;
      }
      if (draft.takes) copy.hasTaken = false;
      isHeardElsewhere = copy.isElsewhere();
    }
    if (isHeardElsewhere) self->publishChanged(*session, draft.record.writes);
    if (draft.takes) self->publishListening(*session, draft.record.writes);
    self->saved(session, draft.change, true);
  };
  if (over == Over::Anything)
    return state_->put(session->copy()->key, text, span(),
                       [written = std::move(written)](const Status &done) {
                         written(done ? Result<bool>(true) : Result<bool>(done.failure()));
                       });
  state_->compareAndSet(session->copy()->key,
                        draft.seen ? std::optional<std::string_view>(*draft.seen) : std::nullopt,
                        text, span(), std::move(written));
}

void SharedSessions::saveAgain(const std::shared_ptr<HttpSession> &session, int attempts,
                               const Result<Value> &value) {
  SharedCopy &copy = *session->copy();
  Over over = Over::Seen;
  if (value && !*value) {
    const std::scoped_lock lock(copy.mutex);
    // Something was there that no replica has made: compared with none it would stay for ever.
    if (!copy.seen) over = Over::Anything;
    copy.seen.reset();
  } else if (!value || !goOn(session, **value).session) {
    return saved(session, SharedCopy::never, false);
  }
  save(session, attempts, over);
}

void SharedSessions::saved(const std::shared_ptr<HttpSession> &session, std::uint64_t change,
                           bool isWritten) {
  SharedCopy &copy = *session->copy();
  std::vector<SharedCopy::Waiting> ready;
  bool isMore = false, isOusted = false;
  {
    const std::scoped_lock lock(copy.mutex);
    if (isWritten) copy.saved = change;
    const auto first =
        std::stable_partition(copy.waiting.begin(), copy.waiting.end(),
                              [&](const auto &one) { return !isWritten || one.change <= change; });
    ready.assign(std::make_move_iterator(copy.waiting.begin()), std::make_move_iterator(first));
    copy.waiting.erase(copy.waiting.begin(), first);
    isMore = !copy.waiting.empty();
    if (!isMore) copy.isSaving = false;
    isOusted = !isMore && copy.isOusted;
  }
  for (const SharedCopy::Waiting &one : ready) one.then();
  if (isMore) save(session, mostAttempts);
  if (isOusted) eraseRecord(*session);
}

} // namespace skillhost

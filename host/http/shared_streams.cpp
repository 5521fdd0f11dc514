// SPDX-License-Identifier: Apache-2.0
#include "shared_streams.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace skillhost {
namespace {

constexpr std::chrono::minutes keptFor{5};
constexpr std::chrono::seconds firstPatience{1}, furtherPatience{15};
// Bytes that the streams of one session have in the engine, about as many as they have here.
constexpr std::size_t mostWritten = 2U << 20U;

using StreamSize = std::pair<std::string, std::size_t>;

// Notes what is about to be written. Returns the keys of those that were there longest and have no
// room any more.
std::vector<std::string> makeRoom(SharedCopy &copy, const std::string &key, std::size_t bytes) {
  const std::scoped_lock lock(copy.mutex);
  const auto found = std::ranges::find(copy.streams, key, &StreamSize::first);
  if (found == copy.streams.end())
    copy.streams.emplace_back(key, bytes);
  else
    found->second = bytes;
  std::size_t all = 0;
  for (const auto &[one, size] : copy.streams) all += size;
  std::vector<std::string> over;
  while (all > mostWritten && copy.streams.size() > 1) {
    const auto at = copy.streams.begin() + (copy.streams.front().first == key ? 1 : 0);
    all -= at->second;
    over.push_back(std::move(at->first));
    copy.streams.erase(at);
  }
  return over;
}

// False: it is not there.
bool takeOut(SharedCopy &copy, const std::string &key) {
  const std::scoped_lock lock(copy.mutex);
  return std::erase_if(copy.streams, [&](const StreamSize &one) { return one.first == key; }) != 0;
}

} // namespace

std::string SharedStreams::keyOf(const std::string &session, std::string_view place,
                                 std::uint64_t number) const {
  return "stream/" + state_->keyed("stream", {session, place, std::to_string(number)});
}

std::string SharedStreams::audienceOf(const Audience &audience) const {
  return state_->keyed("audience", {audience.key.mark()});
}

void SharedStreams::keep(const std::shared_ptr<HttpSession> &session) {
  session->whenUnheard([weak = weak_from_this(), of = std::weak_ptr(session),
                        key = session->copy()->key, place = session->copy()->place](
                           std::uint64_t number, const std::shared_ptr<EventStream> &stream) {
    const auto self = weak.lock();
    const auto own = of.lock();
    if (self && own) self->save({self->keyOf(key, place, number), own, number, stream});
  });
  session->whenDropped([weak = weak_from_this(),
                        of = std::weak_ptr(session)](const std::vector<std::uint64_t> &numbers) {
    const auto self = weak.lock();
    const auto own = of.lock();
    if (self && own) self->drop(own, numbers);
  });
}

// One write of a stream at a time, so that none overtakes a later one.
void SharedStreams::save(const Writing &writing) {
  {
    const std::scoped_lock lock(mutex_);
    const auto [at, isFirst] = saving_.try_emplace(writing.key, false);
    if (!isFirst) {
      at->second = true;
      return;
    }
  }
  write(writing);
}

// What nobody can come back for is not there.
void SharedStreams::write(const Writing &writing) {
  if (writing.stream && writing.session->keepsStream(writing.number)) return put(writing);
  if (!takeOut(*writing.session->copy(), writing.key)) return wrote(writing, true);
  state_->erase(writing.key, std::nullopt,
                [self = shared_from_this(), writing](const Result<StateErased> &done) {
                  self->wrote(writing, static_cast<bool>(done));
                });
}

void SharedStreams::put(const Writing &writing) {
  const EventStream::Kept kept = writing.stream->kept();
  StreamRecord record;
  record.audience = audienceOf(kept.audience);
  record.manages = kept.audience.manages;
  record.finished = kept.finished;
  for (const auto &[sequence, data] : kept.events)
    record.events.emplace_back(sequence, data.text());
  const std::string text = record.text();
  eraseAll(makeRoom(*writing.session->copy(), writing.key, text.size()));
  state_->put(writing.key, text, keptFor, [self = shared_from_this(), writing](const Status &done) {
    if (done) {
      self->publish_("stream", {{"stream", writing.key}});
      self->written(writing.key);
    }
    self->wrote(writing, static_cast<bool>(done));
  });
}

void SharedStreams::wrote(const Writing &writing, bool isDone) {
  const bool isMore = [&] {
    const std::scoped_lock lock(mutex_);
    const auto own = saving_.find(writing.key);
    if (isDone && std::exchange(own->second, false)) return true;
    saving_.erase(own);
    return false;
  }();
  if (isMore) write(writing);
}

void SharedStreams::drop(const std::shared_ptr<HttpSession> &session,
                         const std::vector<std::uint64_t> &numbers) {
  SharedCopy &copy = *session->copy();
  for (const std::uint64_t number : numbers) {
    const std::string key = keyOf(copy.key, copy.place, number);
    const bool isThere = [&] {
      const std::scoped_lock lock(copy.mutex);
      return std::ranges::find(copy.streams, key, &StreamSize::first) != copy.streams.end();
    }();
    if (isThere) save({key, session, number, {}});
  }
}

void SharedStreams::erase(const std::shared_ptr<HttpSession> &session) {
  session->letStreamsGo();
  std::vector<std::string> keys;
  {
    const std::scoped_lock lock(session->copy()->mutex);
    for (const auto &[key, bytes] : session->copy()->streams) keys.push_back(key);
  }
  // One that is being written is erased after that. None of them is kept: the number says nothing.
  for (const std::string &key : keys) save({key, session, 0, {}});
}

void SharedStreams::eraseAll(const std::vector<std::string> &keys) {
  for (const std::string &key : keys) state_->erase(key, std::nullopt, nullptr);
}

void SharedStreams::asked(const std::shared_ptr<HttpSession> &session, std::uint64_t number,
                          const std::shared_ptr<EventStream> &stream, const Asking &asking) {
  const SharedCopy &copy = *session->copy();
  const std::string key = keyOf(copy.key, copy.place, number);
  // Who may not hear it finds that there is nothing, and does not end what another one hears.
  bool isForIt = false;
  if (stream) {
    const Audience own = stream->audience();
    isForIt = audienceOf(own) == asking.audience && (asking.manages || !own.manages);
  }
  if (!isForIt) return publish_("stream", {{"stream", key}});
  if (asking.isFirst)
    stream->release();
  else if (stream->attached())
    return; // it has come back here since
  save({key, session, number, stream});
}

std::shared_ptr<StreamFollower> SharedStreams::follow(StreamFollower follower) {
  const auto following = std::make_shared<Following>();
  following->key = keyOf(follower.session, follower.place, follower.number);
  following->follower = std::make_shared<StreamFollower>(std::move(follower));
  {
    const std::scoped_lock lock(mutex_);
    followed_.emplace(following->key, following);
  }
  following->follower->exchange->whenGone(
      [weak = weak_from_this(), gone = std::weak_ptr(following)] {
        const auto self = weak.lock();
        const auto left = gone.lock();
        if (!self || !left) return;
        {
          const std::scoped_lock lock(left->mutex);
          left->isOver = true;
        }
        self->drop(left);
      });
  ask(following, true);
  lookLater(following, firstPatience);
  return following->follower;
}

// Who runs it writes down what there is, and says so.
void SharedStreams::ask(const FollowingPointer &following, bool isFirst) {
  const StreamFollower &own = *following->follower;
  publish_("release", {{"session", own.session},
                       {"place", own.place},
                       {"number", own.number},
                       {"first", isFirst},
                       {"audience", audienceOf(own.audience)},
                       {"manages", own.audience.manages}});
}

void SharedStreams::lookLater(const FollowingPointer &following,
                              std::chrono::milliseconds patience) {
  after_(patience, [weak = weak_from_this(), waiting = std::weak_ptr(following)] {
    const auto self = weak.lock();
    const auto late = waiting.lock();
    if (!self || !late) return;
    const bool isAnswered = [&] {
      const std::scoped_lock lock(late->mutex);
      return std::exchange(late->isAnswered, false);
    }();
    if (!isAnswered) return self->read(late, true); // who ran it is gone
    self->ask(late, false);
    self->lookLater(late, furtherPatience);
  });
}

void SharedStreams::written(const std::string &key) {
  std::vector<FollowingPointer> all;
  {
    const std::scoped_lock lock(mutex_);
    const auto [begin, end] = followed_.equal_range(key);
    for (auto at = begin; at != end; ++at) all.push_back(at->second);
  }
  for (const FollowingPointer &one : all) {
    {
      const std::scoped_lock lock(one->mutex);
      one->isAnswered = true;
    }
    read(one, false);
  }
}

void SharedStreams::read(const FollowingPointer &following, bool isLast) {
  state_->get(following->key, keptFor,
              [self = shared_from_this(), following,
               isLast](const Result<std::optional<std::string>> &value) {
                self->came(following, value, isLast);
              });
}

void SharedStreams::came(const FollowingPointer &following,
                         const Result<std::optional<std::string>> &value, bool isLast) {
  if (!value && !isLast) return; // there is another time
  Result<StreamRecord> record{Fault::NotFound, "there is none"};
  if (value && *value) record = StreamRecord::read(**value);
  const StreamFollower &own = *following->follower;
  bool isOpen = false;
  {
    const std::scoped_lock lock(following->mutex);
    if (following->isOver) return;
    const bool isOfUse = record && isFor(*following, *record, isLast);
    if (isOfUse && !pass(*following, *record) && !isLast) return;
    following->isOver = true;
    isOpen = following->isOpen;
  }
  drop(following);
  if (isOpen)
    own.exchange->closeStream();
  else
    own.refuse(!value);
}

bool SharedStreams::isFor(const Following &following, const StreamRecord &record,
                          bool isLast) const {
  const StreamFollower &own = *following.follower;
  if (record.audience != audienceOf(own.audience) || (record.manages && !own.audience.manages))
    return false;
  // From who is gone there is what was written, if that is anything new.
  return !isLast || following.isOpen || record.finished ||
         (!record.events.empty() && record.events.back().first > own.after);
}

// True: it was the last of it. Under the lock.
bool SharedStreams::pass(Following &following, const StreamRecord &record) {
  StreamFollower &own = *following.follower;
  const auto id = [&](std::uint64_t sequence) {
    return own.place + '-' + std::to_string(own.number) + '-' + std::to_string(sequence);
  };
  if (!std::exchange(following.isOpen, true)) {
    own.exchange->openStream(own.further);
    if (own.primed) own.exchange->event(id(own.after), {});
  }
  for (const auto &[sequence, data] : record.events) {
    if (sequence <= own.after) continue;
    own.exchange->event(id(sequence), Fragments(data));
    own.after = sequence;
  }
  return record.finished;
}

void SharedStreams::drop(const FollowingPointer &following) {
  const std::scoped_lock lock(mutex_);
  const auto [begin, end] = followed_.equal_range(following->key);
  for (auto at = begin; at != end; ++at)
    if (at->second == following) {
      followed_.erase(at);
      return;
    }
}

void SharedStreams::end(const std::string &session) {
  std::vector<FollowingPointer> all;
  {
    const std::scoped_lock lock(mutex_);
    for (const auto &[key, following] : followed_)
      if (session.empty() || following->follower->session == session) all.push_back(following);
  }
  for (const FollowingPointer &one : all) over(one);
}

void SharedStreams::watch(StreamFollower &follower, std::shared_ptr<void> watch) {
  const std::scoped_lock lock(mutex_);
  follower.watch = std::move(watch);
}

void SharedStreams::leave(const std::shared_ptr<StreamFollower> &follower) {
  FollowingPointer found;
  {
    const std::scoped_lock lock(mutex_);
    for (const auto &[key, following] : followed_)
      if (following->follower == follower) found = following;
  }
  if (found) over(found);
}

void SharedStreams::over(const FollowingPointer &following) {
  bool isOpen = false;
  {
    const std::scoped_lock lock(following->mutex);
    if (std::exchange(following->isOver, true)) return;
    isOpen = following->isOpen;
  }
  drop(following);
  if (isOpen)
    following->follower->exchange->closeStream();
  else
    following->follower->refuse(false);
}

} // namespace skillhost

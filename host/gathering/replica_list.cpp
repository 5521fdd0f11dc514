// SPDX-License-Identifier: Apache-2.0
#include "replica_list.hpp"

#include "base/log.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

constexpr const char *listKey = "usage/replicas";
constexpr std::size_t mostReplicas = 256; // in the list
constexpr std::size_t idDigits = 16;
constexpr int joinAttempts =
    8;                        // when others change it at the same moment; then at the next renewal
constexpr int listSpans = 10; // how much longer the list is kept than what each of them says

std::string keyOf(const std::string &id) { return "usage/replica/" + id; }

// What is no id, such as that of a later version, is left out.
ReplicaList::Ids idsFrom(std::string_view text) {
  ReplicaList::Ids ids;
  const Json list = Json::parse(text, nullptr, false);
  if (!list.is_array()) return ids;
  for (const Json &one : list) {
    if (!one.is_string() || ids.size() == mostReplicas) continue;
    auto id = one.get<std::string>();
    if (isHexadecimal(id, idDigits)) ids.insert(std::move(id));
  }
  return ids;
}

std::string textOf(const ReplicaList::Ids &ids) { return Json(ids).dump(); }

} // namespace

struct ReplicaList::Reading {
  std::string text; // of the list
  std::function<void(Known)> answer;
  std::mutex mutex;
  Known known; // under the lock, as what follows
  Ids gone;
  std::size_t open = 0;
};

void ReplicaList::renew(const std::string &file) {
  if (left_.copy()) return;
  state_->put(keyOf(state_->replica()), file, absence_,
              [weak = weak_from_this(), state = std::weak_ptr(state_)](const Status &done) {
                const auto self = weak.lock();
                if (self && !self->left_.copy()) {
                  if (done) self->join(joinAttempts);
                  return;
                }
                // It has left meanwhile.
                if (const auto there = state.lock())
                  there->erase(keyOf(there->replica()), std::nullopt, nullptr);
              });
}

void ReplicaList::join(int attempts) {
  if (attempts == 0) return;
  state_->get(listKey, absence_ * listSpans,
              [weak = weak_from_this(), attempts](const Result<std::optional<std::string>> &found) {
                const auto self = weak.lock();
                if (!self || !found || self->left_.copy()) return;
                Ids ids = *found ? idsFrom(**found) : Ids();
                self->note(ids);
                if (ids.contains(self->state_->replica())) return;
                if (ids.size() >= mostReplicas) return self->makeRoom();
                ids.insert(self->state_->replica());
                std::optional<std::string_view> before;
                if (*found) before = **found;
                self->state_->compareAndSet(listKey, before, textOf(ids),
                                            self->absence_ * listSpans,
                                            [weak, attempts](const Result<bool> &done) {
                                              const auto there = weak.lock();
                                              if (there && done && !*done)
                                                there->join(attempts - 1);
                                            });
              });
}

// Who asks takes those that are gone off the list, and it may be that nobody asks. What has room
// then joins with the next renewal.
void ReplicaList::makeRoom() {
  read([](const Known &known) {
    if (known.files.size() < mostReplicas) return;
    log::warning("usage", "there are more replicas than the " + std::to_string(mostReplicas) +
                              " whose figures of use are added up: those of this one may be "
                              "missing at the others");
  });
}

// For when the engine is away; whether each of them is there is looked at by read() alone.
void ReplicaList::note(const Ids &ids) {
  last_.with([&](auto &last) {
    std::erase_if(last, [&](const auto &one) { return !ids.contains(one.first); });
    for (const std::string &id : ids)
      if (id != state_->replica()) last.try_emplace(id);
  });
}

void ReplicaList::leave() {
  left_.with([](bool &left) { left = true; });
  // What stops the state next may give up what was not done yet. An engine that is away answers at
  // once, or within the deadline of an operation.
  constexpr std::chrono::seconds patience{2};
  const auto done = std::make_shared<std::promise<void>>();
  state_->erase(keyOf(state_->replica()), std::nullopt,
                [self = shared_from_this(), done](const Result<StateErased> &erased) {
                  if (!erased) return done->set_value();
                  self->takeOff(joinAttempts, [done] { done->set_value(); });
                });
  done->get_future().wait_for(patience);
}

// This replica, off the list: others take it off when they ask, and it may be that nobody does.
void ReplicaList::takeOff(int attempts, const std::function<void()> &then) {
  if (attempts == 0) return then();
  state_->get(
      listKey, absence_ * listSpans,
      [self = shared_from_this(), attempts, then](const Result<std::optional<std::string>> &found) {
        if (!found || !*found) return then();
        Ids ids = idsFrom(**found);
        if (ids.erase(self->state_->replica()) == 0) return then();
        self->state_->compareAndSet(listKey, std::string_view(**found), textOf(ids),
                                    self->absence_ * listSpans,
                                    [self, attempts, then](const Result<bool> &done) {
                                      if (!done || *done) return then();
                                      self->takeOff(attempts - 1, then);
                                    });
      });
}

ReplicaList::Known ReplicaList::lastKnown(std::string problem) const {
  return {last_.copy(), std::move(problem)};
}

void ReplicaList::read(std::function<void(Known)> answer) {
  const auto reading = std::make_shared<Reading>();
  reading->answer = std::move(answer);
  state_->get(
      listKey, absence_ * listSpans,
      [self = shared_from_this(), reading](const Result<std::optional<std::string>> &found) {
        if (!found) return reading->answer(self->lastKnown(found.failure().message));
        self->look(reading, *found ? **found : std::string());
      });
}

void ReplicaList::look(const std::shared_ptr<Reading> &reading, const std::string &text) {
  Ids ids = idsFrom(text);
  ids.erase(state_->replica());
  reading->text = text;
  reading->open = ids.size() + 1;
  for (const std::string &id : ids)
    state_->get(
        keyOf(id), {},
        [self = shared_from_this(), reading, id](const Result<std::optional<std::string>> &found) {
          {
            const std::scoped_lock lock(reading->mutex);
            if (!found) reading->known.problem = found.failure().message;
            // One that may be there is not left out.
            if (!found)
              reading->known.files.emplace(id, std::string());
            else if (*found)
              reading->known.files.emplace(id, **found);
            else
              reading->gone.insert(id);
          }
          self->finish(reading);
        });
  finish(reading);
}

void ReplicaList::finish(const std::shared_ptr<Reading> &reading) {
  {
    const std::scoped_lock lock(reading->mutex);
    if (--reading->open != 0) return;
  }
  last_.with([&](auto &last) { last = reading->known.files; });
  if (!reading->gone.empty()) {
    // One that is there after all comes back with its next renewal.
    Ids ids = idsFrom(reading->text);
    for (const std::string &id : reading->gone) ids.erase(id);
    state_->compareAndSet(listKey, reading->text, textOf(ids), absence_ * listSpans, nullptr);
  }
  reading->answer(std::move(reading->known));
}

} // namespace skillhost

// SPDX-License-Identifier: Apache-2.0
#include "shared_answers.hpp"

#include "ground/bind_weak.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/json_member.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace skillhost {
namespace {

constexpr std::string_view channel = "credentials";
constexpr std::string_view all = "all", one = "one ";
constexpr std::int64_t version = 1; // of the written text

std::string written(const SharedAnswers::StoredAnswer &kept) {
  Json scopes = Json::array();
  for (const std::string &scope : kept.principal->scopes) scopes.push_back(scope);
  return Json{{"version", version},
              {"subject", kept.principal->subject},
              {"issuer", kept.principal->issuer},
              {"scopes", std::move(scopes)},
              {"expiresAt", kept.principal->expiresAt},
              {"until", kept.until}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Returns nothing if a member is missing or has another type or version: a later replica may have
// written it.
std::optional<SharedAnswers::StoredAnswer> read(std::string_view text) {
  const std::optional<Json> value = readJsonObject(text);
  if (!value) return std::nullopt;
  const bool isOurs =
      memberOf(*value, "version") == Json(version) && memberOf(*value, "subject").is_string() &&
      memberOf(*value, "issuer").is_string() && memberOf(*value, "scopes").is_array() &&
      memberOf(*value, "expiresAt").is_number_integer() &&
      memberOf(*value, "until").is_number_integer();
  if (!isOurs) return std::nullopt;
  auto principal = std::make_shared<Principal>();
  principal->subject = memberOf(*value, "subject").get<std::string>();
  principal->issuer = memberOf(*value, "issuer").get<std::string>();
  for (const Json &scope : memberOf(*value, "scopes")) {
    if (!scope.is_string()) return std::nullopt;
    principal->scopes.insert(scope.get<std::string>());
  }
  principal->expiresAt = memberOf(*value, "expiresAt").get<std::int64_t>();
  const auto until = memberOf(*value, "until").get<std::int64_t>();
  return SharedAnswers::StoredAnswer{std::move(principal), until};
}

std::optional<SharedAnswers::Digest> digestOf(std::string_view text) {
  SharedAnswers::Digest digest{};
  if (!readHexadecimal(text, digest)) return std::nullopt;
  return digest;
}

} // namespace

std::shared_ptr<SharedAnswers> SharedAnswers::make(std::shared_ptr<SharedStore> state,
                                                   std::string mark, OnRevoked onRevoked) {
  const std::shared_ptr<SharedAnswers> made(
      new SharedAnswers(std::move(state), std::move(mark), std::move(onRevoked)));
  made->start();
  return made;
}

void SharedAnswers::start() {
  const auto weak = weak_from_this();
  state_->listen(channel, {bindWeak(this, &SharedAnswers::onMessage), [weak] {
                             const auto self = weak.lock();
                             if (!self) return;
                             self->learnEpoch(0);
                             self->onRevoked_(nullptr);
                           }});
  state_->onReachable([weak](bool isReachable) {
    if (const auto self = weak.lock(); self && isReachable) self->learnEpoch(0);
  });
  learnEpoch(0);
}

void SharedAnswers::onMessage(std::string_view message) {
  if (message == all) {
    learnEpoch(0);
    return onRevoked_(nullptr);
  }
  if (!message.starts_with(one)) return;
  if (const auto digest = digestOf(message.substr(one.size()))) onRevoked_(&*digest);
}

void SharedAnswers::learnEpoch(std::int64_t delta) {
  const std::uint64_t question = epoch_.with([&](Epoch &epoch) {
    if (std::exchange(epoch.mustNotifyOthers, false)) delta = 1;
    epoch.value.reset();
    return ++epoch.question;
  });
  state_->add(epochKey_, delta, {},
              [weak = weak_from_this(), delta, question](const Result<std::int64_t> &sum) {
                const auto self = weak.lock();
                if (!self) return;
                self->epoch_.with([&](Epoch &epoch) {
                  if (sum && question == epoch.question) epoch.value = *sum;
                  if (!sum && delta != 0) epoch.mustNotifyOthers = true;
                });
                if (sum && delta != 0) self->state_->publish(channel, all);
              });
}

std::string SharedAnswers::keyOf(const Digest &digest) const {
  const std::optional<std::int64_t> epoch = epoch_.copy().value;
  if (!epoch) return {};
  return "token/" +
         state_->keyedDigest("token", {mark_, std::to_string(*epoch), hexadecimal(digest)});
}

void SharedAnswers::find(const Digest &digest,
                         std::function<void(std::optional<StoredAnswer>)> answer) const {
  std::string key = keyOf(digest);
  if (key.empty()) return answer(std::nullopt);
  state_->get(std::move(key), {},
              [answer = std::move(answer)](const Result<std::optional<std::string>> &found) {
                answer(found && *found ? read(**found) : std::nullopt);
              });
}

void SharedAnswers::keep(const Digest &digest, const StoredAnswer &kept, std::int64_t now) const {
  std::string key = keyOf(digest);
  if (key.empty() || kept.until <= now || !state_->isEngineReachable()) return;
  state_->put(std::move(key), written(kept), std::chrono::seconds(kept.until - now), nullptr);
}

// The other replicas look the answer up again, so it is erased before they are notified. If the
// engine cannot be reached now, all answers are revoked when it is back.
void SharedAnswers::revoke(const Digest &digest) {
  auto tell = [weak = weak_from_this(), digest](const Result<StateErased> &erased) {
    const auto self = weak.lock();
    if (!self) return;
    if (!erased) self->epoch_.with([](Epoch &epoch) { epoch.mustNotifyOthers = true; });
    self->state_->publish(channel, std::string(one) + hexadecimal(digest));
  };
  std::string key = keyOf(digest);
  if (key.empty()) return tell(Failure{Fault::Unavailable, "the epoch is not known"});
  state_->erase(std::move(key), std::nullopt, std::move(tell));
}

void SharedAnswers::revokeAll() { learnEpoch(1); }

} // namespace skillhost

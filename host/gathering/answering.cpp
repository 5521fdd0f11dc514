// SPDX-License-Identifier: Apache-2.0
#include "answering.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t mostOpen = 8; // questions of others at a time

} // namespace

struct UsageAnswering::Sending {
  std::string question;
  UsageCells cells;
  std::shared_ptr<std::atomic<bool>> isOver;
  std::size_t parts = 0, next = 0;
};

void UsageAnswering::tell(const UsageTold &told) {
  Json message{{"told", told.question}, {"from", told.from}};
  if (told.isReading)
    message["reading"] = true;
  else if (told.problem.empty())
    message.update({{"file", told.file}, {"parts", told.parts}, {"bytes", told.bytes}});
  else
    message["problem"] = told.problem;
  state_->publish(usageChannel, message.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void UsageAnswering::fail(const std::string &question, std::string problem) {
  open_.with([&](auto &open) { open.erase(question); });
  tell({question, state_->replica(), {}, 0, 0, std::move(problem)});
}

void UsageAnswering::answer(const UsageAsk &ask, const std::string &ownFile) {
  using Clock = std::chrono::steady_clock;
  if (!ownFile.empty() && ask.file == ownFile)
    return tell({ask.question, state_->replica(), ownFile, 0, 0, {}});
  const auto isOver = std::make_shared<std::atomic<bool>>(false);
  enum class Place : std::uint8_t { Taken, Open, None };
  const Place place = open_.with([&](auto &open) {
    if (open.contains(ask.question)) return Place::Open; // a message may come twice
    if (open.size() >= mostOpen) return Place::None;
    open.emplace(ask.question, isOver);
    return Place::Taken;
  });
  if (place == Place::Open) return;
  if (place == Place::None)
    return tell({ask.question, state_->replica(), {}, 0, 0, "it is asked by many"});
  tell({ask.question, state_->replica(), {}, 0, 0, {}, true});
  const Clock::time_point until =
      Clock::now() + std::clamp(GatheringRules::Span(ask.patience), GatheringRules::Span(0),
                                std::max(rules_.kept, rules_.patience));
  usage_->gather(
      ask.since, ask.until, rules_.mostBytes,
      [isOver, until] { return isOver->load() || Clock::now() >= until; },
      [weak = weak_from_this(), question = ask.question, isOver](Result<UsageCells> cells) {
        const auto self = weak.lock();
        if (!self) return;
        if (!cells) return self->fail(question, cells.failure().message);
        const auto sending = std::make_shared<Sending>();
        sending->question = question;
        sending->cells = *std::move(cells);
        sending->isOver = isOver;
        sending->parts =
            (sending->cells.bytes.size() + self->rules_.partBytes - 1) / self->rules_.partBytes;
        self->send(sending);
      });
}

// One part after the other; then that they are there.
void UsageAnswering::send(const std::shared_ptr<Sending> &sending) {
  if (*sending->isOver) return drop(*sending);
  const std::string &bytes = sending->cells.bytes;
  if (sending->next == sending->parts) {
    open_.with([&](auto &open) { open.erase(sending->question); });
    return tell({sending->question,
                 state_->replica(),
                 sending->cells.file,
                 sending->parts,
                 bytes.size(),
                 {}});
  }
  const std::string_view part =
      std::string_view(bytes).substr(sending->next * rules_.partBytes, rules_.partBytes);
  state_->put(usagePartKey(sending->question, state_->replica(), sending->next++), part,
              rules_.kept, [weak = weak_from_this(), sending](const Status &done) {
                const auto self = weak.lock();
                if (!self) return;
                if (done) return self->send(sending);
                self->fail(sending->question, done.failure().message);
                self->drop(*sending);
              });
}

void UsageAnswering::drop(const Sending &sending) {
  open_.with([&](auto &open) { open.erase(sending.question); });
  for (std::size_t part = 0; part < sending.next; ++part)
    state_->erase(usagePartKey(sending.question, state_->replica(), part), std::nullopt, nullptr);
}

void UsageAnswering::giveUp(const std::string &question) {
  open_.with([&](auto &open) {
    if (const auto found = open.find(question); found != open.end()) *found->second = true;
  });
}

void UsageAnswering::giveUpAll() {
  open_.with([](auto &open) {
    for (const auto &[question, isOver] : open) *isOver = true;
  });
}

} // namespace skillhost

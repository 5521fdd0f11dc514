// SPDX-License-Identifier: Apache-2.0
#include "sharing/source_sharing.hpp"

#include "ground/json_member.hpp"
#include "ground/json_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace skillhost {
namespace {

constexpr const char *channel = "sources";
constexpr std::array<std::string_view, 4> names{"snapshot", "refresh", "damaged", "failed"};

} // namespace

std::shared_ptr<SourceSharing> SourceSharing::make(std::shared_ptr<SharedState> state) {
  const std::shared_ptr<SourceSharing> made(new SourceSharing(std::move(state)));
  const std::weak_ptr<SourceSharing> weak = made;
  const auto disturb = [weak] {
    if (const auto self = weak.lock()) self->disturb();
  };
  made->state_->listen(channel, {[weak](std::string_view message) {
                                   if (const auto self = weak.lock()) self->heard(message);
                                 },
                                 disturb});
  made->state_->onReachable([disturb](bool) { disturb(); });
  return made;
}

void SourceSharing::listen(const std::string &source, const std::shared_ptr<Listener> &listener) {
  listeners_.with([&](auto &all) {
    std::erase_if(all, [](const auto &one) { return one.second.expired(); });
    all.emplace(source, listener);
  });
}

void SourceSharing::tell(const std::string &source, What what, std::string_view text) {
  std::string message = "{\"source\":";
  appendJsonString(message, source);
  message += ",\"what\":";
  appendJsonString(message, names.at(static_cast<std::size_t>(what)));
  message += ",\"text\":";
  appendJsonString(message, text);
  message += '}';
  state_->publish(channel, message);
}

// What another version says beyond this one is left alone.
void SourceSharing::heard(std::string_view message) {
  const std::optional<Json> json = readJsonObject(message);
  if (!json) return;
  const auto textOf = [&](const char *name) {
    const Json &found = memberOf(*json, name);
    return found.is_string() ? found.get<std::string>() : std::string();
  };
  const auto *const what = std::find(names.begin(), names.end(), textOf("what"));
  if (what == names.end()) return;
  std::vector<std::shared_ptr<Listener>> told;
  listeners_.with([&](auto &all) {
    const auto [begin, end] = all.equal_range(textOf("source"));
    for (auto one = begin; one != end; ++one)
      if (auto listener = one->second.lock()) told.push_back(std::move(listener));
  });
  for (const auto &listener : told)
    listener->told(static_cast<What>(what - names.begin()), textOf("text"));
}

void SourceSharing::disturb() {
  std::vector<std::shared_ptr<Listener>> all;
  listeners_.with([&](auto &known) {
    for (const auto &[name, one] : known)
      if (auto listener = one.lock()) all.push_back(std::move(listener));
  });
  for (const auto &listener : all) listener->disturbed();
}

} // namespace skillhost

// SPDX-License-Identifier: Apache-2.0
#include "withdrawals.hpp"

#include "mcp/services.hpp"

#include <utility>

namespace skillhost {

void Withdrawals::answer(Waiting &waiting, bool isGone) {
  if (!waiting.isAnswered.exchange(true)) waiting.answer(isGone);
}

void Withdrawals::await(Services &services, const std::string &id, Deadline deadline,
                        Answer answer) {
  const auto one = std::make_shared<Waiting>();
  one->id = id;
  one->answer = std::move(answer);
  waiting_.with([&](auto &all) { all.push_back(one); });
  // The timer ends with the services, before this object.
  services.timer.at(deadline.at(), [this, one] {
    waiting_.with([&](auto &all) { std::erase(all, one); });
    Withdrawals::answer(*one, false);
  });
  // The skill may have gone before anybody waited.
  catalogueChanged(*services.library.catalogue());
}

void Withdrawals::catalogueChanged(const Catalogue &now) {
  std::vector<std::shared_ptr<Waiting>> gone;
  waiting_.with([&](auto &all) {
    std::erase_if(all, [&](const std::shared_ptr<Waiting> &one) {
      if (now.byId(one->id) != nullptr) return false;
      gone.push_back(one);
      return true;
    });
  });
  for (const auto &one : gone) answer(*one, true);
}

} // namespace skillhost

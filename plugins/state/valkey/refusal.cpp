// SPDX-License-Identifier: Apache-2.0
#include "refusal.hpp"

#include "limit.hpp"

#include "ground/shown.hpp"

#include <array>
#include <utility>

namespace skillhost::valkey {
namespace {

constexpr std::array<std::pair<std::string_view, Refusal>, 20> refusalWords{{
    {"WRONGTYPE", Refusal::WrongType},
    {"NOSCRIPT", Refusal::NoScript},
    {"MOVED", Refusal::Moved},
    {"ASK", Refusal::AskRedirect},
    {"TRYAGAIN", Refusal::TryAgain},
    {"CLUSTERDOWN", Refusal::ClusterDown},
    {"READONLY", Refusal::ReadOnly},
    {"MASTERDOWN", Refusal::MasterDown},
    {"LOADING", Refusal::Loading},
    {"BUSY", Refusal::Busy},
    {"OOM", Refusal::Full},
    {"MISCONF", Refusal::Full},
    {"NOREPLICAS", Refusal::Full},
    {"NOPERM", Refusal::NoPermission},
    {"NOAUTH", Refusal::NotLoggedIn},
    {"WRONGPASS", Refusal::NotLoggedIn},
    {"ERR invalid password", Refusal::NotLoggedIn},
    {"ERR value is not an integer", Refusal::NotANumber},
    {"ERR increment or decrement would overflow", Refusal::Overflow},
    {"ERR max number of clients", Refusal::Busy},
}};

bool beginsWith(std::string_view text, std::string_view word) {
  return text.starts_with(word) &&
         (text.size() == word.size() || text[word.size()] == ' ' || word.find(' ') != word.npos);
}

} // namespace

Refusal refusalOf(std::string_view error) noexcept {
  for (const auto &[word, refusal] : refusalWords)
    if (beginsWith(error, word)) return refusal;
  // Version 6.2 writes: "ERR Error running script (call to f_…): @user_script:3: -OOM command not
  // allowed …".
  if (error.starts_with("ERR Error running script"))
    for (const auto &[word, refusal] : refusalWords)
      if (error.find(word) != error.npos) return refusal;
  return Refusal::Other;
}

bool isPassing(Refusal refusal) noexcept {
  switch (refusal) {
  case Refusal::TryAgain:
  case Refusal::ClusterDown:
  case Refusal::ReadOnly:
  case Refusal::MasterDown:
  case Refusal::Loading:
  case Refusal::Busy:
  case Refusal::Full:
    return true;
  default:
    return false;
  }
}

std::string shownError(std::string_view error) {
  constexpr std::size_t most = 300;
  std::string shown = shownLine(error.substr(0, most));
  if (error.size() > most) shown += "...";
  return shown;
}

void throwError(const Reply &reply, const std::string &who) {
  if (!reply.isError()) return;
  const Refusal refusal = refusalOf(reply.text);
  const std::string said = who + ": " + shownError(reply.text);
  switch (refusal) {
  case Refusal::WrongType:
  case Refusal::NotANumber:
    throw skh::Error(SKH_CORRUPT, "what is there is not skillhost's: " + said);
  case Refusal::Overflow:
    throw skh::Error(SKH_INVALID, "the sum does not fit into 64 bits: " + said);
  case Refusal::NoPermission:
    throw skh::Error(SKH_UNAVAILABLE, "the user lacks a right: " + said);
  case Refusal::NotLoggedIn:
    throw skh::Error(SKH_UNAVAILABLE, "the login is not accepted: " + said);
  case Refusal::Full:
    throw skh::Error(SKH_UNAVAILABLE, "the engine takes no writes now: " + said);
  default:
    throw skh::Error(isPassing(refusal) ? SKH_UNAVAILABLE : SKH_FAILED, said);
  }
}

void throwRefusal(const Reply &reply, const std::string &who) {
  if (!reply.isError()) return;
  const Refusal refusal = refusalOf(reply.text);
  if (refusal == Refusal::NoPermission || refusal == Refusal::NotLoggedIn)
    throw LoginRefused(who + ": " + shownError(reply.text));
  throwError(reply, who);
}

} // namespace skillhost::valkey

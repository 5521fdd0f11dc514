// SPDX-License-Identifier: Apache-2.0
#include "review_resource.hpp"

#include "mcp/call.hpp"
#include "review/review_json.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxReviews = 2'000; // of one answer

// Rules of visibility apply to skills of the catalogue. For a withheld skill they cannot say
// whether a caller who does not see everything would see it, so such a caller sees none.
void readReviews(const Reviews &reviews, const CallPointer &call, const std::string &uri) {
  if (!reviews.hasRules() || !call->seesAll())
    return answerOwnResource(call, uri, {{"total", 0}, {"reviews", Json::array()}});
  if (isKnown(*call)) return answerOwnResource(call, uri, reviewsJson(reviews, 0, maxReviews));
  Json numbers = reviewsJson(reviews, 0, 0);
  numbers.erase("approvals");
  if (numbers.contains("problem")) // the problem names the file, and perhaps a skill
    numbers["problem"] = "decisions cannot be read or shared; the server's log says why";
  answerOwnResource(call, uri, numbers);
}

} // namespace

OwnResource reviewResource(Reviews &reviews) {
  return {
      "skillhost://reviews",
      R"({"uri":"skillhost://reviews","name":"reviews","title":"Reviews","description":"For managers: the skills that are withheld or served with a warning by rules of trust, why, and what was decided.","mimeType":"application/json"})",
      Permission::Manage,
      [&reviews](const CallPointer &call, const std::string &uri) {
        readReviews(reviews, call, uri);
      },
      [&reviews](std::function<void()> listener) { reviews.onChange(std::move(listener)); }};
}

} // namespace skillhost

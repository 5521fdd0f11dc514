// SPDX-License-Identifier: Apache-2.0
#include "decision_texts.hpp"

#include "ground/json.hpp"
#include "ground/json_member.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

constexpr int textVersion = 1;
constexpr std::uint64_t lastNumber = std::uint64_t{1} << 53U;
constexpr std::size_t indexDepth = 4;

std::string jsonText(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Returns the text up to the next line end and removes it with its line end; nothing if there is
// none.
std::optional<std::string_view> takeLine(std::string_view &text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

std::optional<std::uint64_t> numberOf(const Json &json) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > lastNumber) return std::nullopt;
  return json.get<std::uint64_t>();
}

Failure notOurs(std::string_view what) {
  return {Fault::InvalidFormat,
          "no replica of this version of skillhost wrote " + std::string(what)};
}

} // namespace

std::string indexText(const DecisionIndex &index) {
  return jsonText({{"version", textVersion}, {"changes", index.changes}, {"skills", index.skills}});
}

Result<DecisionIndex> readIndex(std::string_view text) {
  const Failure refused = notOurs("the index of decisions");
  const auto json = readJsonObject(text, indexDepth);
  if (!json || !(memberOf(*json, "version") == textVersion)) return refused;
  const auto changes = numberOf(memberOf(*json, "changes"));
  const Json &skills = memberOf(*json, "skills");
  if (!changes || !skills.is_array()) return refused;
  DecisionIndex index;
  index.changes = *changes;
  for (const Json &skill : skills) {
    if (!skill.is_string()) return refused;
    index.skills.insert(skill.get<std::string>());
  }
  return index;
}

std::string decisionText(const std::string &skill, const NumberedDecision &decision) {
  Approvals one;
  one.skills.emplace(skill, decision.decision);
  return std::to_string(textVersion) + ' ' + std::to_string(decision.number) + '\n' + one.text();
}

Result<NumberedDecision> readDecision(std::string_view text, const std::string &skill) {
  const Failure refused = notOurs("the decision on " + skill);
  const std::string start = std::to_string(textVersion) + ' ';
  const auto line = takeLine(text);
  if (!line || !line->starts_with(start)) return refused;
  const std::string_view digits = line->substr(start.size());
  NumberedDecision decision;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), decision.number);
  if (error != std::errc() || end != digits.data() + digits.size() || decision.number > lastNumber)
    return refused;
  Result<Approvals> one = Approvals::parse(text, "the decision on " + skill);
  if (!one) return std::move(one).failure();
  const auto found = one->skills.find(skill);
  if (found == one->skills.end() || one->skills.size() != 1) return refused;
  decision.decision = std::move(found->second);
  return decision;
}

std::string copyText(std::string_view service, const NumberedDecisions &decisions) {
  Json numbers = Json::array(); // The numbers are in the order of the decisions.
  for (const auto &[skill, one] : decisions) numbers.push_back(one.number);
  return std::string(service) + '\n' +
         jsonText({{"version", textVersion}, {"numbers", std::move(numbers)}}) + '\n' +
         approvalsOf(decisions).text();
}

Result<NumberedDecisions> readCopy(std::string_view text, std::string_view service) {
  const Failure refused = notOurs("the copy of decisions");
  if (takeLine(text) != service) return {Fault::NotFound, "it is of another service"};
  const auto line = takeLine(text);
  const auto json = line ? readJsonObject(*line, indexDepth) : std::nullopt;
  if (!json || !(memberOf(*json, "version") == textVersion)) return refused;
  Result<Approvals> approvals = Approvals::parse(text, "the copy of decisions");
  if (!approvals) return std::move(approvals).failure();
  const Json &numbers = memberOf(*json, "numbers");
  if (!numbers.is_array() || numbers.size() != approvals->skills.size()) return refused;
  NumberedDecisions out;
  std::size_t place = 0;
  for (auto &[skill, decision] : approvals->skills) {
    const auto number = numberOf(numbers[place++]);
    if (!number) return refused;
    out[skill] = {*number, std::move(decision)};
  }
  return out;
}

Approvals approvalsOf(const NumberedDecisions &decisions) {
  Approvals out;
  for (const auto &[skill, one] : decisions) out.skills.emplace(skill, one.decision);
  return out;
}

} // namespace skillhost

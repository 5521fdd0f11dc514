// SPDX-License-Identifier: Apache-2.0
#include "mcp/tool.hpp"

#include "access/access.hpp"
#include "call_members.hpp"
#include "ground/json_member.hpp"
#include "ground/utf8.hpp"
#include "mcp/authorization.hpp"
#include "mcp/services.hpp"
#include "mcp/tool_names.hpp"
#include "rpc/known_clients.hpp"
#include "rpc/result_limit.hpp"
#include "runtime/guards.hpp"

#include <algorithm>
#include <array>

namespace skillhost {

void ToolCall::audit(std::chrono::milliseconds duration) const {
  const Json &name = memberOf(call_->params(), "name");
  if (name.is_string() && !call_->deadline().isNever())
    logIfSlow(name.get_ref<const std::string &>(), duration, call_->timeLimit());
}

std::size_t roomOf(const Services &services, ResultForm form) {
  const std::size_t all = services.settings.limits.responseBytes;
  return form == ResultForm::Both ? all / 2 : all;
}

std::size_t ToolCall::room() const { return roomOf(services(), form()); }

std::size_t ToolCall::roomForText(const Tool &tool) const {
  return std::min(room(), shownCharacters(clientNameOf(*call_), tool.maxResultCharacters));
}

void ToolCall::succeed(const ToolResult &result, std::string_view warning) const {
  const std::chrono::milliseconds duration = call_->elapsed();
  audit(duration);
  call_->toolResult(
      envelopeWithin(result, duration, services().settings.limits.responseBytes, form_), nullptr,
      warning);
}

void ToolCall::fail(const Failure &failure, std::string context,
                    std::chrono::milliseconds retryAfter) const {
  if (!call_->isFinished()) services().callMetrics.onToolFailed(*call_, failure.fault);
  const ToolFailure failed{failureForCaller(*call_, failure), std::move(context), retryAfter};
  call_->toolResult(envelope(failed, call_->elapsed(), form_), &failure);
}

std::string maxResultMember(const Tool &tool) {
  return R"("anthropic/maxResultSizeChars":)" + std::to_string(tool.maxResultCharacters);
}

void ToolCall::fail(const WrongArguments &wrong) const {
  fail(wrong.refusal().failure, wrong.refusal().context);
}

std::span<const Tool *const> toolsOfTheServer() {
  static constexpr std::array<const Tool *, 8> tools{
      &listSkillsTool,  &findHelpfulSkillsTool, &loadSkillTool, &readSkillDocumentTool,
      &unloadSkillTool, &loadedSkillsTool,      &reloadTool,    &statisticsTool};
  return tools;
}

std::vector<std::string> toolNames() {
  std::vector<std::string> names;
  for (const Tool *const tool : toolsOfTheServer()) names.emplace_back(tool->name);
  return names;
}

// Rules of visibility apply to skills in the catalogue. Nobody can say which of the withheld skills
// a caller with a limited view would see, so a reviewer must see all.
bool isReviewer(const Call &call) {
  const Services &services = call.services();
  return services.withholds && isKnown(call) &&
         services.access->permissions().mayReview(call.principal().get()) && call.seesAll();
}

namespace {

// Hosts add these to the arguments of every tool, whatever its schema says: n8n adds the first
// four, Cursor and others the fifth and the sixth if a tool has no arguments, and clients that mix
// up the levels of a call the last one. doc/tools.md lists them.
constexpr std::array<std::string_view, 7> addedByHosts{
    "toolCallId", "sessionId", "chatInput", "action", "random_string", "_placeholder", "_meta"};

} // namespace

Arguments::Arguments(const Json &arguments, std::initializer_list<std::string_view> allowed)
    : arguments_(arguments) {
  for (const auto &[key, value] : arguments.get_ref<const Json::object_t &>()) {
    if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) {
      any_ = true;
      continue;
    }
    if (std::find(addedByHosts.begin(), addedByHosts.end(), key) != addedByHosts.end()) continue;
    std::string names;
    for (const std::string_view name : allowed)
      (names += names.empty() ? "" : ", ") += std::string(name);
    wrong(Fault::InvalidInput, key,
          "unknown; " +
              (names.empty() ? "this tool takes no arguments" : "this tool takes " + names));
  }
}

void Arguments::wrong(Fault fault, std::string_view name, std::string why,
                      std::optional<std::int64_t> limit, std::optional<std::int64_t> actual) {
  constexpr std::size_t longestShown = 100; // bytes
  if (wrong_.size() == maxViolations) return;
  wrong_.push_back({fault, "arguments." + std::string(cutUtf8(name, longestShown)), std::move(why),
                    limit, actual});
}

const Json *Arguments::find(const char *name) const {
  const Json &found = memberOf(arguments_, name);
  // An explicit null counts as an argument that was left out.
  return found.is_null() ? nullptr : &found;
}

std::string Arguments::text(const char *name) {
  const Json *const value = find(name);
  if (value == nullptr) {
    wrong(Fault::MissingRequiredField, name, "required");
    return {};
  }
  if (value->is_string() && value->get_ref<const std::string &>().empty())
    wrong(Fault::InvalidInput, name, "is empty");
  return text(name, {});
}

std::string Arguments::text(const char *name, std::string fallback) {
  const Json *const value = find(name);
  if (value == nullptr) return fallback;
  if (value->is_string()) return value->get<std::string>();
  wrong(Fault::InvalidInput, name, std::string("must be a string, not ") + value->type_name());
  return fallback;
}

std::int64_t Arguments::integer(const char *name, std::int64_t fallback, std::int64_t minimum,
                                std::int64_t maximum) {
  const Json *const value = find(name);
  if (value == nullptr) return fallback;
  const std::string range = std::to_string(minimum) + " to " + std::to_string(maximum);
  if (!value->is_number_integer()) {
    wrong(Fault::InvalidInput, name,
          "must be an integer from " + range + ", not " + value->type_name());
    return fallback;
  }
  // An unsigned value past int64 would turn negative. It is above every range.
  const bool huge = value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX;
  const std::int64_t number = huge ? INT64_MAX : value->get<std::int64_t>();
  if (number >= minimum && number <= maximum && !huge) return number;
  wrong(Fault::InvalidInput, name, value->dump() + " is not in the range " + range,
        number < minimum ? minimum : maximum,
        huge ? std::nullopt : std::optional<std::int64_t>(number));
  return fallback;
}

bool Arguments::flag(const char *name, bool fallback) {
  const Json *const value = find(name);
  if (value == nullptr) return fallback;
  if (value->is_boolean()) return value->get<bool>();
  wrong(Fault::InvalidInput, name, std::string("must be true or false, not ") + value->type_name());
  return fallback;
}

} // namespace skillhost

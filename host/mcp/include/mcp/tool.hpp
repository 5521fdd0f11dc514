// SPDX-License-Identifier: Apache-2.0
// A tool: its description for clients, and the function that answers a call.
#pragma once

#include "access/permissions.hpp"
#include "ground/json.hpp"
#include "mcp/call.hpp"
#include "rpc/envelope.hpp"
#include "runtime/deadlines.hpp"
#include "runtime/violation.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

struct Tool;
// The refusal of a call, with all faults in its arguments.
class WrongArguments {
public:
  explicit WrongArguments(ToolFailure refusal) : refusal_(std::move(refusal)) {}
  const ToolFailure &refusal() const noexcept { return refusal_; }

private:
  ToolFailure refusal_;
};

// Returns the maximum size of a result in bytes, in each of the forms in which it is sent.
std::size_t roomOf(const Services &services, ResultForm form);

// Describes a call of a tool. Copies stand for the same call.
class ToolCall {
public:
  ToolCall(CallPointer call, const Json &arguments)
      : call_(std::move(call)), arguments_(&arguments), form_(call_->resultForm()) {}

  const Json &arguments() const noexcept { return *arguments_; } // an object, within its limits
  const CallPointer &call() const noexcept { return call_; }
  Services &services() const noexcept { return call_->services(); }
  ClientSession &session() const noexcept { return call_->session(); }
  CallOptions options() const { return call_->options(); }
  ResultForm form() const noexcept { return form_; }
  std::size_t room() const; // see roomOf()
  // Returns the maximum size of the text of a long result in bytes: what the client shows its
  // model.
  std::size_t roomForText(const Tool &tool) const;

  // Answer the call. Only the first answer has an effect. Any thread. If `warning` is not empty,
  // the log has it in place of "ok".
  void succeed(const ToolResult &result, std::string_view warning = {}) const;
  void fail(const Failure &failure, std::string context = {},
            std::chrono::milliseconds retryAfter = {}) const;
  void fail(const WrongArguments &wrong) const;

private:
  void
  audit(std::chrono::milliseconds duration) const; // logs a call that took most of its time limit

  CallPointer call_;
  const Json *arguments_; // inside the call
  ResultForm form_;
};

struct Tool {
  std::string_view name, title, description;
  ToolCategory category;
  Permission need; // permission that a caller needs
  bool readOnly;   // true if it changes nothing, not even the skills that the session has loaded
  std::string_view inputSchema, dataSchema; // JSON; dataSchema is that of the envelope's data
  // Answers a call; null if a feature does that, see FeatureTool.
  void (*run)(const ToolCall &call);
  // Added to the description if a session knows what is loaded.
  std::string_view sessionDescription{};
  // An argument whose value only the data of results contains; clients that get text do not see it.
  std::string_view dataOnlyArgument{};
  // The length of results that the tool declares, because some clients then show more of them; 0:
  // it declares none.
  std::size_t maxResultCharacters = 0;
};

// The largest value of it that Claude Code accepts.
inline constexpr std::size_t maxToolCharacters = 500'000;

// Returns the member of a definition's `_meta` that declares it.
std::string maxResultMember(const Tool &tool);

// Returns the tools that the server has without any feature, in the order in which they are listed.
std::span<const Tool *const> toolsOfTheServer();

extern const Tool listSkillsTool, findHelpfulSkillsTool, readSkillDocumentTool, loadSkillTool,
    unloadSkillTool, loadedSkillsTool, reloadTool, statisticsTool;

// Returns the bytes of the answer of list_skills to an object of arguments; nothing if the answer
// has to be made.
std::optional<std::size_t> keptListSize(const Call &call, const Json &arguments);

// True if the caller is a reviewer: an auth plugin says who calls, this caller may review and sees
// all skills, and there is something to review.
bool isReviewer(const Call &call);
// True if the caller is offered the tool and may call it. Tools that need Permission::Review are
// only for reviewers.
inline bool isOffered(const Tool &tool, const Call &call) {
  return tool.need != Permission::Review || isReviewer(call);
}

// Reads a tool's arguments by name and type. Collects all faults, so that the client learns of all
// of them at once; the function that reads a faulty argument returns its default.
class Arguments {
public:
  Arguments(const Json &arguments, std::initializer_list<std::string_view> allowed);

  std::string text(const char *name); // required, not empty
  std::string text(const char *name, std::string fallback);
  std::int64_t integer(const char *name, std::int64_t fallback, std::int64_t minimum,
                       std::int64_t maximum);
  bool flag(const char *name, bool fallback);

  bool any() const noexcept { return any_; } // true if an allowed argument is there
  bool good() const noexcept { return wrong_.empty(); }
  WrongArguments failure() const { return WrongArguments(refusalOf(wrong_)); } // when not good

private:
  const Json *find(const char *name) const;
  void wrong(Fault fault, std::string_view name, std::string why,
             std::optional<std::int64_t> limit = {}, std::optional<std::int64_t> actual = {});

  const Json &arguments_;
  bool any_ = false;
  std::vector<Violation> wrong_;
};

} // namespace skillhost

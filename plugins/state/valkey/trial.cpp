// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include "refusal.hpp"
#include "scripts.hpp"

#include "ground/random.hpp"
#include "ground/shown.hpp"

#include <charconv>

namespace skillhost::valkey {
namespace {

constexpr std::string_view trialSpan = "60000"; // milliseconds, in case the removal fails

std::string fieldOf(std::string_view info, std::string_view name) {
  const std::string wanted = "\n" + std::string(name) + ":";
  const std::size_t at = info.find(wanted);
  if (at == info.npos) return {};
  const std::size_t from = at + wanted.size();
  return std::string(info.substr(from, info.find_first_of("\r\n", from) - from));
}

void refuseIfNot(bool isRight, const char *what) {
  if (!isRight)
    throw skh::Error(SKH_INVALID, std::string(what) +
                                      ": the engine does something else: it is no Valkey or Redis");
}

} // namespace

EngineInfo readEngineInfo(std::string_view info) {
  const std::string limit = fieldOf(info, "maxmemory");
  return {fieldOf(info, "redis_version"), fieldOf(info, "maxmemory_policy"),
          !limit.empty() && limit != "0", fieldOf(info, "aof_enabled") == "1"};
}

bool isNewEnough(std::string_view version) {
  constexpr int minMajor = 6, minMinor = 2;
  int major = 0, minor = 0;
  const char *const end = version.data() + version.size();
  const auto [dot, error] = std::from_chars(version.data(), version.data() + version.size(), major);
  if (error != std::errc{} || dot == end || *dot != '.') return true;
  if (std::from_chars(dot + 1, end, minor).ec != std::errc{}) return true;
  return major > minMajor || (major == minMajor && minor >= minMinor);
}

void Trial::run(const Limit &limit) {
  if (settings_.sendsPasswordUnencrypted && !hasWarned_.exchange(true))
    host_.log(SKH_WARN, "the password and all that is shared go over the network without TLS");
  for (const NodePointer &node : engine_.connectToAll(limit)) checkNode(node, limit);
  tryCommands(limit);
}

void Trial::checkNode(const NodePointer &node, const Limit &limit) {
  const std::string who = node->address().text();
  const Reply reply = node->ask(commandOf({"INFO"}), limit, Repeat::IfLost);
  // No right to INFO, but the trial of commands shows what matters.
  if (reply.kind != Reply::Kind::Text) return;
  const EngineInfo about = readEngineInfo(reply.text);
  if (!isNewEnough(about.version))
    throw skh::Error(SKH_INVALID,
                     who + " is version " + shownLine(about.version) + "; 6.2 or newer is needed");
  if (about.limitsMemory && about.evictionPolicy != "noeviction")
    host_.log(SKH_WARN, who + ": maxmemory-policy is " + shownLine(about.evictionPolicy) +
                            ": when memory is short the engine forgets sessions and limits " +
                            "that are in use; noeviction refuses new ones instead");
  if (!about.appendsToDisk)
    host_.log(SKH_INFO, who + ": appendonly is off: a restart of the engine may forget what was " +
                            "written last");
}

Reply Trial::require(std::string_view key, std::string_view command, const char *what,
                     const Limit &limit) {
  Reply reply = engine_.ask(key, command, limit);
  if (!reply.isError()) return reply;
  const Refusal refusal = refusalOf(reply.text);
  const std::string said = std::string(what) + " is refused: " + shownError(reply.text);
  if (isPassing(refusal)) throw skh::Error(SKH_UNAVAILABLE, said);
  throw skh::Error(SKH_INVALID, said);
}

void Trial::tryCommands(const Limit &limit) {
  const std::string key = settings_.checkPrefix + "check:" + randomHex(8);
  refuseIfNot(require(key, commandOf({"SET", key, "1", "NX", "PX", trialSpan}), "SET", limit)
                  .isStatus("OK"),
              "SET");
  refuseIfNot(require(key, commandOf({"GET", key}), "GET", limit).text == "1", "GET");
  refuseIfNot(require(key, commandOf({"GETEX", key, "PX", trialSpan}), "GETEX", limit).text == "1",
              "GETEX");
  // EVAL also loads the scripts, so that the first operations find them.
  refuseIfNot(require(key, scriptCommand("EVAL", addScript().body, key, {"1", trialSpan}),
                      "EVAL of a script with EXISTS, INCRBY, PEXPIRE and GET", limit)
                      .text == "2",
              "INCRBY");
  refuseIfNot(require(key,
                      scriptCommand("EVAL", compareAndSetScript().body, key, {"2", "3", trialSpan}),
                      "EVAL of a script with GET and SET", limit)
                      .integer == 1,
              "EVAL");
  refuseIfNot(
      require(key,
              scriptCommand("EVALSHA", compareAndSetScript().digest, key, {"2", "3", trialSpan}),
              "EVALSHA", limit)
              .integer == 0,
      "EVALSHA");
  refuseIfNot(require(key, scriptCommand("EVAL", compareAndEraseScript().body, key, {"3"}),
                      "EVAL of a script with GET and DEL", limit)
                      .integer == 1,
              "EVAL");
  refuseIfNot(require(key, commandOf({"DEL", key}), "DEL", limit).integer == 0, "DEL");
  tryListening(key, limit);
  refuseIfNot(require(key, commandOf({"PUBLISH", key, ""}), "PUBLISH", limit).kind ==
                  Reply::Kind::Integer,
              "PUBLISH");
}

void Trial::tryListening(const std::string &channel, const Limit &limit) {
  const std::unique_ptr<Connection> connection = engine_.openForSubscriptions(limit);
  const Reply reply = connection->ask(commandOf({"SUBSCRIBE", channel}), limit);
  if (reply.isError())
    throw skh::Error(SKH_INVALID, "SUBSCRIBE is refused: " + shownError(reply.text));
  refuseIfNot(reply.kind == Reply::Kind::List, "SUBSCRIBE");
}

} // namespace skillhost::valkey

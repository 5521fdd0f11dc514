// SPDX-License-Identifier: Apache-2.0
#include "check/check.hpp"

#include "board.hpp"
#include "bounds.hpp"
#include "cache_directory.hpp"
#include "cases.hpp"
#include "ground/utf8.hpp"
#include "process.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <sys/wait.h>

namespace skillhost::check {
namespace {

std::string lastLine(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  const std::size_t begin = text.rfind('\n');
  return mendUtf8(cutUtf8(begin == std::string::npos ? text : text.substr(begin + 1), 300));
}

std::string lastLineAsSuffix(const std::string &text) {
  return text.empty() ? std::string{} : "; it said: " + lastLine(text);
}

std::string inSeconds(std::chrono::milliseconds span) {
  const std::string rest = std::to_string(span.count() % 1000);
  const std::string fraction = rest == "0" ? "" : '.' + std::string(3 - rest.size(), '0') + rest;
  return std::to_string(span.count() / 1000) + fraction + " s";
}

Verdict verdictOf(std::uint32_t value) {
  return value <= static_cast<std::uint32_t>(Verdict::Skipped) ? static_cast<Verdict>(value)
                                                               : Verdict::Failed;
}

struct CheckResult {
  Outcome outcome;
  bool blocks = false;
  bool needsOfflineRun = false; // an auth plugin, which is also checked without a network
};

// Returns the result of a check by its report and the end of its process, which may happen without
// a report or after one.
CheckResult resultOf(std::string_view name, const Ended &ended, BoardData &data,
                     std::chrono::milliseconds limit) {
  CheckResult result;
  Outcome &out = result.outcome;
  out = {std::string(name), verdictOf(data.verdict), mendUtf8(textOf(data.found)),
         mendUtf8(textOf(data.advice)), ended.took};
  result.blocks = data.blocks != 0;
  result.needsOfflineRun = data.needsOfflineRun != 0;
  const bool reported = data.reported != 0;
  const bool hasPassed = reported && out.verdict != Verdict::Failed;
  const std::string where = " in " + mendUtf8(textOf(data.step));
  const auto failed = [&](std::string found, std::string advice) {
    out.verdict = Verdict::Failed;
    out.found = std::move(found);
    out.advice = std::move(advice);
    result.blocks = true;
  };
  if (reported && !hasPassed) return result;
  if (ended.timedOut)
    failed(reported ? "the process does not end within " + inSeconds(limit) + " after all is done"
                    : "hangs: not back after " + inSeconds(limit) + where,
           "poll cancelled() at least every 50 ms, and give every wait an end");
  else if (WIFSIGNALED(ended.status))
    failed("crashes: " + signalName(WTERMSIG(ended.status)) + (reported ? " at exit" : where) +
               lastLineAsSuffix(ended.error),
           reported
               ? "no exit handler of a plugin may use what is gone by then"
               : "skillhost try repeats single calls, below gdb too: set follow-fork-mode child");
  else if (!reported)
    failed("ends the process with exit code " + std::to_string(WEXITSTATUS(ended.status)) + where +
               lastLineAsSuffix(ended.error),
           "a plugin never ends the process: return a status");
  else if (ended.output.find(canary) != std::string::npos ||
           ended.error.find(canary) != std::string::npos)
    failed("a credential is on standard output or error",
           "say what is wrong with a token, never what it is");
  else if (!ended.output.empty())
    failed("writes to standard output, which belongs to the protocol" +
               lastLineAsSuffix(ended.output),
           "say it with host->log");
  else if (!ended.error.empty() && out.verdict == Verdict::Ok) {
    out.verdict = Verdict::Warning;
    out.found = "writes to standard error" + lastLineAsSuffix(ended.error);
    out.advice = "say it with host->log, which knows levels and masks secrets";
  }
  return result;
}

// Runs the checks one after the other. A plugin gets sockets only if the check "entry" has found
// that it declares them.
class Checking {
public:
  explicit Checking(const Request &request) : request_(request) {}

  CheckResult run(std::string_view name) {
    CheckResult result = runOnce(name);
    if (result.needsOfflineRun && result.outcome.verdict != Verdict::Failed)
      mergeResults(result, runOnce(authOffline));
    return result;
  }
  std::string confinement;
  bool confined = true;

private:
  // Returns true if the check's process may open sockets. To know that, the check "entry" runs
  // first, without sockets.
  bool mayHaveSockets(std::string_view name) {
    if (request_.trusted || name == "elf" || name == "load" || name == "entry") return false;
    if (!needsSockets_) runOnce("entry");
    return needsSockets_.value_or(false);
  }

  CheckResult runOnce(std::string_view name) {
    const CacheDirectory cache;
    Board board;
    BoardData &data = board.data();
    put(data.cacheDirectory, cache.path());
    put(data.step, "start");
    put(data.configuration, request_.configuration);
    data.configured = request_.configuration.empty() ? 0 : 1;
    const Bounds bounds{request_.trusted, mayHaveSockets(name), request_.mayRead};
    std::vector<std::string> arguments{request_.program, "check-one", std::string(name),
                                       request_.plugin};
    for (std::string &word : bounds.toArguments()) arguments.push_back(std::move(word));
    ConfinementReport report;
    const Ended ended = runProcess(arguments, {board.descriptor(), report.descriptor()},
                                   request_.limit, Streams::Capture, environmentOf(bounds));
    report.read();
    if (name == "entry") needsSockets_ = data.sockets != 0;
    if (!report.text.empty()) confinement = report.text;
    confined = confined && report.complete;
    return resultOf(name, ended, data, request_.limit);
  }

  // Adds the result of the second part of a check to the first.
  static void mergeResults(CheckResult &first, CheckResult second) {
    first.outcome.took += second.outcome.took;
    if (second.outcome.verdict == Verdict::Ok && first.outcome.verdict == Verdict::Ok) {
      first.outcome.found += second.outcome.found;
    } else if (second.outcome.verdict != Verdict::Ok) {
      first.outcome.verdict = second.outcome.verdict;
      first.outcome.found = std::move(second.outcome.found);
      first.outcome.advice = std::move(second.outcome.advice);
      first.blocks = first.blocks || second.blocks;
    }
  }

  const Request &request_;
  std::optional<bool> needsSockets_;
};

} // namespace

std::vector<std::string_view> checkNames() {
  std::vector<std::string_view> names;
  for (const Case &one : allCases()) names.push_back(one.name);
  return names;
}

Report checkPlugin(const Request &request, const std::function<void(const Outcome &)> &onOutcome) {
  Report report;
  Checking checking(request);
  std::set<std::string_view> blocking;
  const auto isSelected = [&](std::string_view name) {
    return request.only.empty() ||
           std::find(request.only.begin(), request.only.end(), name) != request.only.end();
  };
  for (const Case &one : allCases()) {
    if (!isSelected(one.name)) continue;
    const auto obstacle =
        std::find_if(one.needs.begin(), one.needs.end(),
                     [&](std::string_view need) { return blocking.contains(need); });
    CheckResult result;
    if (obstacle != one.needs.end())
      result = {{std::string(one.name),
                 Verdict::Skipped,
                 "makes no sense before " + std::string(*obstacle) + " is right",
                 "",
                 {}},
                true,
                false};
    else
      result = checking.run(one.name);
    if (result.blocks) blocking.insert(one.name);
    result.outcome.wasPrevented = result.outcome.verdict == Verdict::Skipped && result.blocks;
    onOutcome(result.outcome);
    report.outcomes.push_back(std::move(result.outcome));
  }
  report.confinement = checking.confinement;
  report.confined = checking.confined;
  return report;
}

} // namespace skillhost::check

// SPDX-License-Identifier: Apache-2.0
#include "check/check.hpp"

#include "base/utf8.hpp"
#include "board.hpp"
#include "cache_directory.hpp"
#include "cases.hpp"
#include "process.hpp"

#include <algorithm>
#include <set>

#include <sys/wait.h>

namespace skillhost::check {
namespace {

std::string lastLine(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  const std::size_t begin = text.rfind('\n');
  return mendUtf8(cutUtf8(begin == std::string::npos ? text : text.substr(begin + 1), 300));
}

std::string quoted(const std::string &text) {
  return text.empty() ? std::string{} : "; it said: " + lastLine(text);
}

std::string inSeconds(std::chrono::milliseconds span) {
  const std::string rest = std::to_string(span.count() % 1000);
  const std::string fraction = rest == "0" ? "" : '.' + std::string(3 - rest.size(), '0') + rest;
  return std::to_string(span.count() / 1000) + fraction + " s";
}

struct Judged {
  Outcome outcome;
  bool blocks = false;
};

// What the process's end says when it has said nothing itself, or something after it.
Judged judge(std::string_view name, const Ended &ended, BoardData &data,
             std::chrono::milliseconds limit) {
  Judged judged;
  Outcome &out = judged.outcome;
  out = {std::string(name), static_cast<Verdict>(data.verdict), data.found.data(),
         data.advice.data(), ended.took};
  judged.blocks = data.blocks != 0;
  const bool reported = data.reported != 0;
  const bool good = reported && out.verdict != Verdict::Failed;
  const std::string where = std::string(" in ") + data.step.data();
  const auto failed = [&](std::string found, std::string advice) {
    out.verdict = Verdict::Failed;
    out.found = std::move(found);
    out.advice = std::move(advice);
    judged.blocks = true;
  };
  if (reported && !good) return judged;
  if (ended.timedOut)
    failed(reported ? "the process does not end within " + inSeconds(limit) + " after all is done"
                    : "hangs: not back after " + inSeconds(limit) + where,
           "poll cancelled() at least every 50 ms, and give every wait an end");
  else if (WIFSIGNALED(ended.status))
    failed("crashes: " + signalName(WTERMSIG(ended.status)) + (reported ? " at exit" : where) +
               quoted(ended.error),
           reported
               ? "no exit handler of a plugin may use what is gone by then"
               : "skillhost try repeats single calls, below gdb too: set follow-fork-mode child");
  else if (!reported)
    failed("ends the process with exit code " + std::to_string(WEXITSTATUS(ended.status)) + where +
               quoted(ended.error),
           "a plugin never ends the process: return a status");
  else if (ended.output.find(canary) != std::string::npos ||
           ended.error.find(canary) != std::string::npos)
    failed("a credential is on standard output or error",
           "say what is wrong with a token, never what it is");
  else if (!ended.output.empty())
    failed("writes to standard output, which belongs to the protocol" + quoted(ended.output),
           "say it with host->log");
  else if (!ended.error.empty() && out.verdict == Verdict::Ok) {
    out.verdict = Verdict::Warning;
    out.found = "writes to standard error" + quoted(ended.error);
    out.advice = "say it with host->log, which knows levels and masks secrets";
  }
  return judged;
}

Judged runCase(const Request &request, std::string_view name) {
  const CacheDirectory cache;
  Board board;
  BoardData &data = board.data();
  put(data.cacheDirectory, cache.path());
  put(data.step, "start");
  put(data.configuration, request.configuration);
  data.configured = request.configuration.empty() ? 0 : 1;
  const Ended ended = runProcess({request.program, "check-one", std::string(name), request.plugin},
                                 {board.descriptor()}, request.limit, Streams::Capture);
  return judge(name, ended, data, request.limit);
}

} // namespace

std::vector<std::string_view> checkNames() {
  std::vector<std::string_view> names;
  for (const Case &one : allCases()) names.push_back(one.name);
  return names;
}

std::vector<Outcome> checkPlugin(const Request &request,
                                 const std::function<void(const Outcome &)> &heard) {
  std::vector<Outcome> outcomes;
  std::set<std::string_view> blocking;
  const auto wanted = [&](std::string_view name) {
    return request.only.empty() ||
           std::find(request.only.begin(), request.only.end(), name) != request.only.end();
  };
  for (const Case &one : allCases()) {
    if (!wanted(one.name)) continue;
    const auto obstacle =
        std::find_if(one.needs.begin(), one.needs.end(),
                     [&](std::string_view need) { return blocking.contains(need); });
    Judged judged;
    if (obstacle != one.needs.end())
      judged = {{std::string(one.name),
                 Verdict::Skipped,
                 "makes no sense before " + std::string(*obstacle) + " is right",
                 "",
                 {}},
                true};
    else
      judged = runCase(request, one.name);
    if (judged.blocks) blocking.insert(one.name);
    heard(judged.outcome);
    outcomes.push_back(std::move(judged.outcome));
  }
  return outcomes;
}

} // namespace skillhost::check

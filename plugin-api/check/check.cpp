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

std::string quoted(const std::string &text) {
  return text.empty() ? std::string{} : "; it said: " + lastLine(text);
}

std::string inSeconds(std::chrono::milliseconds span) {
  const std::string rest = std::to_string(span.count() % 1000);
  const std::string fraction = rest == "0" ? "" : '.' + std::string(3 - rest.size(), '0') + rest;
  return std::to_string(span.count() / 1000) + fraction + " s";
}

Verdict verdictOf(std::uint32_t told) {
  return told <= static_cast<std::uint32_t>(Verdict::Skipped) ? static_cast<Verdict>(told)
                                                              : Verdict::Failed;
}

struct Judged {
  Outcome outcome;
  bool blocks = false;
  bool reachesOthers = false; // must also be checked without a network
};

// Judges a check by its report and the end of its process, which may happen without a report or
// after one.
Judged judge(std::string_view name, const Ended &ended, BoardData &data,
             std::chrono::milliseconds limit) {
  Judged judged;
  Outcome &out = judged.outcome;
  out = {std::string(name), verdictOf(data.verdict), mendUtf8(textOf(data.found)),
         mendUtf8(textOf(data.advice)), ended.took};
  judged.blocks = data.blocks != 0;
  judged.reachesOthers = data.reachesOthers != 0;
  const bool reported = data.reported != 0;
  const bool good = reported && out.verdict != Verdict::Failed;
  const std::string where = " in " + mendUtf8(textOf(data.step));
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

// Runs checks one after the other. The rights of a process depend on the results of earlier checks.
class Checking {
public:
  explicit Checking(const Request &request) : request_(request) {}

  Judged run(std::string_view name) {
    Judged judged = runAlone(name);
    if (judged.reachesOthers && judged.outcome.verdict != Verdict::Failed)
      join(judged, runAlone(authOffline));
    return judged;
  }
  std::string confinement;
  bool confined = true;

private:
  // The entry must be examined first, without sockets, to see whether a plugin needs them.
  bool mayHaveSockets(std::string_view name) {
    if (request_.trusted || name == "elf" || name == "load" || name == "entry") return false;
    if (!sockets_) runAlone("entry");
    return sockets_.value_or(false);
  }

  Judged runAlone(std::string_view name) {
    const CacheDirectory cache;
    Board board;
    BoardData &data = board.data();
    put(data.cacheDirectory, cache.path());
    put(data.step, "start");
    put(data.configuration, request_.configuration);
    data.configured = request_.configuration.empty() ? 0 : 1;
    const Bounds bounds{request_.trusted, mayHaveSockets(name), request_.mayRead};
    std::vector<std::string> words{request_.program, "check-one", std::string(name),
                                   request_.plugin};
    for (std::string &word : bounds.words()) words.push_back(std::move(word));
    ConfinementReport told;
    const Ended ended = runProcess(words, {board.descriptor(), told.descriptor()}, request_.limit,
                                   Streams::Capture, environmentOf(bounds));
    told.read();
    if (name == "entry") sockets_ = data.sockets != 0;
    if (!told.text.empty()) confinement = told.text;
    confined = confined && told.complete;
    return judge(name, ended, data, request_.limit);
  }

  // Adds the result of the second part of a check to the first.
  static void join(Judged &first, Judged second) {
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
  std::optional<bool> sockets_;
};

} // namespace

std::vector<std::string_view> checkNames() {
  std::vector<std::string_view> names;
  for (const Case &one : allCases()) names.push_back(one.name);
  return names;
}

Report checkPlugin(const Request &request, const std::function<void(const Outcome &)> &heard) {
  Report report;
  Checking checking(request);
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
                true,
                false};
    else
      judged = checking.run(one.name);
    if (judged.blocks) blocking.insert(one.name);
    heard(judged.outcome);
    report.outcomes.push_back(std::move(judged.outcome));
  }
  report.confinement = checking.confinement;
  report.confined = checking.confined;
  return report;
}

} // namespace skillhost::check

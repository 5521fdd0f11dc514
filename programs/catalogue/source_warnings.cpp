// SPDX-License-Identifier: Apache-2.0
#include "source_warnings.hpp"

#include "base/log_export.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace skillhost::app {
namespace {

// Removes the additions of the host and the clock from a message such as "team: list: https://…:
// the remote answers 404; next try in 30 s".
std::string_view reasonIn(const std::string &source, std::string_view failure) {
  if (failure.starts_with(source + ": ")) {
    failure.remove_prefix(source.size() + 2);
    for (const std::string_view operation : {"list: ", "changes: "})
      if (failure.starts_with(operation)) failure.remove_prefix(operation.size());
  }
  return withoutNextTry(failure);
}

} // namespace

std::string_view withoutNextTry(std::string_view failure) {
  return failure.substr(0, failure.rfind("; next try in "));
}

struct SourceWarnings::CollectedLines {
  struct Line {
    std::string who, what;
    bool isTold = false; // shown by the log, by of() or as the caller's failure
  };
  std::mutex mutex;
  std::vector<Line> lines;
};

SourceWarnings::SourceWarnings() : lines_(std::make_shared<CollectedLines>()) {
  log::exportTo(this, [collected = lines_](const log::ExportedLine &line) {
    if (line.level < LogLevel::Warning) return;
    const std::lock_guard lock(collected->mutex);
    collected->lines.push_back({std::string(line.part), std::string(line.text), line.isLogged});
  });
}

SourceWarnings::~SourceWarnings() { log::exportTo(this, nullptr); }

std::vector<std::string> SourceWarnings::of(const std::string &source,
                                            std::string_view failure) const {
  const std::string_view reason = reasonIn(source, failure);
  const std::string start = source + ": "; // prefix of a plugin in its own process
  std::vector<std::string> found;
  const std::lock_guard lock(lines_->mutex);
  for (CollectedLines::Line &line : lines_->lines) {
    // This repeats the failure that the caller shows.
    if (!failure.empty() && line.who == "skills" &&
        line.what.starts_with("refresh failed: " + start)) {
      line.isTold = true;
      continue;
    }
    const bool isProcess = line.who == "plugin" && line.what.starts_with(start);
    const bool isSkill = line.who == "skills" && line.what.starts_with(source + '/');
    if (line.who != source && !isProcess && !isSkill) continue;
    line.isTold = true;
    std::string text = isProcess ? line.what.substr(start.size()) : line.what;
    const bool isFailure = !reason.empty() && text.starts_with(reason);
    if (!isFailure && std::find(found.begin(), found.end(), text) == found.end())
      found.push_back(std::move(text));
  }
  return found;
}

std::vector<std::string> SourceWarnings::others() const {
  std::vector<std::string> found;
  const std::lock_guard lock(lines_->mutex);
  for (const CollectedLines::Line &line : lines_->lines) {
    std::string text = line.who + ": " + line.what;
    if (!line.isTold && std::find(found.begin(), found.end(), text) == found.end())
      found.push_back(std::move(text));
  }
  return found;
}

} // namespace skillhost::app

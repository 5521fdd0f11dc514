// SPDX-License-Identifier: Apache-2.0
#include "commands/source_warnings.hpp"

#include "base/log_export.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace skillhost::app {
namespace {

// "team: list: https://…: the remote answers 404; next try in 30 s" without what the host and the
// clock have put around it.
std::string_view reasonIn(const std::string &source, std::string_view failure) {
  if (failure.starts_with(source + ": ")) {
    failure.remove_prefix(source.size() + 2);
    for (const std::string_view operation : {"list: ", "changes: "})
      if (failure.starts_with(operation)) failure.remove_prefix(operation.size());
  }
  return failure.substr(0, failure.rfind("; next try in "));
}

} // namespace

struct SourceWarnings::Heard {
  std::mutex mutex;
  std::vector<std::pair<std::string, std::string>> lines; // who, and what
};

SourceWarnings::SourceWarnings() : heard_(std::make_shared<Heard>()) {
  log::exportTo([heard = heard_](const log::ExportedLine &line) {
    if (line.level < LogLevel::Warning) return;
    const std::lock_guard lock(heard->mutex);
    heard->lines.emplace_back(line.part, line.text);
  });
}

SourceWarnings::~SourceWarnings() { log::exportTo(nullptr); }

std::vector<std::string> SourceWarnings::of(const std::string &source,
                                            std::string_view failure) const {
  const std::string_view reason = reasonIn(source, failure);
  const std::string start = source + ": "; // of a plugin in a process of its own
  std::vector<std::string> found;
  const std::lock_guard lock(heard_->mutex);
  for (const auto &[who, what] : heard_->lines) {
    const bool isProcess = who == "plugin" && what.starts_with(start);
    if (who != source && !isProcess) continue;
    std::string text = isProcess ? what.substr(start.size()) : what;
    const bool isTold = !reason.empty() && text.starts_with(reason);
    if (!isTold && std::find(found.begin(), found.end(), text) == found.end())
      found.push_back(std::move(text));
  }
  return found;
}

} // namespace skillhost::app

// SPDX-License-Identifier: Apache-2.0
// Follows one source: lists it, reads what is new, keeps the last good state. Never blocks.
#pragma once

#include "plugin/source.hpp"
#include "skills/builder.hpp"
#include "skills/source_skills.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace skillhost {

class SourceTracker : public std::enable_shared_from_this<SourceTracker> {
public:
  // `settled` is called after each refresh, on a thread of the source's lane; must not block.
  // `cancel` gives up what is under way. `rules` must outlive the source's lane.
  SourceTracker(std::shared_ptr<Source> source, const SkillRules &rules, CancelToken cancel,
                std::function<void()> settled);

  // Asks the source what is new; `full` lists all of it. One refresh at a time: another one asked
  // for meanwhile follows right after. Any thread.
  void refresh(bool full);
  SourceResult result() const;
  bool refreshing() const;
  // How many refreshes have begun: a refresh asked for now is done when one begun after now is.
  std::uint64_t finished() const;

private:
  void begin(bool full);
  void take(Snapshot snapshot);
  void read(std::shared_ptr<PendingSkills> pending);
  void finish(std::shared_ptr<const SourceSkills> skills, std::string failure);

  const std::shared_ptr<Source> source_;
  const SkillRules &rules_;
  const CallOptions options_;
  const std::function<void()> settled_;
  mutable std::mutex mutex_;
  std::shared_ptr<const SourceSkills> skills_;
  std::string failure_;
  bool busy_ = false, again_ = false, againFull_ = false;
  std::uint64_t finished_ = 0;
};

} // namespace skillhost

// SPDX-License-Identifier: Apache-2.0
// Keeps a history of each skill that is served. Who serves pays for a push into a bounded queue; a
// thread of its own writes, and answers what is asked. Losing the file loses history, never a
// request.
#pragma once

#include "plugin/observer.hpp"
#include "settings.hpp"
#include "skill_version.hpp"
#include "skills/catalogue.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct VersionRules {
  std::size_t longestText = 64U << 10U;   // bytes of a SKILL.md; a longer one is not kept
  std::size_t waitingBytes = 16U << 20U;  // of texts that wait to be written; the rest is not kept
  std::chrono::milliseconds pause{1'000}; // before a file that another process holds is tried again
  std::chrono::milliseconds again{10'000}; // after the file could not be used
};

// Any thread.
class VersionRecorder final : public Observer {
public:
  // Opens the file with the first thing to write or to answer. Throws std::system_error when no
  // thread can be started.
  explicit VersionRecorder(VersionSettings settings, VersionRules rules = {});
  ~VersionRecorder() override;

  // Marks of the sources by name: skills of a source have one history as long as its mark is the
  // same, and a source without a mark has none. Before the catalogue that has the sources.
  void follow(std::map<std::string, std::string> marks);
  // The bytes of a SKILL.md that has been read to make `skill`, which may or may not be served.
  void entryRead(const Skill &skill, std::string_view bytes) noexcept override;
  // The catalogue that is served from now on. Of several that follow upon each other at once those
  // in between may be left out.
  void catalogueChanged(std::shared_ptr<const Catalogue> now) noexcept override;

  // The newest first, of the skill of this id; empty when none is known. Answered on the thread of
  // this; Unavailable while the file cannot be used or when many ask, Cancelled at the end.
  void list(std::string skill,
            const std::function<void(Result<std::vector<SkillVersion>>)> &answer);
  // NotFound when that skill has no such version.
  void show(std::string skill, std::int64_t version,
            const std::function<void(Result<VersionContent>)> &answer);

  // Waits until what was told before is in the file; false when `span` was too short.
  bool flush(std::chrono::milliseconds span);
  // Writes no more and answers nobody after it. Not on the thread of this.
  void stop();
  const VersionSettings &settings() const noexcept;

private:
  class Implementation;
  const std::unique_ptr<Implementation> implementation_;
};

} // namespace skillhost

// SPDX-License-Identifier: Apache-2.0
// Keeps a history of each served skill. A request costs a push into a bounded queue; a thread of
// its own writes, and answers questions. A loss of the file loses history, but never a request.
#pragma once

#include "plugin/observer.hpp"
#include "settings.hpp"
#include "skill_version.hpp"
#include "skills/catalogue.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct VersionRules {
  std::size_t maxTextBytes = 64U << 10U; // in bytes of a SKILL.md; a longer one is not kept
  // Bytes of texts that may wait to be written; further ones are not kept.
  std::size_t waitingBytes = 16U << 20U;
  // Before another attempt if another process holds the file.
  std::chrono::milliseconds pause{1'000};
  std::chrono::milliseconds retryInterval{10'000}; // after the file could not be used
};

// Any thread.
class VersionRecorder final : public Observer {
public:
  // Opens the file with the first write or question. Throws std::system_error if no thread can be
  // started.
  explicit VersionRecorder(VersionSettings settings, VersionRules rules = {});
  ~VersionRecorder() override;

  // Sets the marks of the sources by name. The skills of a source have one history as long as its
  // mark is the same; a source without a mark has none. Call it before the catalogue with these
  // sources.
  void follow(std::map<std::string, std::string> marks);
  // Receives the bytes of a SKILL.md that was read for `skill`, which may not be served in the end.
  void entryRead(const Skill &skill, std::string_view bytes) noexcept override;
  // Receives the catalogue that is served from now on. If several follow each other quickly, those
  // in between may be left out.
  void catalogueChanged(std::shared_ptr<const Catalogue> now,
                        std::uint64_t generation) noexcept override;

  // Answers with the versions of the skill with this id, the newest first; empty if none is known.
  // Answers on the thread of this object. Fails with Unavailable if the file cannot be used or many
  // are waiting, and with Cancelled at the end.
  void list(std::string skill,
            const std::function<void(Result<std::vector<SkillVersion>>)> &answer);
  // Fails with NotFound if that skill has no such version.
  void show(std::string skill, std::int64_t version,
            const std::function<void(Result<VersionContent>)> &answer);

  // Waits until everything that was received is in the file; false if `span` was too short.
  bool flush(std::chrono::milliseconds span);
  // Stops writing, and refuses questions with Cancelled. Do not call it on the thread of this
  // object.
  void stop();
  const VersionSettings &settings() const noexcept;

private:
  class Implementation;
  const std::unique_ptr<Implementation> implementation_;
};

} // namespace skillhost

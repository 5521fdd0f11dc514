// SPDX-License-Identifier: Apache-2.0
// Reads the files of skills: from the cache, else from their source, and a SKILL.md as an agent
// gets it, with its heading and with paths that can be used. All that is kept is under the revision
// that the catalogue names, so that nothing else is ever served.
#pragma once

#include "base/cache.hpp"
#include "ground/fragments.hpp"
#include "plugin/call.hpp"
#include "skillmd/reader_content.hpp"
#include "skillmd/skill_heading.hpp"
#include "skills/library.hpp"
#include "skills/skill_copies.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace skillhost {

// For whom skills are rendered.
struct ReadingRules {
  PathStyle paths = PathStyle::Absolute; // skills without a local folder get URIs anyway
  std::string projectRoot;               // absolute, or empty
  std::size_t maxCharacters = 0;         // of a rendered document; 0: unlimited
  // Skills without a folder for readers are copied below this folder when they are loaded; empty:
  // they are not copied.
  std::string copies{};
};

// A SKILL.md as it is loaded: serialised once, sent many times.
struct RenderedSkill {
  // The heading about the skill's files and the rendered text, as one JSON string. A model has seen
  // in a list what matters of the front matter: the text comes without it, unless its description
  // is longer than lists have it.
  std::shared_ptr<const std::string> jsonText;
  std::size_t headingBytes = 0; // of the first, as text
  std::size_t textAt = 0;       // where what stands behind the front matter begins in jsonText
  std::string frontMatter;      // with what stands before it: as JSON, without quotes
  std::string digest;           // "sha256:…" of the raw bytes
  std::size_t rawBytes = 0;
  bool truncated = false;

  // All of it as plain text.
  std::string plainText() const;
  // The document alone, front matter and all, as a JSON string.
  Fragments documentAlone() const;
};

struct LoadedContent {
  std::shared_ptr<const RenderedSkill> rendered;
  bool cached = false;
  bool isMoved = false; // its files have just been copied to the folder that it names
};

struct DocumentBytes {
  std::vector<Result<std::shared_ptr<const std::string>>> each; // in the order they were asked for
  bool cached = false;                                          // all of them
};

// Any thread. What is not in the cache comes by a call of the source, and the answer on a thread of
// its executor; else at once, on the thread that asks. A document that is no more what the
// catalogue listed fails with Stale, and makes the library ask the sources what is new; one whose
// source is gone fails with Unavailable.
class SkillReader {
public:
  // Both outlive it and what it was asked.
  SkillReader(Library &library, Cache &cache, ReadingRules rules)
      : library_(library), cache_(cache), rules_(std::move(rules)), copies_(rules_.copies) {}

  // The SKILL.md, rendered. `remote`: how a reader gets at the files who has not their folder.
  // `options` makes the CallOptions of the call, if there has to be one; `isServed` makes a
  // SkillCopies::IsServed, if the skill is to be copied: without it none is.
  template <class MakeOptions, class Then, class MakeIsServed = std::nullptr_t>
  void load(const std::shared_ptr<const Skill> &skill, Reach remote, const MakeOptions &options,
            Then then, const MakeIsServed &isServed = nullptr) {
    if constexpr (!std::is_null_pointer_v<MakeIsServed>)
      if (copies_.wants(*skill))
        return copyAndRender(skill, remote, options(), isServed(), std::move(then));
    const std::shared_ptr<const Skill> here = onDisk(skill);
    const Reach reach = reachOf(*here, remote);
    if (auto kept = rendered(*here, reach)) return then(LoadedContent{std::move(kept), true});
    render(here, reach, options(), std::move(then));
  }
  // The bytes of those files of the skill (indices into Skill::files), each of at most `limit`
  // bytes, else TooLarge.
  void read(const std::shared_ptr<const Skill> &skill, const std::vector<std::size_t> &files,
            std::size_t limit, CallOptions options,
            const std::function<void(const DocumentBytes &)> &then);
  // Returns the text of a Markdown document of the skill, with paths that its reader can use as
  // load_skill has them; of one of more than 1 MiB, and of any other file, `bytes`, which are those
  // that read() has given.
  std::shared_ptr<const std::string> textFor(const Skill &skill, std::size_t file,
                                             const std::shared_ptr<const std::string> &bytes);
  // True if textFor() rewrites the paths in a file of that name.
  static bool isRewritten(std::string_view path) noexcept;
  // Where the reader has the files of the skill; empty: nowhere.
  std::string folderOf(const Skill &skill) const { return local() ? skill.folder : std::string(); }
  // Takes what no catalogue names any more out of the cache: it would take room until its time is
  // over. Removes the copies that are not served any more.
  void forget(const std::shared_ptr<const Catalogue> &now, const Catalogue &before);
  // The skill with the folder in which a reader on this machine finds it, or a copy of it.
  std::shared_ptr<const Skill> onDisk(const std::shared_ptr<const Skill> &skill) const {
    return copies_.onDisk(skill);
  }
  // Whether a reader shares a file system with the skills, so that absolute paths are of use.
  bool local() const noexcept { return rules_.paths == PathStyle::Absolute; }

private:
  Reach reachOf(const Skill &skill, Reach remote) const noexcept {
    return local() && !skill.folder.empty() ? Reach::Folder : remote;
  }
  std::shared_ptr<const RenderedSkill> rendered(const Skill &skill, Reach reach);
  void render(const std::shared_ptr<const Skill> &skill, Reach reach, CallOptions options,
              Answer<LoadedContent> answer);
  void copyAndRender(const std::shared_ptr<const Skill> &skill, Reach remote,
                     const CallOptions &options, const SkillCopies::IsServed &isServed,
                     const Answer<LoadedContent> &answer);
  void refreshIfStale(const Failure &failure);

  Library &library_;
  Cache &cache_;
  const ReadingRules rules_;
  SkillCopies copies_;
};

} // namespace skillhost

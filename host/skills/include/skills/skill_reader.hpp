// SPDX-License-Identifier: Apache-2.0
// Reads the files of skills from the cache or from their source, and renders a SKILL.md for an
// agent, with its heading and with paths that can be used. Everything is cached under the revision
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

// The readers for whom skills are rendered.
struct ReadingRules {
  PathStyle paths = PathStyle::Absolute; // skills without a local folder get URIs anyway
  std::string projectRoot;               // absolute, or empty
  std::size_t maxCharacters = 0;         // of a rendered document; 0: unlimited
  // Skills without a folder for readers are copied below this folder when they are loaded; if it is
  // empty, they are not copied.
  std::string copies{};
};

// A SKILL.md as it is loaded. It is serialised once and sent many times.
struct RenderedSkill {
  // The heading about the skill's files and the rendered text, as one JSON string. The text has no
  // front matter, because a model has seen the important part of that in a list, unless the
  // description is longer than lists show it.
  std::shared_ptr<const std::string> jsonText;
  std::size_t headingBytes = 0; // length of the heading, as text
  std::size_t textAt = 0;       // where the text behind the front matter begins in jsonText
  std::string frontMatter;      // with the text before it, as JSON without quotes
  std::string digest;           // "sha256:…" of the raw bytes
  std::size_t rawBytes = 0;
  bool truncated = false;

  // Returns heading and text as plain text.
  std::string plainText() const;
  // Returns the document without the heading, but with the front matter, as a JSON string.
  Fragments documentAlone() const;
};

struct LoadedContent {
  std::shared_ptr<const RenderedSkill> rendered;
  bool cached = false;
  bool isMoved = false; // its files were just copied to the folder that it names
};

struct DocumentBytes {
  std::vector<Result<std::shared_ptr<const std::string>>> each; // in the order of the request
  bool cached = false;                                          // all came from the cache
};

// Any thread. Documents that are not cached come by a call into the source, and the answer runs on
// a thread of its executor; else it runs at once, on the calling thread. A document that differs
// from the one that the catalogue listed fails with Stale, and makes the library ask the sources
// for changes. A document whose source is gone fails with Unavailable.
class SkillReader {
public:
  // Both must outlive the reader and its calls.
  SkillReader(Library &library, Cache &cache, ReadingRules rules)
      : library_(library), cache_(cache), rules_(std::move(rules)), copies_(rules_.copies) {}

  // Loads the SKILL.md, rendered. `remote` is the way to the files for a reader who does not have
  // their folder. `options` makes the CallOptions of the call, if one is needed. `isServed` makes a
  // SkillCopies::IsServed if the skill is to be copied; without it nothing is copied.
  template <class MakeOptions, class Then, class MakeIsServed = std::nullptr_t>
  void load(const std::shared_ptr<const Skill> &skill, Reach remote, const MakeOptions &options,
            Then then, const MakeIsServed &isServed = nullptr) {
    if constexpr (!std::is_null_pointer_v<MakeIsServed>)
      if (copies_.shouldCopy(*skill))
        return copyAndRender(skill, remote, options(), isServed(), std::move(then));
    const std::shared_ptr<const Skill> here = onDisk(skill);
    const Reach reach = reachOf(*here, remote);
    if (auto kept = rendered(*here, reach)) return then(LoadedContent{std::move(kept), true});
    render(here, reach, options(), std::move(then));
  }
  // Reads these files of the skill (indices into Skill::files). A file of more than `limit` bytes
  // fails with TooLarge.
  void read(const std::shared_ptr<const Skill> &skill, const std::vector<std::size_t> &files,
            std::size_t limit, CallOptions options,
            const std::function<void(const DocumentBytes &)> &then);
  // Returns the text of a Markdown document of the skill, with paths that its reader can use, as
  // load_skill has them. For a document of more than 1 MiB and for any other file it returns
  // `bytes`, which must come from read().
  std::shared_ptr<const std::string> textFor(const Skill &skill, std::size_t file,
                                             const std::shared_ptr<const std::string> &bytes);
  // True if textFor() rewrites the paths in a file of that name.
  static bool isRewritten(std::string_view path) noexcept;
  // Returns the folder where the reader has the skill's files; empty if there is none.
  std::string folderOf(const Skill &skill) const { return local() ? skill.folder : std::string(); }
  // Removes from the cache what no catalogue names any more, because it would take room until it
  // expires. Removes the copies that are no longer served.
  void dropUnserved(const std::shared_ptr<const Catalogue> &now, const Catalogue &before);
  // Returns the skill with the folder in which a reader on this machine finds it, or a copy of it.
  std::shared_ptr<const Skill> onDisk(const std::shared_ptr<const Skill> &skill) const {
    return copies_.onDisk(skill);
  }
  // True if readers share a file system with the skills, so that absolute paths are of use.
  bool local() const noexcept { return rules_.paths == PathStyle::Absolute; }

private:
  Reach reachOf(const Skill &skill, Reach remote) const noexcept {
    return local() && !skill.folder.empty() ? Reach::Folder : remote;
  }
  std::shared_ptr<const RenderedSkill> rendered(const Skill &skill, Reach reach);
  void render(const std::shared_ptr<const Skill> &skill, Reach reach, CallOptions options,
              ResultCallback<LoadedContent> answer);
  void copyAndRender(const std::shared_ptr<const Skill> &skill, Reach remote,
                     const CallOptions &options, const SkillCopies::IsServed &isServed,
                     const ResultCallback<LoadedContent> &answer);
  void refreshIfStale(const Failure &failure);

  Library &library_;
  Cache &cache_;
  const ReadingRules rules_;
  SkillCopies copies_;
};

} // namespace skillhost

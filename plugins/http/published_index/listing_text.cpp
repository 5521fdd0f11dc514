// SPDX-License-Identifier: Apache-2.0
#include "index_text.hpp"

#include "base/log.hpp"
#include "ground/json_text.hpp"
#include "ground/sha256.hpp"
#include "ground/utf8.hpp"

#include <algorithm>
#include <atomic>

namespace skillhost {
namespace {

// The specification of skills allows no longer descriptions; SKILL.md contains the whole text.
constexpr std::size_t maxDescriptionLength = 1'024; // characters

// The state of one index that is being written, skill by skill.
struct IndexWriting : std::enable_shared_from_this<IndexWriting> {
  std::shared_ptr<Artefacts> artefacts;
  std::shared_ptr<const Catalogue> catalogue; // owns the entries
  std::vector<const CatalogueEntry *> entries;
  IndexLayout layout;
  std::function<void(IndexText)> written;
  std::size_t next = 0;
  IndexText index;
  bool isFirst = true;

  void add(const std::string &entry) {
    index.text += (isFirst ? "\n" : ",\n") + entry;
    isFirst = false;
  }

  void begin() {
    index.text = layout.begin;
    if (!layout.first.empty()) add(layout.first);
    proceed();
  }

  void take(const CatalogueEntry &entry, const Result<ArtefactPointer> &made) {
    if (made && !(*made)->leak.empty())
      log::warning("server", entry.skill->id +
                                 " is not published, unless http.publish_leaked_keys "
                                 "is true: " +
                                 (*made)->leak);
    else if (made)
      add(layout.entry(entry, (*made)->digest));
    else if (made.failure().fault == Fault::TooLarge)
      log::warning("server", "is not published: " + made.failure().message);
    else if (index.missing.empty())
      index.missing = entry.skill->id + ": " + made.failure().message;
  }

  // If an answer arrives at once, this loop continues; otherwise the answer calls proceed(). So the
  // stack stays short.
  void proceed() {
    while (next < entries.size()) {
      const CatalogueEntry &entry = *entries[next++];
      if (const std::string digest = artefacts->digestOf(*entry.skill); !digest.empty()) {
        add(layout.entry(entry, digest));
        continue;
      }
      const auto arrived = std::make_shared<std::atomic<bool>>(false);
      artefacts->make(entry.skill, [self = shared_from_this(), &entry,
                                    arrived](const Result<ArtefactPointer> &made) {
        self->take(entry, made);
        if (arrived->exchange(true)) self->proceed();
      });
      if (!arrived->exchange(true)) return;
    }
    index.text += "\n]}\n";
    index.digest = sha256Hex(index.text);
    written(std::move(index));
  }
};

} // namespace

bool isPublishedName(std::string_view name) noexcept {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), fits) &&
         name.front() != '-' && name.back() != '-' && name.find("--") == std::string_view::npos;
}

std::string publishedPath(const CatalogueEntry &entry) {
  return entry.name + (isDocument(*entry.skill) ? "/SKILL.md" : ".tar.gz");
}

std::string_view publishedDescription(const CatalogueEntry &entry) noexcept {
  return firstCharacters(entry.skill->fields.description, maxDescriptionLength);
}

IndexLayout agentSkillsLayout() {
  IndexLayout layout;
  layout.begin =
      R"({"$schema":"https://schemas.agentskills.io/discovery/0.2.0/schema.json","skills":[)";
  layout.entry = [](const CatalogueEntry &entry, const std::string &digest) {
    std::string text = R"({"name":")" + entry.name + R"(","type":")" +
                       (isDocument(*entry.skill) ? "skill-md" : "archive") + R"(","description":)";
    appendJsonString(text, publishedDescription(entry));
    text += R"(,"url":")" + std::string(publishedFolder) + publishedPath(entry) +
            R"(","digest":"sha256:)" + digest + "\"}";
    return text;
  };
  return layout;
}

void writeIndexText(const std::shared_ptr<Artefacts> &artefacts,
                    std::shared_ptr<const Catalogue> catalogue,
                    std::vector<const CatalogueEntry *> entries, IndexLayout layout,
                    std::function<void(IndexText)> written) {
  const auto writing = std::make_shared<IndexWriting>();
  writing->artefacts = artefacts;
  writing->catalogue = std::move(catalogue);
  writing->entries = std::move(entries);
  writing->layout = std::move(layout);
  writing->written = std::move(written);
  writing->begin();
}

} // namespace skillhost

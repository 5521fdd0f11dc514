// SPDX-License-Identifier: Apache-2.0
#include "listing_text.hpp"

#include "base/log.hpp"
#include "ground/json_text.hpp"
#include "ground/sha256.hpp"
#include "ground/utf8.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace skillhost {
namespace {

// The specification of skills allows no longer descriptions; SKILL.md contains the whole text.
constexpr std::size_t maxDescriptionLength = 1'024; // characters

constexpr std::string_view indexBeginning =
    R"({"$schema":"https://schemas.agentskills.io/discovery/0.2.0/schema.json","skills":[)";

std::string indexEntry(const CatalogueEntry &entry, const std::string &digest) {
  std::string text = R"({"name":")" + entry.name + R"(","type":")" +
                     (isDocument(*entry.skill) ? "skill-md" : "archive") + R"(","description":)";
  appendJsonString(text, publishedDescription(entry));
  return text + R"(,"url":")" + std::string(publishedFolder) + publishedPath(entry) +
         R"(","digest":"sha256:)" + digest + "\"}";
}

// True if the skill can probably be read in a moment.
bool mayPass(Fault fault) noexcept {
  return fault == Fault::Unavailable || fault == Fault::Stale || fault == Fault::ToolTimeout ||
         fault == Fault::RateLimited || fault == Fault::MemoryPressure;
}

// Appends an entry to a JSON array that is open.
void append(std::string &text, const std::string &entry) {
  text += text.ends_with('[') ? "\n" : ",\n";
  text += entry;
}

void close(ListingText &listing) {
  listing.text += "\n]}\n";
  listing.digest = sha256Hex(listing.text);
}

// The state of a listing that is being written, skill by skill.
struct ListingWriting : std::enable_shared_from_this<ListingWriting> {
  ListingWriting(std::shared_ptr<Artefacts> with, const AiCatalog &as)
      : artefacts(std::move(with)), aiCatalog(as) {
    listing.index.text = indexBeginning;
    if (aiCatalog.isPossible()) listing.aiCatalog.text = aiCatalog.beginning();
  }

  const std::shared_ptr<Artefacts> artefacts;
  const AiCatalog &aiCatalog;
  std::shared_ptr<const Catalogue> catalogue; // owns the entries
  std::vector<const CatalogueEntry *> entries;
  std::string whose;
  std::function<void(PublishedListing)> written;
  std::size_t next = 0;
  PublishedListing listing;

  void add(const CatalogueEntry &entry, const std::string &digest) {
    append(listing.index.text, indexEntry(entry, digest));
    if (aiCatalog.isPossible()) append(listing.aiCatalog.text, aiCatalog.entry(entry, digest));
  }

  void take(const CatalogueEntry &entry, const Result<ArtefactPointer> &made) {
    if (made && !(*made)->leak.empty())
      log::warning("server", entry.skill->id +
                                 " is not published, unless http.publish_leaked_keys "
                                 "is true: " +
                                 (*made)->leak);
    else if (made)
      add(entry, (*made)->digest);
    else if (made.failure().fault == Fault::TooLarge)
      log::warning("server", "is not published: " + made.failure().message);
    else {
      if (listing.missing.empty() && made.failure().fault != Fault::RateLimited)
        listing.missing = entry.skill->id + ": " + made.failure().message;
      listing.isMissingForNow = listing.isMissingForNow || mayPass(made.failure().fault);
    }
  }

  // If an answer arrives at once, this loop continues; otherwise the answer calls proceed(). So the
  // stack stays short.
  void proceed() {
    while (next < entries.size()) {
      const CatalogueEntry &entry = *entries[next++];
      if (const std::string digest = artefacts->digestOf(*entry.skill); !digest.empty()) {
        add(entry, digest);
        continue;
      }
      const auto arrived = std::make_shared<std::atomic<bool>>(false);
      artefacts->make(
          entry.skill, whose,
          [self = shared_from_this(), &entry, arrived](const Result<ArtefactPointer> &made) {
            self->take(entry, made);
            if (arrived->exchange(true)) self->proceed();
          });
      if (!arrived->exchange(true)) return;
    }
    close(listing.index);
    if (aiCatalog.isPossible()) close(listing.aiCatalog);
    written(std::move(listing));
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

void writeListing(const std::shared_ptr<Artefacts> &artefacts, const AiCatalog &aiCatalog,
                  std::shared_ptr<const Catalogue> catalogue,
                  std::vector<const CatalogueEntry *> entries, std::string whose,
                  std::function<void(PublishedListing)> written) {
  const auto writing = std::make_shared<ListingWriting>(artefacts, aiCatalog);
  writing->catalogue = std::move(catalogue);
  writing->entries = std::move(entries);
  writing->whose = std::move(whose);
  writing->written = std::move(written);
  writing->proceed();
}

bool lacksSource(const Catalogue &whole, const Catalogue &seen, const std::vector<Glob> &sources) {
  const auto isServed = [&](const std::string &name) {
    return std::any_of(sources.begin(), sources.end(),
                       [&](const Glob &glob) { return glob.matches(name); }) &&
           std::any_of(seen.sources().begin(), seen.sources().end(),
                       [&](const SourceStatus &one) { return one.name == name; });
  };
  return std::any_of(whole.sources().begin(), whole.sources().end(), [&](const SourceStatus &one) {
    return one.state() == "failed" && !one.isAbsent && isServed(one.name);
  });
}

} // namespace skillhost

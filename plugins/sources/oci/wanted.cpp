// SPDX-License-Identifier: Apache-2.0
#include "wanted.hpp"

#include "ground/hexadecimal.hpp"
#include "ground/text.hpp"
#include "oci/digest.hpp"
#include "paths/names.hpp"

#include <algorithm>

namespace skillhost::oci_source {
namespace {

constexpr std::uint64_t maxCatalogueBytes = std::uint64_t{4} << 20U;
constexpr std::size_t shownBytes = 80;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// Returns the leading run of digits, or of other characters.
std::string_view firstRun(std::string_view text) {
  const bool digits = isDigit(text.front());
  const auto end =
      std::find_if(text.begin(), text.end(), [&](char c) { return isDigit(c) != digits; });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

// Returns a value below, equal to or above 0. Runs of digits are compared as numbers of any length.
int compareNaturally(std::string_view one, std::string_view other) {
  while (!one.empty() && !other.empty()) {
    const std::string_view a = firstRun(one), b = firstRun(other);
    one.remove_prefix(a.size());
    other.remove_prefix(b.size());
    int order = 0;
    if (isDigit(a.front()) && isDigit(b.front())) {
      const std::string_view x = a.substr(std::min(a.find_first_not_of('0'), a.size())),
                             y = b.substr(std::min(b.find_first_not_of('0'), b.size()));
      order = x.size() == y.size() ? x.compare(y) : x.size() < y.size() ? -1 : 1;
    } else {
      order = a.compare(b);
    }
    if (order != 0) return order;
  }
  return one.empty() ? (other.empty() ? 0 : -1) : 1;
}

// Returns the parts before and after the first '-'.
std::pair<std::string_view, std::string_view> versionOf(std::string_view tag) {
  if (tag.size() > 1 && tag.front() == 'v' && isDigit(tag[1])) tag.remove_prefix(1);
  const std::size_t dash = tag.find('-');
  if (dash == tag.npos) return {tag, {}};
  return {tag.substr(0, dash), tag.substr(dash + 1)};
}

// True for "sha256-….sig" and the like, tags with data about another artefact.
bool isAboutAnother(std::string_view tag) {
  constexpr std::string_view prefix = "sha256-";
  return tag.starts_with(prefix) && isHexadecimal(tag.substr(prefix.size()).substr(0, 64), 64);
}

// Each manifest of the index is an artefact of the same repository.
std::vector<Reference> entriesOf(const oci::Manifest &index, const Reference &catalogue) {
  std::vector<Reference> all;
  for (const oci::Descriptor &one : index.manifests) {
    Reference entry = catalogue;
    entry.tag.clear();
    entry.digest = one.digest;
    all.push_back(std::move(entry));
  }
  return all;
}

} // namespace

bool isNewerTag(std::string_view one, std::string_view other) {
  const auto [a, aRest] = versionOf(one);
  const auto [b, bRest] = versionOf(other);
  if (const int order = compareNaturally(a, b); order != 0) return order > 0;
  if (aRest.empty() != bRest.empty()) return aRest.empty();
  if (const int order = compareNaturally(aRest, bRest); order != 0) return order > 0;
  return one > other;
}

std::vector<std::string> chooseTags(std::vector<std::string> tags, const Settings &settings) {
  std::erase_if(tags, [&](const std::string &tag) {
    return isAboutAnother(tag) || !paths::applies(settings.tags, tag);
  });
  std::sort(tags.begin(), tags.end(), isNewerTag);
  tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
  if (settings.take == Take::newest && tags.size() > 1) tags.resize(1);
  return tags;
}

std::vector<Reference> readCatalogue(std::string_view text, const Settings &settings,
                                     const Say &say) {
  std::vector<Reference> all;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    const std::string_view line = trimmedLine(whole.substr(0, whole.find('#')));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    const std::string where = "the catalogue's line " + std::to_string(number) + ", \"" +
                              paths::printable(line.substr(0, shownBytes)) + "\", left out: ";
    const std::optional<Reference> read = oci::readReference(line);
    if (!read)
      say(where + "it is no reference");
    else if (!settings.registries.contains(read->registry))
      say(where + "allow_registries does not name " + read->registry);
    else
      all.push_back(*read);
  }
  return all;
}

std::vector<Reference> tagsOfRepository(const Settings &settings, Registries &registries,
                                        remote::Operation &operation, const Say &say) {
  const Reference &repository = *settings.repository;
  const std::vector<std::string> tags =
      chooseTags(registries.of(repository).tags(operation, repository), settings);
  if (tags.empty()) say(repository.name() + ": no tag matches (tags)");
  std::vector<Reference> all;
  for (const std::string &tag : tags) {
    all.push_back(repository);
    all.back().tag = tag;
  }
  return all;
}

std::vector<Reference> entriesOfCatalogue(const Settings &settings, Registries &registries,
                                          remote::Operation &operation, const Say &say) {
  const Reference &where = *settings.catalogue;
  oci::Registry &registry = registries.of(where);
  const oci::FetchedManifest fetched = registry.manifest(operation, where, where.manifest());
  try {
    const oci::Manifest manifest = oci::readManifest(fetched.bytes, fetched.mediaType);
    if (manifest.isIndex) return entriesOf(manifest, where);
    std::vector<Reference> all;
    for (const oci::Descriptor &layer : manifest.layers) {
      if (oci::kindOf(layer) == oci::LayerKind::tar)
        throw oci::ContentError("a layer of it is an archive, " + layer.mediaType +
                                ", and no text of references");
      const std::string text = registry.blob(operation, where, layer, maxCatalogueBytes);
      for (Reference &one : readCatalogue(text, settings, say)) all.push_back(std::move(one));
    }
    return all;
  } catch (const oci::ContentError &error) {
    throw oci::ContentError("catalogue " + where.text() + ": " + error.what());
  }
}

void limitArtefacts(std::vector<Reference> &all, const Settings &settings, const Say &say) {
  std::set<std::string> known;
  std::erase_if(all, [&](const Reference &one) { return !known.insert(one.text()).second; });
  if (all.size() <= settings.limits.artefacts) return;
  say("there are " + std::to_string(all.size()) + " artefacts, and may be " +
      std::to_string(settings.limits.artefacts) + " (max_artefacts): the last are left out");
  all.resize(settings.limits.artefacts);
}

} // namespace skillhost::oci_source

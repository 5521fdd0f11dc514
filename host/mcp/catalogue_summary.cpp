// SPDX-License-Identifier: Apache-2.0
#include "catalogue_summary.hpp"

#include "ground/utf8.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

constexpr std::string_view ellipsis = "…";
constexpr std::size_t minWords = 24;     // a shorter description is not worth its room
constexpr std::size_t closingBytes = 90; // for the line that says how to see more
constexpr std::string_view searchFirst = "call find_helpful_skills with the task";

// Returns the length of the blank or line end at `at`; 0 if there is none.
std::size_t blankAt(std::string_view text, std::size_t at) {
  if (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r')) return 1;
  if (text[at] != '\xC2' && text[at] != '\xE2') return 0;
  if (text.substr(at, 2) == "\u0085") return 2;
  return text.substr(at, 3) == "\u2028" || text.substr(at, 3) == "\u2029" ? 3 : 0;
}

// True if the full stop at `stop` belongs to "e.g.", "i.e." or "vs.", not to a sentence.
bool withinWord(std::string_view line, std::size_t stop) {
  const bool letter = stop >= 2 && std::isalpha(static_cast<unsigned char>(line[stop - 1])) != 0;
  return (letter && line[stop - 2] == '.') || line.substr(0, stop).ends_with(" vs");
}

// The end of a sentence depends on no more bytes than these behind it.
constexpr std::size_t lookedAhead = 4;

// Returns the end of the sentence that goes on at `from`, or the end of the line.
std::size_t sentenceEnd(std::string_view line, std::size_t from) {
  constexpr std::string_view ideographicStop = "。";
  for (std::size_t i = from; i < line.size(); ++i) {
    if (line.substr(i).starts_with(ideographicStop)) return i + ideographicStop.size();
    const bool mark = line[i] == '.' || line[i] == '!' || line[i] == '?';
    if (!mark || (line[i] == '.' && withinWord(line, i))) continue;
    if (i + 1 == line.size()) return line.size();
    if (line[i + 1] != ' ') continue;
    if (i + 2 < line.size() && std::islower(static_cast<unsigned char>(line[i + 2])) != 0) continue;
    return i + 1;
  }
  return line.size();
}

// Returns as many whole sentences as there is room for, or else the beginning of the first.
std::string opening(std::string_view line, std::size_t bytes) {
  if (line.size() <= bytes) return std::string(line);
  std::size_t whole = 0;
  for (std::size_t end = sentenceEnd(line, 0); end <= bytes; end = sentenceEnd(line, end)) {
    whole = end;
    if (end == line.size()) break;
  }
  return whole != 0 ? std::string(line.substr(0, whole)) : cutBetweenWords(line, bytes);
}

struct Named {
  std::string name;
  std::string_view description; // of the catalogue
};

std::string withDescriptions(const std::vector<Named> &all, std::size_t width) {
  std::string out;
  for (const Named &one : all)
    ((((out += "\n- ") += one.name) += ": ") +=
     opening(oneLine(one.description, width + lookedAhead), width));
  return out;
}

std::string namesAlone(const std::vector<Named> &all, std::size_t bytes) {
  std::string out = "\n";
  std::size_t told = 0;
  for (const Named &one : all) {
    const std::size_t reserve = told + 1 < all.size() ? closingBytes : 0;
    if (out.size() + one.name.size() + 2 + reserve > bytes) break;
    (out += told++ == 0 ? "" : ", ") += one.name;
  }
  if (told == all.size()) return out;
  (out += "\n(and " + std::to_string(all.size() - told) + " more: ") += searchFirst;
  return out + ')';
}

} // namespace

std::string oneLine(std::string_view text, std::size_t enough) {
  std::string out;
  out.reserve(std::min(text.size(), enough));
  // Goes word by word, because a list needs this for each of its skills.
  for (std::size_t at = 0; at < text.size() && out.size() < enough;) {
    const std::size_t word = at;
    std::size_t blank = 0;
    while (at < text.size() && (blank = blankAt(text, at)) == 0) ++at;
    if (word != at && !out.empty()) out += ' ';
    out.append(text, word, at - word);
    at += blank;
  }
  return out;
}

std::string cutBetweenWords(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  if (bytes < ellipsis.size()) return {};
  std::string_view kept = cutUtf8(text, bytes - ellipsis.size());
  const std::size_t blank = kept.rfind(' ');
  // A text without blanks is cut anywhere.
  if (text[kept.size()] != ' ' && blank != std::string_view::npos && blank > kept.size() / 2)
    kept = kept.substr(0, blank);
  while (!kept.empty() && (kept.back() == ' ' || kept.back() == ',')) kept.remove_suffix(1);
  return std::string(kept) + std::string(ellipsis);
}

std::string nameForModels(const CatalogueEntry &entry) {
  constexpr std::size_t most = 100; // bytes
  const std::string &written = entry.skill->fields.name;
  const bool foreign = std::any_of(written.begin(), written.end(),
                                   [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  if (!foreign || entry.name.find(written) != std::string::npos) return entry.name;
  return entry.name + " (" + cutBetweenWords(oneLine(written), most) + ')';
}

std::string firstSentence(std::string_view text, std::size_t bytes) {
  const std::string line = oneLine(text, bytes + lookedAhead);
  return cutBetweenWords(std::string_view(line).substr(0, sentenceEnd(line, 0)), bytes);
}

std::string sourceCounts(const Catalogue &catalogue, std::size_t bytes) {
  std::map<std::string_view, std::size_t> counts;
  for (const CatalogueEntry &entry : catalogue.entries())
    if (entry.isForModels()) ++counts[entry.skill->source];
  std::vector<std::pair<std::string_view, std::size_t>> all(counts.begin(), counts.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const auto &a, const auto &b) { return a.second > b.second; });
  constexpr std::size_t reserve = 30; // for those without room
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string one = std::string(all[i].first) + " (" + std::to_string(all[i].second) + ')';
    if (out.size() + one.size() + 2 + (i + 1 < all.size() ? reserve : 0) > bytes)
      return out + (out.empty() ? "" : " and ") + std::to_string(all.size() - i) + " more sources";
    (out += i == 0 ? "" : ", ") += one;
  }
  return out;
}

std::string shortCatalogue(const Catalogue &catalogue, std::size_t bytes) {
  std::vector<Named> all;
  std::size_t count = 0, longest = 0;
  for (const CatalogueEntry &entry : catalogue.entries()) {
    if (!entry.isForModels() || ++count > maxNamedSkills) continue;
    all.push_back({nameForModels(entry), entry.skill->fields.description});
    longest = std::max(longest, all.back().description.size());
  }
  if (count > maxNamedSkills) {
    const std::string lead = ' ' + std::to_string(count) + " from these sources: ";
    return lead + sourceCounts(catalogue, bytes - closingBytes - lead.size()) +
           ". Search first: " + std::string(searchFirst) + '.';
  }
  if (withDescriptions(all, minWords).size() > bytes) return namesAlone(all, bytes);
  std::string whole = withDescriptions(all, longest);
  if (whole.size() <= bytes) return whole;
  // Finds the widest that fits. Room that short descriptions do not need is left to long ones.
  std::size_t fits = minWords, tooWide = longest;
  while (fits + 1 < tooWide) {
    const std::size_t width = fits + (tooWide - fits) / 2;
    (withDescriptions(all, width).size() <= bytes ? fits : tooWide) = width;
  }
  return withDescriptions(all, fits);
}

} // namespace skillhost

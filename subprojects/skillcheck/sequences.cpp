// SPDX-License-Identifier: Apache-2.0
#include "sequences.hpp"

#include "ground/text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost {
namespace {

constexpr std::ptrdiff_t maxPartners = 1024; // facts near another that are compared with it

std::string_view lastPart(std::string_view name) noexcept {
  const std::size_t slash = name.find_last_of("/\\");
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

// Returns true for names of data files, which the program that opens them does not execute.
bool namesData(std::string_view name) noexcept {
  constexpr std::array<std::string_view, 24> endings{
      ".zip", ".gz",  ".tgz", ".xz",   ".bz2", ".tar",  ".json", ".csv",
      ".txt", ".pdf", ".png", ".jpg",  ".svg", ".pptx", ".docx", ".xlsx",
      ".md",  ".xml", ".yml", ".yaml", ".mp4", ".html", ".log",  ".asc"};
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

// Returns true for a password that a text does not tell.
bool isLeftOut(std::string_view password) {
  const std::string lower = asciiLowered(password);
  constexpr std::array<std::string_view, 7> words{"redacted", "removed", "hidden", "masked",
                                                  "omitted",  "***",     "xxx"};
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

bool sameName(const SeenFact &a, const SeenFact &b) noexcept {
  const std::string_view name = lastPart(a.name);
  return !name.empty() && name == lastPart(b.name);
}

// `others` are in the order of the text.
const SeenFact *partner(const Sequence &sequence, const SeenFact &first,
                        const std::vector<SeenFact> &others) {
  const bool isAnyOrder = sequence.order == Sequence::Order::Any;
  const auto begin = std::partition_point(others.begin(), others.end(), [&](const SeenFact &other) {
    return isAnyOrder ? other.line + sequence.lines < first.line : other.offset <= first.offset;
  });
  const auto end = begin + std::min(maxPartners, others.end() - begin);
  for (auto at = begin; at != end && at->line <= first.line + sequence.lines; ++at) {
    const SeenFact &other = *at;
    if (sequence.order == Sequence::Order::SameName && !sameName(first, other)) continue;
    return &other;
  }
  return nullptr;
}

} // namespace

void FactLog::add(Fact fact, SeenFact seen) {
  std::vector<SeenFact> &all = seen_[static_cast<std::size_t>(fact)];
  if (fact == Fact::SavesDownload && namesData(seen.name)) return;
  if (fact == Fact::PasswordForArchive && isLeftOut(seen.name)) return;
  all.push_back(std::move(seen));
}

void FactLog::forEachSequence(
    const std::function<void(const Sequence &, const std::vector<const SeenFact *> &)> &found) {
  // Commands in plain spelling were added behind those of the lines.
  for (std::vector<SeenFact> &all : seen_)
    std::stable_sort(all.begin(), all.end(),
                     [](const SeenFact &a, const SeenFact &b) { return a.offset < b.offset; });
  for (const Sequence &sequence : allSequences())
    for (const SeenFact &first : seen_[static_cast<std::size_t>(sequence.parts[0])]) {
      std::vector<const SeenFact *> all{&first};
      for (std::size_t part = 1; part < sequence.parts.size(); ++part) {
        if (sequence.parts[part] == Fact::None) continue;
        const SeenFact *other =
            partner(sequence, first, seen_[static_cast<std::size_t>(sequence.parts[part])]);
        if (other == nullptr) {
          all.clear();
          break;
        }
        all.push_back(other);
      }
      if (!all.empty()) found(sequence, all);
    }
}

} // namespace skillhost

// SPDX-License-Identifier: Apache-2.0
#include "compounds.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace skillhost::keyword {
namespace {

constexpr std::size_t shortestCompound = 7;
constexpr std::size_t longestCompound = 40;
constexpr std::size_t shortestPart = 3;
constexpr double minCoveredShare = 0.55; // least share of the letters that known words must cover

// Few long parts are better than many short ones. A letter outside every known word costs most.
constexpr double costOfPart(std::size_t letters) noexcept {
  return letters == shortestPart ? 1.5 : 1;
}
constexpr double costOfLetter = 1.2;

} // namespace

bool maybeCompound(std::string_view word) noexcept {
  return word.size() >= shortestCompound && word.size() <= longestCompound;
}

bool Vocabulary::add(std::string_view word, std::uint32_t times) {
  if (word.size() < shortestPart || times == 0) return false;
  forgetUnused();
  const std::uint32_t number = words_.number(word);
  if (number >= counts_.size()) {
    counts_.resize(words_.size());
    ++unused_;
  }
  counts_[number] += times;
  if (counts_[number] > times) return false;
  --unused_;
  return true;
}

bool Vocabulary::remove(std::string_view word) {
  const auto found = words_.find(word);
  if (!found || counts_[*found] == 0) return false;
  --counts_[*found];
  if (counts_[*found] > 0) return false;
  ++unused_;
  return true;
}

void Vocabulary::forgetUnused() {
  constexpr std::size_t tolerated = 1000;
  if (unused_ <= words_.size() / 2 + tolerated) return;
  TermTable words;
  std::vector<std::uint32_t> counts;
  for (std::uint32_t number = 0; number < counts_.size(); ++number) {
    if (counts_[number] == 0) continue;
    words.number(words_.term(number));
    counts.push_back(counts_[number]);
  }
  words_ = std::move(words);
  counts_ = std::move(counts);
  unused_ = 0;
}

std::vector<std::string> Vocabulary::split(std::string_view word) const {
  if (!maybeCompound(word)) return {};
  struct Step {
    double cost = std::numeric_limits<double>::infinity();
    std::size_t from = 0;
    bool known = false;
  };
  std::array<Step, longestCompound + 1> best;
  best[0].cost = 0;
  for (std::size_t from = 0; from < word.size(); ++from) {
    const auto offer = [&](std::size_t to, double cost, bool known) {
      if (best[from].cost + cost < best[to].cost) best[to] = {best[from].cost + cost, from, known};
    };
    offer(from + 1, costOfLetter, false);
    for (std::size_t to = from + shortestPart; to <= word.size(); ++to) {
      const std::size_t letters = to - from;
      if (letters < word.size() && knows(word.substr(from, letters)))
        offer(to, costOfPart(letters), true);
    }
  }
  std::vector<std::string> parts;
  std::size_t covered = 0;
  for (std::size_t to = word.size(); to > 0; to = best[to].from) {
    if (!best[to].known) continue;
    parts.emplace_back(word.substr(best[to].from, to - best[to].from));
    covered += parts.back().size();
  }
  if (static_cast<double>(covered) < minCoveredShare * static_cast<double>(word.size())) return {};
  std::reverse(parts.begin(), parts.end());
  return parts;
}

const std::vector<CompoundParts::LongWord> *
CompoundParts::find(std::string_view stem) const noexcept {
  const std::shared_ptr<const Shard> &shard = shards_[TextHash{}(stem) % shards];
  if (!shard) return nullptr;
  const auto found = shard->find(stem);
  return found == shard->end() ? nullptr : &found->second;
}

Compounds::Compounds(std::shared_ptr<const Language> language)
    : language_(std::move(language)), stemmer_(language_->stemmer()) {
  for (const std::string &word : language_->stopWords()) vocabulary_.add(word);
}

void Compounds::addWord(std::string_view word, std::uint32_t times) {
  if (vocabulary_.add(word, times)) changed_.emplace(word);
}

void Compounds::removeWord(std::string_view word) {
  if (vocabulary_.remove(word)) changed_.emplace(word);
}

void Compounds::addLong(std::string_view word, std::uint32_t times) {
  if (language_->isStopWord(word)) return;
  auto found = known_.find(word);
  if (found == known_.end()) {
    found = known_.try_emplace(std::string(word)).first;
    touched_.emplace(word);
  }
  found->second.uses += times;
}

void Compounds::removeLong(std::string_view word) {
  const auto found = known_.find(word);
  if (found == known_.end() || found->second.uses == 0) return;
  if (--found->second.uses == 0) touched_.emplace(word);
}

Compounds::Parts Compounds::partsOf(const std::string &word) {
  Parts parts;
  for (const std::string &part : vocabulary_.split(word))
    if (!language_->isStopWord(part)) ++parts[std::string(stemmer_.stem(part))];
  return parts;
}

CompoundParts::Shard &Compounds::writable(const std::string &stem) {
  const std::size_t number = TextHash{}(stem) % CompoundParts::shards;
  std::shared_ptr<const CompoundParts::Shard> &shard = published_.shards_[number];
  if (!copied_[number])
    shard = shard ? std::make_shared<CompoundParts::Shard>(*shard)
                  : std::make_shared<CompoundParts::Shard>();
  copied_[number] = true;
  return const_cast<CompoundParts::Shard &>(*shard); // NOLINT: created above, not shared yet
}

void Compounds::splitAgain(const std::string &word) {
  const auto found = known_.find(word);
  if (found == known_.end()) return;
  Parts parts = found->second.uses == 0 ? Parts() : partsOf(word);
  if (parts != found->second.parts) {
    for (const auto &[stem, times] : found->second.parts) {
      CompoundParts::Shard &shard = writable(stem);
      std::erase_if(shard[stem],
                    [&word](const CompoundParts::LongWord &each) { return each.word == word; });
      if (shard[stem].empty()) shard.erase(stem);
    }
    for (const auto &[stem, times] : parts) writable(stem)[stem].push_back({word, times});
    found->second.parts = std::move(parts);
  }
  if (found->second.uses == 0) known_.erase(found);
}

CompoundParts Compounds::parts(const std::function<void()> &checkpoint) {
  // Up to this many, looking for each is cheaper than splitting all long words.
  constexpr std::size_t fewChanges = 64;
  if (!changed_.empty()) {
    std::size_t done = 0;
    for (const auto &[word, known] : known_) {
      if (done++ % 256 == 0) checkpoint();
      if (changed_.size() > fewChanges ||
          std::any_of(changed_.begin(), changed_.end(), [&word = word](const std::string &part) {
            return part.size() < word.size() && word.find(part) != std::string::npos;
          }))
        touched_.insert(word);
    }
    changed_.clear();
  }
  while (!touched_.empty()) {
    if (touched_.size() % 256 == 0) checkpoint();
    splitAgain(*touched_.begin());
    touched_.erase(touched_.begin());
  }
  copied_.fill(false);
  return published_;
}

} // namespace skillhost::keyword

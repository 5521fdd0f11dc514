// SPDX-License-Identifier: Apache-2.0
#include "ground/glob.hpp"

#include "ground/utf8.hpp"

#include <algorithm>
#include <array>

namespace skillhost {
namespace {

constexpr std::size_t maxPatternBytes = 1000;
// A byte of a pattern becomes at most two steps, and one step ends the program.
constexpr std::size_t maxSteps = 2 * maxPatternBytes + 1;
constexpr std::size_t wordBits = 64;
constexpr std::size_t words = maxSteps / wordBits + 1;

// Returns the character at `at` and moves behind it. A byte that is not UTF-8 counts as a
// character.
std::uint32_t nextCharacter(std::string_view text, std::size_t &at) noexcept {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (length == 1 || !isUtf8(text.substr(at, length))) {
    ++at;
    return lead < 0x80 ? lead : 0x110000U + lead;
  }
  std::uint32_t character = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i)
    character = (character << 6U) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  at += length;
  return character;
}

} // namespace

// A set of steps. It never touches words that the program does not use.
struct Glob::States {
  explicit States(std::size_t steps) noexcept : used(steps / wordBits + 1) { clear(); }
  void clear() noexcept { std::fill_n(bits.begin(), used, 0); }
  bool insert(std::uint16_t at) noexcept {
    std::uint64_t &word = bits[at / wordBits];
    const std::uint64_t bit = 1ULL << (at % wordBits);
    const bool fresh = (word & bit) == 0;
    word |= bit;
    return fresh;
  }
  bool holds(std::size_t at) const noexcept {
    return (bits[at / wordBits] >> (at % wordBits) & 1U) != 0;
  }
  bool empty() const noexcept {
    return std::all_of(bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(used),
                       [](std::uint64_t word) { return word == 0; });
  }
  std::size_t used;
  std::array<std::uint64_t, words> bits; // only the first `used` are initialised
};

// Compiles a pattern into steps, from left to right.
class GlobCompiler {
public:
  explicit GlobCompiler(std::string_view pattern) : pattern_(pattern) { glob_.pattern_ = pattern; }

  Result<Glob> compile() {
    if (pattern_.empty()) return fail("is empty");
    if (pattern_.size() > maxPatternBytes)
      return Failure{Fault::InvalidInput, "a pattern has at most 1,000 bytes"};
    if (!isUtf8(pattern_) || pattern_.find('\0') != std::string_view::npos)
      return Failure{Fault::InvalidInput, "the pattern is not UTF-8 text"};
    while (at_ < pattern_.size()) {
      const bool isEscape = pattern_[at_] == '\\';
      if (const char *problem = step(); problem != nullptr) return fail(problem);
      afterEscape_ = isEscape;
    }
    if (!groups_.empty()) return fail("has a { that is never closed");
    emit({Glob::Kind::End});
    return std::move(glob_);
  }

private:
  using Kind = Glob::Kind;
  struct Group {
    std::uint16_t fork;                // the fork before the current alternative
    std::vector<std::uint16_t> leaves; // jumps behind the earlier alternatives
  };

  Failure fail(const char *problem) const {
    return {Fault::InvalidInput, "the pattern \"" + std::string(pattern_) + "\" " + problem};
  }
  std::uint16_t here() const noexcept { return static_cast<std::uint16_t>(glob_.steps_.size()); }
  std::uint16_t emit(Glob::Step step) {
    glob_.steps_.push_back(step);
    return static_cast<std::uint16_t>(glob_.steps_.size() - 1);
  }
  void literal() {
    const std::uint32_t character = nextCharacter(pattern_, at_);
    emit({Kind::Character, false, character});
  }
  char peek(std::size_t ahead) const noexcept {
    return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : '\0';
  }

  // Compiles one construct, and returns its fault or null.
  const char *step() {
    switch (pattern_[at_]) {
    case '*':
      star();
      return nullptr;
    case '?':
      ++at_;
      emit({Kind::AnyCharacter});
      return nullptr;
    case '[':
      return characterClass();
    case '\\':
      if (++at_ == pattern_.size()) return "ends with a backslash";
      literal();
      return nullptr;
    case '{':
      ++at_;
      groups_.push_back({emit({Kind::Fork}), {}});
      return nullptr;
    case ',':
      if (groups_.empty()) break;
      ++at_;
      groups_.back().leaves.push_back(emit({Kind::Jump}));
      glob_.steps_[groups_.back().fork].first = here();
      groups_.back().fork = emit({Kind::Fork});
      return nullptr;
    case '}':
      if (groups_.empty()) break;
      ++at_;
      closeGroup();
      return nullptr;
    default:
      break;
    }
    literal();
    return nullptr;
  }
  void closeGroup() {
    const Group &group = groups_.back();
    Glob::Step &last = glob_.steps_[group.fork]; // the last alternative needs no fork
    last.kind = Kind::Jump;
    last.first = static_cast<std::uint16_t>(group.fork + 1);
    for (const std::uint16_t leave : group.leaves) glob_.steps_[leave].first = here();
    groups_.pop_back();
  }
  void star() {
    const char before = at_ == 0 ? '/' : pattern_[at_ - 1];
    const bool begins =
        before == '/' || (!groups_.empty() && !afterEscape_ && (before == '{' || before == ','));
    std::size_t stars = 1;
    while (peek(stars) == '*') ++stars;
    const char after = peek(stars);
    const bool ends = after == '\0' || (!groups_.empty() && (after == ',' || after == '}'));
    const bool segments = stars == 2 && begins && (ends || after == '/');
    at_ += stars;
    if (!segments) {
      emit({Kind::AnyOf});
    } else if (after != '/') {
      emit({Kind::Everything});
    } else { // `**/`: nothing, or anything that ends with `/`
      ++at_;
      while (pattern_.substr(at_).starts_with("**/")) at_ += 3; // repetitions change nothing
      const std::uint16_t fork = emit({Kind::Fork});
      emit({Kind::Everything});
      emit({Kind::Character, false, '/'});
      glob_.steps_[fork].first = here();
    }
  }
  const char *characterClass() {
    ++at_;
    Glob::Step step{Kind::Class};
    step.first = static_cast<std::uint16_t>(glob_.ranges_.size());
    step.negated = peek(0) == '!' || peek(0) == '^';
    if (step.negated) ++at_;
    for (bool first = true;; first = false) {
      if (at_ >= pattern_.size()) return "has a [ that is never closed";
      if (pattern_[at_] == ']' && !first) break;
      if (pattern_[at_] == '\\' && at_ + 1 < pattern_.size()) ++at_;
      const std::uint32_t from = nextCharacter(pattern_, at_);
      std::uint32_t to = from;
      if (peek(0) == '-' && peek(1) != ']' && peek(1) != '\0') {
        ++at_;
        if (pattern_[at_] == '\\' && at_ + 1 < pattern_.size()) ++at_;
        to = nextCharacter(pattern_, at_);
      }
      glob_.ranges_.emplace_back(from, to);
      ++step.count;
    }
    ++at_;
    emit(step);
    return nullptr;
  }

  std::string_view pattern_;
  std::size_t at_ = 0;
  bool afterEscape_ = false; // the previous construct was \x
  Glob glob_;
  std::vector<Group> groups_;
};

Result<Glob> Glob::compile(std::string_view pattern) { return GlobCompiler(pattern).compile(); }

bool Glob::accepts(const Step &step, std::uint32_t character) const noexcept {
  switch (step.kind) {
  case Kind::Character:
    return character == step.character;
  case Kind::Everything:
    return true;
  case Kind::AnyCharacter:
  case Kind::AnyOf:
    return character != '/';
  case Kind::Class: {
    if (character == '/') return false;
    const auto start = ranges_.begin() + step.first;
    const bool within = std::any_of(start, start + step.count, [&](const auto &range) {
      return character >= range.first && character <= range.second;
    });
    return within != step.negated;
  }
  default:
    return false;
  }
}

// Adds a step, and every step that is reachable from it without a character.
std::size_t Glob::add(States &states, std::uint16_t at) const noexcept {
  std::array<std::uint16_t, maxSteps + 1> pending; // NOLINT(*-member-init): filled as it grows
  std::size_t count = 0, seen = 0;
  const auto push = [&](std::uint16_t step) {
    if (states.insert(step)) pending[count++] = step;
  };
  push(at);
  for (; count != 0; ++seen) {
    const std::uint16_t index = pending[--count];
    const Step &step = steps_[index];
    const auto next = static_cast<std::uint16_t>(index + 1);
    if (step.kind == Kind::Fork || step.kind == Kind::Jump) push(step.first);
    if (step.kind == Kind::Fork || step.kind == Kind::AnyOf || step.kind == Kind::Everything)
      push(next);
  }
  return seen;
}

bool Glob::matches(std::string_view path, Below below, std::size_t &left) const noexcept {
  const auto endsAt = [&](std::size_t at) {
    return at == path.size() || (below == Below::Yes && path[at] == '/');
  };
  if (path.starts_with(pattern_) && endsAt(pattern_.size())) return true;
  States current(steps_.size());
  States next(steps_.size());
  left -= std::min(left, add(current, 0));
  for (std::size_t at = 0; at < path.size();) {
    if (endsAt(at) && current.holds(steps_.size() - 1)) return true;
    const std::uint32_t character = nextCharacter(path, at);
    next.clear();
    std::size_t used = current.used;
    for (std::size_t word = 0; word < current.used; ++word)
      for (std::uint64_t bits = current.bits[word]; bits != 0; bits &= bits - 1) {
        const std::size_t index = word * wordBits + static_cast<std::size_t>(__builtin_ctzll(bits));
        const Step &step = steps_[index];
        used += 1U + (step.kind == Kind::Class ? step.count : 0U);
        if (!accepts(step, character)) continue;
        const bool stays = step.kind == Kind::AnyOf || step.kind == Kind::Everything;
        used += add(next, static_cast<std::uint16_t>(stays ? index : index + 1));
      }
    left -= std::min(left, used);
    if (left == 0) return false;
    std::swap(current, next);
    if (current.empty()) return false;
  }
  return current.holds(steps_.size() - 1);
}

} // namespace skillhost

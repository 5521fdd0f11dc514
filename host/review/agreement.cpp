// SPDX-License-Identifier: Apache-2.0
#include "review/agreement.hpp"

#include "ground/blake3.hpp"
#include "ground/hexadecimal.hpp"
#include "review/trust.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t markDigits = 16;
constexpr std::uint64_t lastGeneration = std::uint64_t{1} << 53;
constexpr std::string_view kindLine = "skillhost.decisions ", thisVersion = "1";

using Entry = const Decision *; // null: none

bool isSame(Entry a, Entry b) { return a == nullptr || b == nullptr ? a == b : *a == *b; }

Entry entryOf(const Approvals &approvals, const std::string &skill) {
  const auto found = approvals.skills.find(skill);
  return found == approvals.skills.end() ? nullptr : &found->second;
}

int strictness(Entry entry) {
  return entry == nullptr ? 1 : entry->verdict == Verdict::Reject ? 2 : 0;
}

// The same one whatever their order.
Entry stricter(Entry a, Entry b) {
  if (strictness(a) != strictness(b)) return strictness(a) > strictness(b) ? a : b;
  if (a == nullptr) return nullptr;
  return std::pair(a->when, a->id()) < std::pair(b->when, b->id()) ? b : a;
}

std::string wordsOf(Entry entry) { return entry == nullptr ? "no decision" : textOf(*entry); }

std::set<std::string> skillsOf(std::initializer_list<const Approvals *> all) {
  std::set<std::string> skills;
  for (const Approvals *one : all)
    for (const auto &[skill, decision] : one->skills) skills.insert(skill);
  return skills;
}

enum class Descent { Known, Likely, None };

// Two sides, entry by entry, and what each has been made of, unless the descent is None.
class Joining {
public:
  Joining(const Approvals &before, Descent descent, const Approvals &here,
          const Approvals &elsewhere)
      : before_(before), descent_(descent), here_(here), elsewhere_(elsewhere) {}

  Approvals join(std::vector<std::string> &met) {
    Approvals out;
    for (const std::string &skill : skillsOf({&here_, &elsewhere_}))
      if (const Entry entry = joined(skill, met)) out.skills.emplace(skill, *entry);
    return out;
  }

private:
  Entry joined(const std::string &skill, std::vector<std::string> &met) const {
    const Entry here = entryOf(here_, skill), elsewhere = entryOf(elsewhere_, skill);
    if (isSame(here, elsewhere)) return here;
    if (descent_ != Descent::None) {
      const Entry before = entryOf(before_, skill);
      if (isSame(here, before) && !isAtRisk(here, elsewhere)) return elsewhere;
      if (isSame(elsewhere, before)) return here;
    }
    const Entry entry = stricter(here, elsewhere);
    met.push_back(skill + " was decided in two places at once: " + wordsOf(here) + " here, " +
                  wordsOf(elsewhere) + " at another replica; what holds is " + wordsOf(entry));
    return entry;
  }

  // Whether a rejection that was perhaps never known elsewhere would be lost.
  bool isAtRisk(Entry here, Entry elsewhere) const {
    return descent_ == Descent::Likely && strictness(here) > strictness(elsewhere) &&
           here != nullptr && (elsewhere == nullptr || elsewhere->when <= here->when);
  }

  const Approvals &before_;
  const Descent descent_;
  const Approvals &here_, &elsewhere_;
};

// What this replica has never agreed to: its approvals may have been withdrawn since.
Approvals withRejections(const Approvals &file, const Approvals &shared, Agreement &to) {
  Approvals out = shared;
  for (const auto &[skill, decision] : file.skills) {
    const Entry elsewhere = entryOf(shared, skill);
    if (isSame(&decision, elsewhere)) continue;
    if (decision.verdict == Verdict::Approve) {
      to.leftOut.push_back(skill);
    } else if (elsewhere == nullptr || elsewhere->verdict == Verdict::Approve) {
      out.skills[skill] = decision;
      if (elsewhere != nullptr)
        to.met.push_back(skill +
                         " is rejected in the file of this replica and approved by the "
                         "others; what holds is " +
                         textOf(decision));
    }
  }
  return out;
}

bool isAmong(const std::string &mark, const AgreedDecisions &decisions) {
  return std::find(decisions.history.begin(), decisions.history.end(), mark) !=
         decisions.history.end();
}

Descent descent(const AgreedDecisions &of, const AgreedDecisions &from) {
  if (isAmong(from.mark(), of)) return Descent::Known;
  const bool isOutOfReach = of.history.size() == longestHistory &&
                            of.generation > from.generation &&
                            of.generation - from.generation >= longestHistory;
  return isOutOfReach ? Descent::Likely : Descent::None;
}

std::string markOf(const std::string &before, const Approvals &approvals) {
  return blake3Hex(before + '\n' + approvals.text()).substr(0, markDigits);
}

// The first of those that it is made of, when it says the same: nothing is new then.
AgreedDecisions madeOf(std::initializer_list<const AgreedDecisions *> parents,
                       Approvals approvals) {
  const AgreedDecisions &first = **parents.begin();
  if (first.approvals == approvals) return first;
  AgreedDecisions out;
  out.history.push_back(markOf(first.mark(), approvals));
  std::set<std::string> known{out.mark()};
  for (const AgreedDecisions *parent : parents) {
    out.generation = std::max(out.generation, parent->generation + 1);
    for (const std::string &mark : parent->history)
      if (out.history.size() < longestHistory && known.insert(mark).second)
        out.history.push_back(mark);
  }
  out.approvals = std::move(approvals);
  return out;
}

// The text up to the end of its line, which is passed over; nothing: there is no such line.
std::optional<std::string_view> takeLine(std::string_view &text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

// The same up to the next blank, or all of it.
std::string_view takeWord(std::string_view &line) {
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(line.size(), word.size() + 1));
  return word;
}

std::optional<std::uint64_t> generationOf(std::string_view text) {
  std::uint64_t generation = 0;
  const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), generation);
  if (error != std::errc() || last != text.data() + text.size() || generation > lastGeneration)
    return std::nullopt;
  return generation;
}

} // namespace

AgreedDecisions AgreedDecisions::beginning() {
  AgreedDecisions out;
  out.history.push_back(markOf({}, out.approvals));
  return out;
}

std::string AgreedDecisions::text() const {
  std::string out(kindLine);
  out += thisVersion;
  (out += '\n') += std::to_string(generation);
  for (const std::string &mark : history) (out += ' ') += mark;
  return (out += '\n') + approvals.text();
}

Result<AgreedDecisions> AgreedDecisions::parse(std::string_view text) {
  const std::optional<std::string_view> kind = takeLine(text);
  if (!kind || !kind->starts_with(kindLine))
    return {Fault::InvalidFormat, "these are no decisions of skillhost"};
  if (kind->substr(kindLine.size()) != thisVersion)
    return {Fault::InvalidFormat,
            "they were written by a newer skillhost; this one reads version 1"};
  AgreedDecisions out;
  std::string_view marks = takeLine(text).value_or(std::string_view());
  const std::optional<std::uint64_t> generation = generationOf(takeWord(marks));
  if (!generation) return {Fault::InvalidFormat, "their history has no number"};
  out.generation = *generation;
  while (!marks.empty()) {
    const std::string_view mark = takeWord(marks);
    if (!isHexadecimal(mark, markDigits))
      return {Fault::InvalidFormat, "their history is no list of marks"};
    out.history.emplace_back(mark);
  }
  if (out.history.empty() || out.history.size() > longestHistory)
    return {Fault::InvalidFormat, "their history is no list of marks"};
  Result<Approvals> approvals = Approvals::parse(text, "the decisions");
  if (!approvals) return std::move(approvals).failure();
  out.approvals = *std::move(approvals);
  return out;
}

Agreement agree(const AgreedDecisions *base, const Approvals *file, const AgreedDecisions *shared) {
  const Approvals none;
  const Approvals &here = file != nullptr ? *file : base != nullptr ? base->approvals : none;
  Agreement out;
  if (base == nullptr && shared == nullptr) {
    const AgreedDecisions beginning = AgreedDecisions::beginning();
    out.document = madeOf({&beginning}, here);
  } else if (shared == nullptr || (base != nullptr && isAmong(shared->mark(), *base))) {
    out.document = madeOf({base}, here);
  } else if (base == nullptr) {
    out.document = madeOf({shared}, withRejections(here, shared->approvals, out));
  } else {
    const Descent made = descent(*shared, *base);
    Joining joining(base->approvals, made, here, shared->approvals);
    Approvals joined = joining.join(out.met);
    out.document = made == Descent::None ? madeOf({shared, base}, std::move(joined))
                                         : madeOf({shared}, std::move(joined));
  }
  return out;
}

Approvals withRejectionsOf(const AgreedDecisions &shared, const AgreedDecisions *base,
                           const Approvals &file) {
  Approvals out = file;
  for (const auto &[skill, decision] : shared.approvals.skills) {
    const Entry here = entryOf(file, skill);
    const bool isHere = here != nullptr && here->verdict == Verdict::Reject;
    const bool isOld = base != nullptr && isSame(entryOf(base->approvals, skill), &decision);
    if (decision.verdict == Verdict::Reject && !isHere && !isOld) out.skills[skill] = decision;
  }
  return out;
}

} // namespace skillhost

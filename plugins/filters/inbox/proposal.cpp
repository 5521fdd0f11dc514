// SPDX-License-Identifier: Apache-2.0
#include "inbox/proposal.hpp"

#include "ground/blake3.hpp"
#include "ground/json_member.hpp"
#include "ground/time_reading.hpp"
#include "ground/time_text.hpp"

#include <algorithm>
#include <array>

namespace skillhost::inbox {
namespace {

constexpr int formatOfRecords = 1;
constexpr std::size_t idDigits = 32;
constexpr std::array<std::string_view, 3> states{"pending", "approved", "rejected"};

Json personJson(const Person &person) {
  return {{"issuer", person.issuer}, {"subject", person.subject}};
}

// Reads the members of a record, and remembers if one is missing or of another type.
class Reader {
public:
  explicit Reader(const Json &from) : from_(from) {}

  std::string text(const char *name) {
    const Json &value = memberOf(from_, name);
    isGood_ = isGood_ && value.is_string();
    return value.is_string() ? value.get<std::string>() : std::string();
  }
  std::int64_t number(const char *name) {
    const Json &value = memberOf(from_, name);
    isGood_ = isGood_ && value.is_number_integer() && value >= 0;
    return isGood_ ? value.get<std::int64_t>() : 0;
  }
  Person person(const char *name) {
    Reader inside(memberOf(from_, name));
    Person person{inside.text("issuer"), inside.text("subject")};
    isGood_ = isGood_ && inside.isGood_;
    return person;
  }
  Json list(const char *name) {
    const Json &value = memberOf(from_, name);
    isGood_ = isGood_ && value.is_array();
    return isGood_ ? value : Json::array();
  }
  bool isSet(const char *name) const { return memberOf(from_, name) == true; } // not in old records
  void require(bool holds) { isGood_ = isGood_ && holds; }
  bool isGood() const noexcept { return isGood_; }

private:
  const Json &from_;
  bool isGood_ = true;
};

} // namespace

std::string digestOf(const Files &files) {
  LockedSkill locked;
  for (const auto &[path, file] : files)
    locked[path] = {blake3Hex(file.bytes), file.bytes.size(), file.executable};
  return contentDigest(locked);
}

std::string nameOf(const Person &person) {
  return person == Person{} ? "the local user" : person.subject;
}

std::string_view nameOf(State state) noexcept { return states[static_cast<std::size_t>(state)]; }

bool isProposalId(std::string_view text) noexcept {
  return text.size() == idDigits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::string recordOf(const Proposal &proposal) {
  const Json record{{"skillhost.proposal", formatOfRecords},
                    {"id", proposal.id},
                    {"name", proposal.name},
                    {"note", proposal.note},
                    {"proposer", personJson(proposal.proposer)},
                    {"client", proposal.client},
                    {"when", proposal.when},
                    {"state", nameOf(proposal.state)},
                    {"reviewer", personJson(proposal.reviewer)},
                    {"decided", proposal.decided},
                    {"reason", proposal.reason},
                    {"digest", proposal.digest},
                    {"base", proposal.base},
                    {"saw_skill", proposal.sawSkill},
                    {"files", proposal.files},
                    {"bytes", proposal.bytes},
                    {"findings", proposal.findings}};
  return record.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

Result<Proposal> proposalFrom(std::string_view record) {
  const std::optional<Json> read = readJsonObject(record);
  if (!read) return {Fault::Corrupt, "the record of a proposal is no JSON object"};
  Reader reader(*read);
  Proposal proposal;
  reader.require(reader.number("skillhost.proposal") == formatOfRecords);
  proposal.id = reader.text("id");
  proposal.name = reader.text("name");
  proposal.note = reader.text("note");
  proposal.proposer = reader.person("proposer");
  proposal.client = reader.text("client");
  proposal.when = reader.number("when");
  const std::string state = reader.text("state");
  const auto found = std::find(states.begin(), states.end(), state);
  reader.require(found != states.end());
  if (found != states.end()) proposal.state = static_cast<State>(found - states.begin());
  proposal.reviewer = reader.person("reviewer");
  proposal.decided = reader.number("decided");
  proposal.reason = reader.text("reason");
  proposal.digest = reader.text("digest");
  proposal.base = reader.text("base");
  proposal.sawSkill = reader.isSet("saw_skill");
  proposal.files = static_cast<std::size_t>(reader.number("files"));
  proposal.bytes = static_cast<std::size_t>(reader.number("bytes"));
  proposal.findings = reader.list("findings");
  proposal.findingCount = proposal.findings.size();
  reader.require(isProposalId(proposal.id));
  if (!reader.isGood())
    return {Fault::Corrupt, "the record of a proposal lacks a member, or one has another type"};
  return proposal;
}

Json proposalJson(const Proposal &proposal) {
  Json out{{"id", proposal.id},
           {"name", proposal.name},
           {"state", nameOf(proposal.state)},
           {"proposer", nameOf(proposal.proposer)},
           {"when", timeText(proposal.when)},
           {"note", proposal.note},
           {"digest", proposal.digest},
           {"files", proposal.files},
           {"bytes", proposal.bytes},
           {"findings", proposal.findings},
           {"findings_total", proposal.findingCount}};
  if (!proposal.proposer.issuer.empty()) out["issuer"] = proposal.proposer.issuer;
  if (proposal.state == State::Pending) return out;
  out["reviewer"] = nameOf(proposal.reviewer);
  out["decided"] = timeText(proposal.decided);
  out["reason"] = proposal.reason;
  return out;
}

} // namespace skillhost::inbox

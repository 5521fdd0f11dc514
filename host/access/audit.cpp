// SPDX-License-Identifier: Apache-2.0
#include "access/audit.hpp"

#include "base/http.hpp"
#include "base/log.hpp"
#include "base/log_members.hpp"
#include "base/refusal_limit.hpp"
#include "ground/guarded.hpp"
#include "ground/json_text.hpp"
#include "ground/time_text.hpp"
#include "ground/utf8.hpp"
#include "repeated_reads.hpp"

#include <ctime>
#include <deque>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxMemberBytes = 200; // bytes of one member, which may quote a client

// The same members in two forms: for people and for programs.
struct Line {
  std::string text, members;

  void member(const char *name, std::string_view value) {
    if (value.empty()) return;
    const std::string_view cut = cutUtf8(value, maxMemberBytes);
    (text += ' ') += name;
    text += '=';
    // A value with a space is quoted, because it could pass for another member.
    if (cut.find_first_of(" \"=\t\r\n") == std::string_view::npos)
      text += cut;
    else
      appendJsonString(text, cut);
    log::appendMember(members, name, cut);
  }
};

Line lineOf(const AuditEvent &event) {
  Line line;
  line.text = event.kind;
  line.members = R"("event":")" + std::string(event.kind) + '"';
  if (event.status != 0) {
    line.text += ' ' + std::to_string(event.status);
    line.members += R"(,"status":)" + std::to_string(event.status);
  }
  line.member("reason", event.reason);
  line.member("method", event.method);
  line.member("subject", event.subject);
  line.member("peer", event.peer);
  if (event.principal != nullptr) {
    line.member("principal", event.principal->subject);
    line.member("issuer", event.principal->issuer);
  }
  if (event.count != 0) {
    line.text += " count=" + std::to_string(event.count);
    line.members += R"(,"count":)" + std::to_string(event.count);
  }
  return line;
}

} // namespace

class Audit::Parts {
public:
  Parts(Observers observers, const AuditRules &rules)
      : observers_(std::move(observers)),
        refusals_(rules.maxLoggedRefusals, rules.span,
                  [this](const std::string &address, std::size_t count) {
                    writeLine({.kind = "refused",
                               .reason = "more of the same within a minute",
                               .peer = address,
                               .count = count});
                  }),
        reads_(rules.maxRememberedReads, rules.repeatInterval,
               [this](const RepeatedRead &read, std::size_t count) {
                 writeRepeatedReads(read, count);
               }),
        maxRecent_(rules.maxRecentEvents) {}

  void write(const AuditEvent &event) {
    const bool isByUnknownCaller = event.kind == "refused" && event.principal == nullptr;
    if (isByUnknownCaller && !refusals_.getsOwnLine(networkOf(event.peer))) return;
    if (!event.repeatedFrom.empty() && !reads_.isFirst(repeatedReadOf(event))) return;
    if (event.kind == "stopped") { // this is the last line
      refusals_.reportCounts();
      reads_.reportCounts();
    }
    writeLine(event);
  }
  void reopen() const noexcept { observers_.filesMoved(); }
  std::vector<std::string> recent() const {
    std::vector<std::string> lines;
    for (const auto &[time, members] : recent_.copy())
      lines.push_back(R"({"time":")" + timeText(time) + "\"," + members + '}');
    return lines;
  }
  AuditState state() const { return observers_.state(event::auditRecord); }

private:
  static RepeatedRead repeatedReadOf(const AuditEvent &event) {
    const Principal *const who = event.principal;
    return {who != nullptr ? std::string(cutUtf8(who->issuer, maxMemberBytes)) : std::string(),
            who != nullptr ? std::string(cutUtf8(who->subject, maxMemberBytes)) : std::string(),
            std::string(event.subject), std::string(event.repeatedFrom)};
  }

  void writeRepeatedReads(const RepeatedRead &read, std::size_t count) {
    const Principal who{read.subject, read.issuer, {}, {}, 0};
    const bool isKnown = !read.subject.empty() || !read.issuer.empty();
    writeLine({.kind = "managed",
               .reason = "more of the same",
               .subject = read.uri,
               .peer = read.address,
               .principal = isKnown ? &who : nullptr,
               .count = count});
  }

  void writeLine(const AuditEvent &event) {
    const Line line = lineOf(event);
    const bool refused = event.kind == "refused";
    const bool warns = refused || event.kind == "name taken";
    // Observers record each of them, but the log limits their number.
    if (refused && event.principal != nullptr)
      log::refused(LogLevel::Warning, "audit", networkOf(event.peer), line.text, line.members);
    else
      log::write(warns ? LogLevel::Warning : LogLevel::Info, "audit", line.text, line.members);
    recent_.with([&](auto &lines) {
      lines.emplace_back(std::time(nullptr), line.members);
      if (lines.size() > maxRecent_) lines.pop_front();
    });
    observers_.auditRecord({event.kind, line.members});
  }

  const Observers observers_;
  Guarded<std::deque<std::pair<std::time_t, std::string>>> recent_; // time and members
  Refusals refusals_; // its destructor uses the members above
  RepeatedReads reads_;
  const std::size_t maxRecent_;
};

Audit::Audit(Observers observers, AuditRules rules)
    : parts_(std::make_unique<Parts>(std::move(observers), rules)) {}
Audit::~Audit() = default;
void Audit::write(const AuditEvent &event) { parts_->write(event); }
void Audit::reopen() noexcept { parts_->reopen(); }
AuditState Audit::state() const { return parts_->state(); }
std::vector<std::string> Audit::recent() const { return parts_->recent(); }

} // namespace skillhost

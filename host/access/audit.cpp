// SPDX-License-Identifier: Apache-2.0
#include "access/audit.hpp"

#include "audit_file.hpp"
#include "base/http.hpp"
#include "base/log.hpp"
#include "base/refusal_limit.hpp"
#include "ground/json_text.hpp"
#include "ground/utf8.hpp"

#include <optional>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t longest = 200; // bytes of one member: what it quotes may be a client's

// The same members twice: for people and for programs.
struct Line {
  std::string text, members;

  void member(const char *name, std::string_view value) {
    if (value.empty()) return;
    const std::string_view cut = cutUtf8(value, longest);
    (text += ' ') += name;
    text += '=';
    // What has a space in it could pass for another member.
    if (cut.find_first_of(" \"=\t\r\n") == std::string_view::npos)
      text += cut;
    else
      appendJsonString(text, cut);
    if (!members.empty()) members += ',';
    ((members += '"') += name) += "\":";
    appendJsonString(members, cut);
  }
};

Line lineOf(const AuditEvent &event) {
  Line line;
  line.text = event.what;
  line.members = R"("event":")" + std::string(event.what) + '"';
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
  Parts(const std::string &path, const AuditRules &rules)
      : refusals_(rules.refusals, rules.span,
                  [this](const std::string &address, std::size_t count) {
                    put({.what = "refused",
                         .reason = "more of the same within a minute",
                         .peer = address,
                         .count = count});
                  }) {
    if (!path.empty()) file_.emplace(path, rules.waiting, rules.end);
  }

  void write(const AuditEvent &event) {
    const bool stranger = event.what == "refused" && event.principal == nullptr;
    if (stranger && !refusals_.worthALine(networkOf(event.peer))) return;
    if (event.what == "stopped") refusals_.tellCounts(); // it is the last line
    put(event);
  }
  void reopen() noexcept {
    if (file_) file_->reopen();
  }
  bool flush(std::chrono::milliseconds span) { return !file_ || file_->flush(span); }
  AuditState state() const { return file_ ? file_->state() : AuditState{}; }

private:
  void put(const AuditEvent &event) {
    const Line line = lineOf(event);
    const bool refused = event.what == "refused";
    const bool warns = refused || event.what == "name taken";
    if (refused && event.principal != nullptr) // each in the file, and not each in the log
      log::refused(LogLevel::Warning, "audit", networkOf(event.peer), line.text, line.members);
    else
      log::write(warns ? LogLevel::Warning : LogLevel::Info, "audit", line.text, line.members);
    if (file_)
      file_->append(line.members, refused || event.what == "ended" ? AuditFile::Keep::IfThereIsRoom
                                                                   : AuditFile::Keep::Longer);
  }

  std::optional<AuditFile> file_;
  Refusals refusals_; // its end uses the file
};

Audit::Audit(const std::string &file, AuditRules rules)
    : parts_(std::make_unique<Parts>(file, rules)) {}
Audit::~Audit() = default;
void Audit::write(const AuditEvent &event) { parts_->write(event); }
void Audit::reopen() noexcept { parts_->reopen(); }
AuditState Audit::state() const { return parts_->state(); }
bool Audit::flush(std::chrono::milliseconds span) { return parts_->flush(span); }

} // namespace skillhost

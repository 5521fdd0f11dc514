// SPDX-License-Identifier: Apache-2.0
#include "access/audit.hpp"

#include "audit_file.hpp"
#include "base/http.hpp"
#include "base/json_text.hpp"
#include "base/log.hpp"
#include "base/timer.hpp"
#include "base/utf8.hpp"
#include "refusal_limit.hpp"

#include <mutex>
#include <optional>
#include <system_error>
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
  Parts(const std::string &path, const AuditRules &rules) : limit_(rules.refusals, rules.span) {
    if (!path.empty()) file_.emplace(path, rules.waiting, rules.end);
  }
  ~Parts() {
    timer_.reset(); // it uses the rest
    tellCounts(RefusalLimit::Moment::max());
  }
  Parts(const Parts &) = delete;
  Parts &operator=(const Parts &) = delete;

  void write(const AuditEvent &event) {
    const bool stranger = event.what == "refused" && event.principal == nullptr;
    if (stranger && !worthALine(addressOf(event.peer))) return;
    if (event.what == "stopped") tellCounts(RefusalLimit::Moment::max()); // it is the last line
    put(event);
  }
  void reopen() noexcept {
    if (file_) file_->reopen();
  }
  bool flush(std::chrono::milliseconds span) { return !file_ || file_->flush(span); }

private:
  bool worthALine(std::string_view address) {
    const auto now = RefusalLimit::Moment::clock::now();
    tellCounts(now);
    const std::scoped_lock lock(mutex_);
    if (limit_.tell(address, now)) return true;
    if (std::exchange(waits_, true)) return false;
    try {
      if (!timer_) timer_ = std::make_unique<Timer>();
      timer_->at(limit_.end(), [this] { tellCounts(RefusalLimit::Moment::clock::now()); });
    } catch (const std::system_error &why) {
      // Without a thread the next refusal tells, or the end.
      log::warning("audit", why.what());
    }
    return false;
  }

  // Of the span that is over, if it is.
  void tellCounts(RefusalLimit::Moment now) {
    RefusalLimit::Counts counts;
    {
      const std::scoped_lock lock(mutex_);
      counts = limit_.take(now);
      if (!counts.empty()) waits_ = false;
    }
    for (const auto &[address, count] : counts)
      put({.what = "refused",
           .reason = "more of the same within a minute",
           .peer = address,
           .count = count});
  }

  void put(const AuditEvent &event) {
    const Line line = lineOf(event);
    const bool refused = event.what == "refused" || event.what == "name taken";
    log::write(refused ? LogLevel::Warning : LogLevel::Info, "audit", line.text, line.members);
    if (file_)
      file_->append(line.members, refused || event.what == "ended" ? AuditFile::Keep::IfThereIsRoom
                                                                   : AuditFile::Keep::Always);
  }

  std::optional<AuditFile> file_;
  std::mutex mutex_;
  RefusalLimit limit_;
  bool waits_ = false; // the timer does, for the end of the span
  std::unique_ptr<Timer> timer_;
};

Audit::Audit(const std::string &file, AuditRules rules)
    : parts_(std::make_unique<Parts>(file, rules)) {}
Audit::~Audit() = default;
void Audit::write(const AuditEvent &event) { parts_->write(event); }
void Audit::reopen() noexcept { parts_->reopen(); }
bool Audit::flush(std::chrono::milliseconds span) { return parts_->flush(span); }

} // namespace skillhost

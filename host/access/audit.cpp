// SPDX-License-Identifier: Apache-2.0
#include "access/audit.hpp"

#include "base/json_text.hpp"
#include "base/log.hpp"
#include "base/utf8.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <system_error>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t longest = 200; // bytes of one member: what it quotes may be a client's

int openFile(const std::string &file) {
  const int descriptor =
      ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0 || ::fchmod(descriptor, 0600) != 0) {
    const std::error_code why(errno, std::generic_category());
    if (descriptor >= 0) ::close(descriptor);
    throw std::system_error(why, "the audit log " + file);
  }
  return descriptor;
}

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

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

} // namespace

Audit::Audit(std::string file) : file_(std::move(file)) {
  if (!file_.empty()) descriptor_ = openFile(file_);
}

Audit::~Audit() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Audit::write(const AuditEvent &event) {
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
  log::write(event.status == 0 ? LogLevel::Info : LogLevel::Warning, "audit", line.text,
             line.members);
  if (!file_.empty()) append(line.members);
}

void Audit::append(const std::string &members) {
  const std::string line = R"({"time":")" + now() + "\"," + members + "}\n";
  const std::scoped_lock lock(mutex_);
  if (moved_.exchange(false)) try {
      const int fresh = openFile(file_);
      ::close(std::exchange(descriptor_, fresh));
    } catch (const std::system_error &why) {
      log::error("audit", std::string(why.what()) + "; the old file is written on");
    }
  // One write appends the whole line or, on a full disk, none or a part of it.
  if (::write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    log::error("audit", "the audit log " + file_ +
                            ": a line was lost: " + std::generic_category().message(errno));
}

} // namespace skillhost

// SPDX-License-Identifier: Apache-2.0
#include "audit_file.hpp"

#include "base/log.hpp"
#include "ground/append_file.hpp"
#include "ground/time_text.hpp"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <exception>
#include <string_view>
#include <system_error>
#include <utility>

namespace skillhost {
namespace {

constexpr std::chrono::seconds betweenAttempts{1};
constexpr int pollSpan = 100; // in milliseconds, between two checks whether it has to end

Descriptor openFile(const std::string &path) {
  Descriptor file = openForAppending(path);
  const int why = errno;
  if (!file) throw std::system_error(why, std::generic_category(), "the audit log " + path);
  return file;
}

std::string fileLineOf(std::string_view members) {
  std::string line = R"({"time":")" + timeText(std::time(nullptr)) + "\",";
  return line.append(members).append("}\n");
}

} // namespace

AuditFile::AuditFile(std::string path, AuditFileRules rules)
    : Observer(event::auditRecord | event::filesMoved), path_(std::move(path)), rules_(rules),
      file_(openFile(path_)),
      allLost_(metrics::all().counter({"skillhost_audit_lines_lost_total", {}})) {
  try {
    thread_ = std::thread([this] {
      pthread_setname_np(pthread_self(), "audit");
      sigset_t all;
      ::sigfillset(&all); // SIGPIPE of a pipe without a reader must not end the process
      ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
      work();
    });
  } catch (const std::system_error &why) {
    throw std::system_error(why.code(), "no thread can be started for the audit log");
  }
}

AuditFile::~AuditFile() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
    endAt_ = std::chrono::steady_clock::now() + rules_.end;
  }
  wake_.notify_all();
  thread_.join();
}

bool AuditFile::append(const AuditRecord &record) {
  // Strangers can cause any number of these lines, so the other lines have twice the room.
  const bool isCommon = record.event == "refused" || record.event == "ended";
  std::string line = fileLineOf(record.members);
  const Lock lock(mutex_);
  if (lines_.size() < (isCommon ? rules_.waiting : 2 * rules_.waiting)) {
    lines_.push_back(std::move(line));
    return true;
  }
  ++totalLost_;
  allLost_.add();
  return lost_++ != 0;
}

void AuditFile::auditRecord(const AuditRecord &record) noexcept {
  bool isFirstLost = false;
  try {
    isFirstLost = !append(record);
  } catch (const std::exception &) { // no memory for the line
    const Lock lock(mutex_);
    isFirstLost = lost_++ == 0;
    ++totalLost_;
    allLost_.add();
  }
  wake_.notify_all();
  if (!isFirstLost) return;
  try {
    log::error("audit", "the audit log " + path_ +
                            " takes no more lines: from now on they are lost and counted");
  } catch (const std::exception &) { // no memory for the line; it is counted
  }
}

ObserverState AuditFile::state(EventMask /*events*/) const {
  const Lock lock(mutex_);
  return {failing_ || lost_ != 0, totalLost_};
}

bool AuditFile::flush(std::chrono::milliseconds span) {
  Lock lock(mutex_);
  return written_.wait_for(lock, span,
                           [this] { return lines_.empty() && lost_ == 0 && !writing_; });
}

void AuditFile::work() {
  Lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return ending_ || !lines_.empty() || lost_ != 0; });
    if (lines_.empty() && lost_ == 0) return;
    const std::string line = takeNext();
    writing_ = true;
    lock.unlock();
    const bool written = write(line);
    lock.lock();
    writing_ = false;
    if (!written) break;
    written_.notify_all();
  }
  log::error("audit", "the audit log " + path_ + ": " + std::to_string(lines_.size() + lost_ + 1) +
                          " lines were lost at the end");
}

// The number of lost lines is written when lines can be written again, not for each line.
std::string AuditFile::takeNext() {
  if (lost_ != 0 && lines_.size() <= rules_.waiting / 2)
    return fileLineOf(R"("event":"lost","count":)" + std::to_string(std::exchange(lost_, 0)));
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

bool AuditFile::write(const std::string &line) {
  std::string_view left = line;
  while (!left.empty()) {
    // If only a part of the line is in the old file, the whole line is written to the new one.
    if (mustReopen_.exchange(false) && reopen()) left = line;
    const ssize_t written = ::write(file_.number(), left.data(), left.size());
    if (written < 0) {
      if (errno != EINTR && !mayRetry(errno)) return false;
      continue;
    }
    left.remove_prefix(static_cast<std::size_t>(written));
    if (failing_.exchange(false)) log::info("audit", path_ + " is written to again");
  }
  return true;
}

bool AuditFile::mayRetry(int fault) {
  if (fault == EAGAIN) {
    pollfd waiting{file_.number(), POLLOUT, 0};
    ::poll(&waiting, 1, pollSpan);
  } else if (!failing_.exchange(true)) {
    log::error("audit", "the audit log " + path_ + " cannot be written, its lines wait: " +
                            std::generic_category().message(fault));
  }
  Lock lock(mutex_);
  if (fault != EAGAIN) wake_.wait_for(lock, betweenAttempts, [this] { return ending_; });
  return !ending_ || (fault == EAGAIN && std::chrono::steady_clock::now() < endAt_);
}

bool AuditFile::reopen() {
  try {
    file_ = openFile(path_);
    return true;
  } catch (const std::system_error &why) {
    log::error("audit", std::string(why.what()) + "; the old file is written on");
    return false;
  }
}

} // namespace skillhost

// SPDX-License-Identifier: Apache-2.0
#include "watches.hpp"

#include "watch_events.hpp"

#include <sys/inotify.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace skillhost::filesystem {
namespace {

// IN_CLOSE_WRITE in addition to IN_MODIFY, because writes through a memory mapping are only
// reported at closing.
constexpr std::uint32_t anyChange = IN_CREATE | IN_DELETE | IN_MODIFY | IN_CLOSE_WRITE |
                                    IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF |
                                    IN_MOVE_SELF | IN_EXCL_UNLINK;
// Writes to files do not wake the thread. IN_ATTRIB is included because the awaited folder may
// become readable.
constexpr std::uint32_t namesOnly = anyChange & ~std::uint32_t{IN_MODIFY | IN_CLOSE_WRITE};

constexpr std::string_view subject = "watching";

} // namespace

Watches::Watches(WatchMode mode, Warnings &warnings) : mode_(mode), warnings_(warnings) {
  polling_ = mode == WatchMode::poll;
  if (mode != WatchMode::automatic && mode != WatchMode::inotify) return;
  inotify_ = Descriptor(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (inotify_) return;
  polling_ = true;
  warnings_.warnOnce(subject, std::string("polling instead, inotify cannot be had: ") +
                                  std::strerror(errno));
}

void Watches::beginScan() {
  const std::scoped_lock lock(mutex_);
  ++scan_;
  exhausted_ = false;
  unwatched_ = false;
}

void Watches::endScan() {
  if (!inotify_ || !armed_) return;
  const std::scoped_lock lock(mutex_);
  for (auto watch = watches_.begin(); watch != watches_.end();) {
    if (watch->second.scan == scan_) {
      ++watch;
      continue;
    }
    ::inotify_rm_watch(inotify_.number(), watch->second.number);
    places_.erase(watch->second.number);
    watch = watches_.erase(watch);
  }
  polling_ = unwatched_;
}

void Watches::endPart() {
  const std::scoped_lock lock(mutex_);
  polling_ = unwatched_;
}

Suspects Watches::takeSuspects() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(suspects_, Suspects{false});
}

void Watches::suspectAll() {
  const std::scoped_lock lock(mutex_);
  suspects_ = Suspects{true};
}

void Watches::addSuspects(const std::vector<Place> &folders) {
  if (folders.empty()) return suspectAll();
  const std::scoped_lock lock(mutex_);
  for (const Place &folder : folders) suspectFiles(folder);
}

// The caller holds the lock.
void Watches::suspectFiles(const Place &folder) {
  constexpr std::size_t most = 1'000; // with more changes at once, a full scan is better
  if (suspects_.all) return;
  suspects_.places.insert(folder);
  if (suspects_.places.size() > most) suspects_ = Suspects{true};
}

void Watches::visit(int descriptor, const Place &place) {
  if (!inotify_ || !armed_) return;
  const std::scoped_lock lock(mutex_);
  if (Watch *watch = addWatch(descriptor, place, anyChange)) watch->whole = true;
}

bool Watches::await(int descriptor, const Place &place, std::string_view name) {
  if (!inotify_) return false;
  if (!armed_) return true; // the next scan sets the watch or finds that it cannot
  const std::scoped_lock lock(mutex_);
  Watch *const watch = addWatch(descriptor, place, namesOnly);
  if (watch != nullptr) watch->awaited.emplace(name);
  return watch != nullptr;
}

void Watches::fallBackForFileSystem() {
  if (mode_ == WatchMode::automatic) fallBack();
}

void Watches::fallBack() {
  const std::scoped_lock lock(mutex_);
  unwatched_ = true;
}

Watches::Watch *Watches::addWatch(int descriptor, const Place &place, std::uint32_t interest) {
  const auto known = watches_.find(place);
  if (known != watches_.end() && (known->second.interest | interest) == known->second.interest) {
    known->second.scan = scan_;
    return &known->second;
  }
  if (exhausted_) return nullptr;
  // Uses the descriptor, because the path may lead elsewhere by now.
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  const int number = ::inotify_add_watch(inotify_.number(), path.c_str(), interest);
  if (number < 0) {
    fail(errno);
    return nullptr;
  }
  Watch watch{number, scan_, interest, false, {}};
  if (known != watches_.end()) { // the watch must cover more events than before
    watch.awaited = std::move(known->second.awaited);
    places_.erase(known->second.number);
  }
  // The number is already used for another place: one inode reports two identities. Keeps the new
  // one.
  if (const auto before = places_.find(number); before != places_.end()) {
    watches_.erase(before->second);
  }
  places_[number] = place;
  return &watches_.insert_or_assign(place, std::move(watch)).first->second;
}

void Watches::fail(int error) {
  // The folder is unreadable or gone. The scan cannot read it either, and the folder above reports
  // changes.
  if (error == EACCES || error == ENOENT) return;
  unwatched_ = true;
  exhausted_ = true;
  const char *const why =
      error == ENOSPC ? "the limit fs.inotify.max_user_watches is reached" : std::strerror(error);
  warnings_.warnOnce(subject,
                     std::string("polling as well, inotify cannot watch everything: ") + why);
}

bool Watches::drain() {
  alignas(inotify_event) std::array<char, 65'536> buffer; // filled as far as it is read
  bool mattered = false;
  // Limits the rounds, so that a flood of events does not keep the thread from its other work.
  for (int round = 0; round < 64; ++round) {
    const ssize_t size = ::read(inotify_.number(), buffer.data(), buffer.size());
    if (size <= 0) break;
    mattered |= handleRecords(std::string_view(buffer.data(), static_cast<std::size_t>(size)));
  }
  return mattered;
}

bool Watches::handleRecords(std::string_view records) {
  const std::scoped_lock lock(mutex_);
  bool mattered = false;
  while (const std::optional<WatchEvent> event = takeEvent(records)) {
    if ((event->mask & IN_Q_OVERFLOW) != 0) { // any event may have been lost
      mattered = true;
      suspects_ = Suspects{true};
    }
    const auto place = places_.find(event->watch);
    if (place == places_.end()) continue; // already removed
    const auto watch = watches_.find(place->second);
    const bool gone = (event->mask & (IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF)) != 0;
    const bool more = gone || watch->second.awaited.contains(event->name);
    mattered |= more || watch->second.whole;
    if (more || (watch->second.whole && (event->mask & IN_ISDIR) != 0))
      suspects_ = Suspects{true};
    else if (watch->second.whole)
      suspectFiles(place->second);
    if ((event->mask & IN_IGNORED) == 0) continue;
    watches_.erase(watch);
    places_.erase(place);
  }
  return mattered;
}

} // namespace skillhost::filesystem

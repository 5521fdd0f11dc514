// SPDX-License-Identifier: Apache-2.0
#include "usage/usage_recorder.hpp"

#include "base/log.hpp"
#include "ground/guarded.hpp"
#include "ground/time_reading.hpp"
#include "ground/utf8.hpp"
#include "usage_file.hpp"
#include "usage_key.hpp"
#include "usage_queue.hpp"
#include "usage_reader.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t maxNameBytes = 200, maxClientBytes = 64, maxTextBytes = 500; // bytes
constexpr std::size_t maxCachedHashes = 10'000; // of principals in memory
constexpr int maxSteps = 10;                    // of pruning after one commit, 5,000 rows each
constexpr std::int64_t dayMilliseconds = 86'400'000;

// Returns the number of rows in one transaction. Even rows of the greatest length fit into the
// tenth of the limit that pruning keeps free.
std::size_t maxTransactionUses(std::size_t maxBytes) {
  return std::clamp<std::size_t>(maxBytes / 16'384, 500, 20'000);
}

void cut(std::string &text, std::size_t maxBytes) {
  if (text.size() > maxBytes) text.resize(cutUtf8(text, maxBytes).size());
}

UseView viewOf(const UseEvent &event) {
  return {subjectAs<std::string_view>(event), event.text, event.time, event.microseconds};
}

// Returns the number of uses in all lines.
std::size_t usesOf(std::span<const UsageLine> lines) {
  std::int64_t all = 0;
  for (const UsageLine &line : lines) all += line.entry.count;
  return static_cast<std::size_t>(all);
}

} // namespace

class UsageRecorder::Writer {
public:
  Writer(UsageSettings settings, UsageRules rules, metrics::Registry &registry)
      : settings_(std::move(settings)), rules_(rules),
        written_(registry.counter({"skillhost_usage_events_total", {}})),
        lost_(registry.counter({"skillhost_usage_lost_total", {}})),
        refused_(registry.counter({"skillhost_usage_refusals_skipped_total", {}})),
        thread_([this] { work(); }) {}
  ~Writer() {
    {
      const std::scoped_lock lock(mutex_);
      ending_ = true;
      endBy_ = Clock::now() + rules_.end;
    }
    wake_.notify_all();
    thread_.join();
  }
  Writer(const Writer &) = delete;
  Writer &operator=(const Writer &) = delete;

  void record(const UseView &use) noexcept;
  bool flush(std::chrono::milliseconds span);
  const UsageSettings &settings() const noexcept { return settings_; }

private:
  bool isOneMoreRefusal(const UseView &use); // the caller holds the lock
  void work();
  void writeLast();
  bool awaitEvents(); // false at the end
  void write();
  bool tryWrite();
  std::optional<DatabaseError> writeLines(std::size_t &written);
  void noteWritten(std::size_t count);
  void prune();
  void fail(DatabaseError::Kind kind, const std::string &why);
  void recovered();
  void countLost(std::span<const UsageLine> lines);
  UsageLine lineOf(UsageEntry &&entry);
  std::string principalOf(const UseSubject<std::string> &subject);
  void readKey();
  const std::string &clientOf(const std::string &name);

  const UsageSettings settings_;
  const UsageRules rules_;
  // lost_ counts uses without room and failed writes, refused_ those that are skipped on purpose.
  metrics::Counter &written_, &lost_, &refused_;

  const SubjectHash hash_;
  std::mutex mutex_;
  std::condition_variable wake_, settled_;
  UsageQueue waiting_;
  bool ending_ = false, hurry_ = false; // hurry_: a caller waits in flush()
  Clock::time_point endBy_{};
  std::uint64_t taken_ = 0, done_ = 0; // uses that were added; uses that are written or lost
  std::int64_t refusalSecond_ = 0;
  std::size_t refusals_ = 0;    // recorded in that second
  std::uint64_t lostSince_ = 0; // since the file fails

  // Only the writing thread uses the members below.
  std::optional<UsageFile> file_;
  std::optional<Blake3Key> key_;
  bool keyFailed_ = false;       // the key cannot be read, and that was logged
  std::vector<UsageLine> lines_; // not written yet
  std::unordered_map<std::string, std::string> hashes_;
  std::unordered_set<std::string> clients_;
  const std::string otherClients_ = "(other)";
  Clock::time_point nextAttemptAt_{}; // time of the next attempt
  bool failing_ = false;              // the file fails, and that was logged
  // Number of successive attempts at which another process held the file.
  std::size_t busy_ = 0;
  std::thread thread_; // last, because it uses the other members
};

// A refused caller can repeat its request at will, and must not push out the uses of others.
bool UsageRecorder::Writer::isOneMoreRefusal(const UseView &use) {
  if (use.kind != UseKind::Refusal) return false;
  const std::int64_t second = use.time / 1'000;
  if (std::exchange(refusalSecond_, second) != second) refusals_ = 0;
  return ++refusals_ > rules_.refusals;
}

void UsageRecorder::Writer::record(const UseView &use) noexcept {
  try {
    const std::uint64_t hash = hash_.of(use);
    bool wakes = false;
    {
      const std::scoped_lock lock(mutex_);
      if (isOneMoreRefusal(use)) return refused_.add();
      const UsageQueue::Added added = waiting_.add(use, hash, rules_.waiting);
      if (added == UsageQueue::Added::QueueFull) {
        ++lostSince_;
        return lost_.add();
      }
      ++taken_;
      // The queue is written before it is full, however recent the last write was.
      wakes = added == UsageQueue::Added::Appended &&
              (waiting_.size() == 1 || waiting_.size() == rules_.waiting / 2);
    }
    if (wakes) wake_.notify_one();
  } catch (const std::exception &) { // no memory
    lost_.add();
  }
}

bool UsageRecorder::Writer::flush(std::chrono::milliseconds span) {
  std::unique_lock lock(mutex_);
  const std::uint64_t upTo = taken_;
  hurry_ = true;
  wake_.notify_one();
  return settled_.wait_for(lock, span, [&] { return done_ >= upTo; });
}

void UsageRecorder::Writer::work() {
  for (;;) {
    try {
      if (!awaitEvents()) break;
      write();
    } catch (const std::exception &) {
      // Memory is short: the events that were taken are lost, and the next are taken after a pause.
      std::unique_lock lock(mutex_);
      if (wake_.wait_for(lock, rules_.pause, [&] { return ending_; })) break;
    }
  }
  try {
    writeLast();
  } catch (const std::exception &) {
    return; // memory is short at the end: the remaining lines are lost
  }
}

// Tries once more to write the lines that are left.
void UsageRecorder::Writer::writeLast() {
  while (!lines_.empty() && Clock::now() < endBy_ && !tryWrite()) {
    if (lines_.empty() || nextAttemptAt_ >= endBy_) break;
    std::unique_lock lock(mutex_);
    wake_.wait_until(lock, nextAttemptAt_, [] { return false; });
  }
  countLost(lines_);
}

// Takes the waiting events when there are some and it is time to write.
bool UsageRecorder::Writer::awaitEvents() {
  std::unique_lock lock(mutex_);
  if (lines_.empty()) wake_.wait(lock, [&] { return ending_ || hurry_ || !waiting_.isEmpty(); });
  const auto presses = [&] {
    return ending_ || (hurry_ && Clock::now() >= nextAttemptAt_) ||
           (waiting_.size() >= rules_.waiting / 2 && lines_.empty());
  };
  if (!presses())
    wake_.wait_until(lock, std::max(nextAttemptAt_, Clock::now() + rules_.pause), presses);
  hurry_ = false;
  UsageQueue taken;
  taken.swap(waiting_);
  const bool goesOn = !ending_;
  lock.unlock();
  if (!taken.isEmpty()) readKey();
  lines_.reserve(lines_.size() + taken.size());
  for (UsageEntry &entry : taken.entries()) lines_.push_back(lineOf(std::move(entry)));
  return goesOn;
}

void UsageRecorder::Writer::write() {
  if (!lines_.empty()) tryWrite();
  // Lines that cannot be written are kept as long as there is room for them.
  if (lines_.size() > rules_.waiting) {
    countLost(std::span(lines_).subspan(rules_.waiting));
    lines_.resize(rules_.waiting);
  }
  settled_.notify_all();
}

// Returns true if no line is left.
bool UsageRecorder::Writer::tryWrite() {
  std::size_t written = 0;
  const std::optional<DatabaseError> why = writeLines(written);
  lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(written));
  if (why)
    fail(why->kind(), why->what());
  else
    nextAttemptAt_ = {};
  return lines_.empty();
}

// Returns why it stopped early; nothing if it did not. `written` is the number of lines that it
// wrote.
std::optional<DatabaseError> UsageRecorder::Writer::writeLines(std::size_t &written) {
  try {
    if (file_ && !file_->isInPlace()) file_.reset();
    if (!file_) file_.emplace(settings_.path, settings_.maxBytes);
    file_->prepare();
    while (written < lines_.size()) {
      const std::size_t count =
          std::min(lines_.size() - written, maxTransactionUses(settings_.maxBytes));
      const std::span<const UsageLine> some = std::span(lines_).subspan(written, count);
      file_->append(some);
      written += count;
      noteWritten(usesOf(some));
      prune();
    }
  } catch (const DatabaseError &why) {
    return why;
  } catch (const std::exception &why) {
    return DatabaseError(DatabaseError::Kind::Other, why.what());
  }
  return std::nullopt;
}

void UsageRecorder::Writer::noteWritten(std::size_t count) {
  written_.add(static_cast<double>(count));
  recovered();
  const std::scoped_lock lock(mutex_);
  done_ += count;
}

void UsageRecorder::Writer::prune() {
  const std::int64_t now = millisecondsNow();
  const std::int64_t oldest = now - static_cast<std::int64_t>(settings_.keepDays) * dayMilliseconds;
  for (int step = 0; step < maxSteps && file_->prune(oldest, now); ++step) {}
}

void UsageRecorder::Writer::fail(DatabaseError::Kind kind, const std::string &why) {
  using Kind = DatabaseError::Kind;
  const std::string what = settings_.path + ": " + why;
  nextAttemptAt_ = Clock::now() +
                   (kind == Kind::Busy || kind == Kind::Full ? rules_.pause : rules_.retryInterval);
  // Another server may have found the damage first: then another file is in this place, which is
  // not damaged.
  const bool isInPlace = file_ && file_->isInPlace();
  if (kind != Kind::Busy) file_.reset();
  if (kind == Kind::Damaged && (!isInPlace || setDatabaseAside(settings_.path))) {
    log::warning("usage", what +
                              (isInPlace ? ": set aside as " + settings_.path + ".damaged"
                                         : std::string(": it has been set aside")) +
                              "; usage is recorded in a new file");
    nextAttemptAt_ = {};
    return; // the lines are written to the new file
  }
  // A process that holds the file for a moment is not logged.
  const bool isBrief = kind == Kind::Busy && busy_++ == 0;
  if (!isBrief && !std::exchange(failing_, true)) {
    log::warning("usage",
                 what + ": usage is not recorded until this is fixed; requests are still served");
    const std::scoped_lock lock(mutex_);
    lostSince_ = 0;
  }
  // While another process or a full disk prevents writing, the lines are kept for a while.
  if (kind == Kind::Busy || kind == Kind::Full) return;
  countLost(lines_);
  lines_.clear();
}

void UsageRecorder::Writer::recovered() {
  busy_ = 0;
  if (!std::exchange(failing_, false)) return;
  std::uint64_t lost = 0;
  {
    const std::scoped_lock lock(mutex_);
    lost = std::exchange(lostSince_, 0);
  }
  log::info("usage", settings_.path + ": usage is recorded again; " + std::to_string(lost) +
                         " events were lost");
}

void UsageRecorder::Writer::countLost(std::span<const UsageLine> lines) {
  if (lines.empty()) return;
  const std::size_t count = usesOf(lines);
  lost_.add(static_cast<double>(count));
  const std::scoped_lock lock(mutex_);
  lostSince_ += count;
  done_ += count;
}

UsageLine UsageRecorder::Writer::lineOf(UsageEntry &&entry) {
  std::string principal = principalOf(entry.subject);
  entry.subject.client = clientOf(entry.subject.client);
  if (!settings_.queries) entry.text.clear();
  return {std::move(entry), std::move(principal)};
}

std::string UsageRecorder::Writer::principalOf(const UseSubject<std::string> &subject) {
  if (settings_.principals == UsageSettings::Principals::None) return {};
  if (subject.issuer.empty() && subject.person.empty()) return {};
  std::string whole =
      subject.issuer.empty() ? subject.person : subject.person + " (" + subject.issuer + ')';
  if (settings_.principals == UsageSettings::Principals::Names) {
    cut(whole, maxNameBytes);
    return whole;
  }
  if (!key_) return {};
  if (hashes_.size() >= maxCachedHashes) hashes_.clear();
  const auto [place, isNew] = hashes_.try_emplace(std::move(whole));
  if (isNew) place->second = hashedPrincipal(*key_, subject.issuer, subject.person);
  return place->second;
}

// Without the key, events are recorded without their principals.
void UsageRecorder::Writer::readKey() {
  if (key_ || settings_.principals != UsageSettings::Principals::Hashed) return;
  if (settings_.key) {
    key_ = settings_.key;
    return;
  }
  Result<Blake3Key> key = usageKey(settings_.path);
  if (key)
    key_ = *key;
  else if (!std::exchange(keyFailed_, true))
    log::warning("usage",
                 key.failure().message + "; principals are not recorded until this is fixed");
}

// A client chooses its own name, so not every name gets a row.
const std::string &UsageRecorder::Writer::clientOf(const std::string &name) {
  if (const auto known = clients_.find(name); known != clients_.end()) return *known;
  if (clients_.size() >= rules_.clients) return otherClients_;
  return *clients_.insert(name).first;
}

UsageRecorder::UsageRecorder(UsageSettings settings, UsageRules rules, metrics::Registry &registry)
    : Observer(event::callEnded | event::refused),
      writer_(std::make_unique<Writer>(std::move(settings), rules, registry)),
      reader_(std::make_unique<UsageReader>()) {}

UsageRecorder::~UsageRecorder() = default;

void UsageRecorder::record(const UseView &event) noexcept {
  UseView use = event;
  use.skill = cutUtf8(use.skill, maxNameBytes);
  use.path = cutUtf8(use.path, maxNameBytes);
  use.client = cutUtf8(use.client, maxClientBytes);
  use.text = cutUtf8(use.text, maxTextBytes);
  if (use.time == 0) use.time = millisecondsNow();
  writer_->record(use);
}

void UsageRecorder::record(const UseEvent &event) noexcept { record(viewOf(event)); }

bool UsageRecorder::flush(std::chrono::milliseconds span) { return writer_->flush(span); }

void UsageRecorder::summarize(UsageQuestion question, std::vector<ServedSkill> served, UsageOf of,
                              std::function<bool()> isEnough,
                              std::function<void(Result<Json>)> answer) {
  const auto refuse = [answer](Failure why) { answer(std::move(why)); };
  reader_->ask({std::move(isEnough),
                [path = settings().path, question = std::move(question), served = std::move(served),
                 of, answer = std::move(answer)](const std::function<bool()> &isNow) {
                  answer(usageSummary(path, question, served, of, isNow));
                },
                refuse});
}

const UsageSettings &UsageRecorder::settings() const noexcept { return writer_->settings(); }

} // namespace skillhost

// SPDX-License-Identifier: Apache-2.0
#include "version_recorder.hpp"

#include "base/log.hpp"
#include "ground/blake3.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/json.hpp"
#include "ground/time_reading.hpp"
#include "ground/utf8.hpp"
#include "skills/provenance.hpp"
#include "version_file.hpp"

#include <nlohmann/json.hpp>
#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <unordered_map>
#include <utility>

namespace skillhost {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t maxWaitingTasks = 16;        // questions that wait
constexpr std::size_t maxTransactionChanges = 500; // changes, or texts, in one transaction
constexpr std::size_t maxFiles = 512;              // listed files of a version
constexpr std::size_t maxFactsBytes = 8'192;       // bytes
constexpr std::size_t markDigits = 16;
// After these times, a version with such a text is no longer expected.
constexpr std::int64_t unusedTextsMilliseconds = 86'400'000;
constexpr std::int64_t unusedWhenCrowdedMilliseconds = 600'000;

std::string markOf(const Document &document) {
  return blake3Hex(document.revision).substr(0, markDigits);
}

// If `named` is set, the source's revision of each file counts, too. Only the bytes of SKILL.md
// count.
std::string digestOf(const Skill &skill, bool named) {
  Blake3 hash;
  hash.add(skill.entryDigest);
  for (std::size_t i = 0; i < skill.files.size(); ++i) {
    const Document &file = skill.files[i];
    hash.add(skill.filePaths[i]);
    hash.add(std::string_view("\0", 1));
    if (i == skill.entryAt) continue;
    hash.add(std::to_string(file.length) + (file.executable ? "x" : "-"));
    if (named) hash.add(file.revision);
    hash.add(std::string_view("\0", 1));
  }
  const Blake3::Digest digest = hash.finish();
  return hexadecimal(std::span(digest).first(digest.size() / 2));
}

std::string listOf(const Skill &skill) {
  Json list = Json::array();
  for (std::size_t i = 0; i < skill.files.size() && i < maxFiles; ++i) {
    const Document &file = skill.files[i];
    const bool isEntry = i == skill.entryAt;
    Json size = file.length == UINT64_MAX ? Json() : Json(file.length);
    if (isEntry) size = skill.entryBytes;
    list.push_back({skill.announcedPath(i), std::move(size),
                    isEntry ? skill.entryDigest.substr(0, markDigits) : markOf(file)});
  }
  return list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool isSameContent(const Skill &a, const Skill &b) {
  return a.entryDigest == b.entryDigest && a.files == b.files;
}

// If a source fails or has not answered yet, it is unknown which of its skills are gone.
bool isListed(const SourceStatus &source) {
  return source.failure.empty() && !source.revision.empty();
}

Failure cannotAnswer(const std::string &why) {
  return {Fault::Unavailable, "the history of skills cannot be read: " + why};
}

Failure manyAsk() {
  return {Fault::Unavailable, "too many requests for versions are running: try again in a moment"};
}

std::string sourceOfId(const std::string &skill) { return skill.substr(0, skill.find('/')); }

} // namespace

class VersionRecorder::Implementation {
public:
  Implementation(VersionSettings settings, VersionRules rules)
      : settings_(std::move(settings)), rules_(rules), thread_([this] { work(); }) {}
  ~Implementation() { stop(); }
  Implementation(const Implementation &) = delete;
  Implementation &operator=(const Implementation &) = delete;

  struct Task {
    // `mark` is that of the source. If the file is null, it cannot be read for the reason in the
    // failure.
    std::function<void(VersionFile *, const std::string &mark, const Failure &)> run;
    std::string source;
  };

  void follow(std::map<std::string, std::string> marks);
  void entryRead(const Skill &skill, std::string_view bytes) noexcept;
  void catalogueChanged(std::shared_ptr<const Catalogue> now) noexcept;
  bool ask(Task task); // false if many are waiting
  bool flush(std::chrono::milliseconds span);
  void stop();
  const VersionSettings &settings() const noexcept { return settings_; }

private:
  using Marks = std::map<std::string, std::string>;
  struct Work {
    std::vector<EntryText> texts;
    std::shared_ptr<const Catalogue> catalogue;
    Marks marks; // of the sources of that catalogue
  };

  void work();
  bool hasWork(Clock::time_point now) const; // the caller holds the lock
  Work take();
  bool isEnding();
  void answer(std::deque<Task> &tasks, const Marks &marks);
  void answerOne(const Task &task, const Marks &marks);
  void answerWaiting();
  void compareAgain();
  void write(Work &work);
  void writeTexts(Work &work);
  void writeChanges(const Work &work);
  VersionFile &file();
  std::vector<VersionChange> changesTo(const Catalogue &now, const Marks &marks);
  bool isCompared(const Marks::value_type &source) const;
  static VersionChange changeTo(const Catalogue &now, const Skill &skill, const std::string &mark,
                                bool isTold);
  void touch(const Marks &marks);
  void makeRoom(const Marks &marks, VersionFile::Room room);
  void noteRoom(bool hadRoom);
  void fail(const DatabaseError &why);

  const VersionSettings settings_;
  const VersionRules rules_;

  std::mutex mutex_;
  std::condition_variable wake_, settled_;
  bool ending_ = false, ended_ = false;
  std::deque<Task> tasks_;
  std::vector<EntryText> texts_;
  std::size_t textBytes_ = 0;
  std::shared_ptr<const Catalogue> catalogue_; // null if it is written
  Marks marks_, marksOfCatalogue_;             // the current ones, and those of `catalogue_`
  std::uint64_t requestedWork_ = 0, done_ = 0;

  // Only the thread uses the members below.
  std::optional<VersionFile> file_;
  std::shared_ptr<const Catalogue> written_; // the last catalogue that was written
  Marks marksWritten_;                       // of its sources
  bool isOtherFile_ = false;                 // `written_` was written to another file
  // The marks of the sources that were compared with the file, by name. From then on it is enough
  // to compare catalogues.
  Marks compared_;
  std::string problem_; // why the file cannot be used; empty if it can
  Clock::time_point nextAttemptAt_{};
  bool isFull_ = false; // the file is full, and that was logged
  bool busyOnce_ = false, looked_ = false;
  std::thread thread_; // last, because it uses the other members
};

void VersionRecorder::Implementation::follow(Marks marks) {
  const std::scoped_lock lock(mutex_);
  marks_ = std::move(marks);
}

void VersionRecorder::Implementation::entryRead(const Skill &skill,
                                                std::string_view bytes) noexcept {
  if (bytes.size() > rules_.maxTextBytes || !isUtf8(bytes)) return;
  try {
    EntryText text{skill.entryDigest, std::string(bytes)};
    const std::scoped_lock lock(mutex_);
    if (ending_ || textBytes_ + bytes.size() > rules_.waitingBytes) return;
    textBytes_ += bytes.size();
    texts_.push_back(std::move(text));
    ++requestedWork_;
    if (texts_.size() == 1) wake_.notify_one();
  } catch (const std::exception &) { // no memory: the text is not kept
  }
}

void VersionRecorder::Implementation::catalogueChanged(
    std::shared_ptr<const Catalogue> now) noexcept {
  try {
    const std::scoped_lock lock(mutex_);
    if (ending_) return;
    Marks marks = marks_;
    if (!catalogue_) ++requestedWork_;
    marksOfCatalogue_.swap(marks);
    catalogue_.swap(now);            // the former one is destroyed without the lock
  } catch (const std::exception &) { // no memory: the next catalogue will be compared
    return;
  }
  wake_.notify_one();
}

bool VersionRecorder::Implementation::ask(Task task) {
  {
    const std::scoped_lock lock(mutex_);
    if (tasks_.size() >= maxWaitingTasks) return false;
    if (!ending_) {
      tasks_.push_back(std::move(task));
      wake_.notify_one();
      return true;
    }
  }
  task.run(nullptr, {}, {Fault::Cancelled, "the server is stopping"});
  return true;
}

bool VersionRecorder::Implementation::flush(std::chrono::milliseconds span) {
  std::unique_lock lock(mutex_);
  const std::uint64_t upTo = requestedWork_;
  return settled_.wait_for(lock, span, [&] { return done_ >= upTo; });
}

void VersionRecorder::Implementation::stop() {
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(ended_, true)) return;
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

bool VersionRecorder::Implementation::isEnding() {
  const std::scoped_lock lock(mutex_);
  return ending_;
}

bool VersionRecorder::Implementation::hasWork(Clock::time_point now) const {
  return ending_ || !tasks_.empty() || ((catalogue_ || !texts_.empty()) && now >= nextAttemptAt_);
}

void VersionRecorder::Implementation::work() {
  pthread_setname_np(pthread_self(), "versions");
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      while (!hasWork(Clock::now())) {
        if (catalogue_ || !texts_.empty())
          wake_.wait_until(lock, nextAttemptAt_);
        else
          wake_.wait(lock);
      }
    }
    try {
      answerWaiting();
      if (isEnding()) break;
      Work taken = take();
      if (taken.catalogue || !taken.texts.empty()) write(taken);
      compareAgain();
    } catch (const std::exception &) {
      // Memory is short: the work that was taken is lost, and the next is taken after a pause.
      constexpr std::chrono::seconds pause{1};
      std::unique_lock lock(mutex_);
      if (wake_.wait_for(lock, pause, [&] { return ending_; })) break;
    }
  }
  // Changes that were not written are found at the next start, if the source still has them.
  try {
    std::deque<Task> left;
    {
      const std::scoped_lock lock(mutex_);
      left.swap(tasks_);
    }
    for (const Task &task : left)
      task.run(nullptr, {}, {Fault::Cancelled, "the server is stopping"});
  } catch (const std::exception &) { // memory is short: the deadlines end the calls
  }
}

VersionRecorder::Implementation::Work VersionRecorder::Implementation::take() {
  Work taken;
  const std::scoped_lock lock(mutex_);
  if (Clock::now() < nextAttemptAt_) return taken;
  taken.marks = catalogue_ ? marksOfCatalogue_ : marks_;
  taken.texts.swap(texts_);
  textBytes_ = 0;
  taken.catalogue.swap(catalogue_);
  return taken;
}

VersionFile &VersionRecorder::Implementation::file() {
  if (file_ && !file_->isInPlace()) {
    file_.reset();
    compared_.clear(); // another file has none of the versions that were written
    isOtherFile_ = true;
  }
  if (!file_) file_.emplace(settings_);
  file_->prepare();
  return *file_;
}

void VersionRecorder::Implementation::answer(std::deque<Task> &tasks, const Marks &marks) {
  for (const Task &task : tasks) {
    try {
      answerOne(task, marks);
    } catch (const std::exception &why) { // of the answer itself, such as a lack of memory
      log::error("versions", std::string("a question could not be answered: ") + why.what());
      try {
        task.run(nullptr, {}, {Fault::Internal, "this request for the history of skills failed"});
      } catch (const std::exception &) { // its deadline ends the call
      }
    }
  }
  tasks.clear();
}

void VersionRecorder::Implementation::answerOne(const Task &task, const Marks &marks) {
  const auto mark = marks.find(task.source);
  try {
    // A file that failed is not tried again before its time.
    if (Clock::now() < nextAttemptAt_ && !problem_.empty())
      task.run(nullptr, {}, cannotAnswer(problem_));
    else
      task.run(&file(), mark == marks.end() ? std::string() : mark->second, {Fault::Internal, {}});
  } catch (const DatabaseError &why) {
    fail(why);
    task.run(nullptr, {}, cannotAnswer(why.what()));
  }
}

// Called between two transactions as well.
void VersionRecorder::Implementation::answerWaiting() {
  std::deque<Task> tasks;
  Marks marks;
  {
    const std::scoped_lock lock(mutex_);
    if (ending_ || tasks_.empty()) return; // at the end they are refused
    marks = marks_;
    tasks.swap(tasks_);
  }
  answer(tasks, marks);
}

// If the file is another one, the last catalogue is written to it without waiting for the next
// catalogue.
void VersionRecorder::Implementation::compareAgain() {
  if (!std::exchange(isOtherFile_, false) || !written_) return;
  const std::scoped_lock lock(mutex_);
  if (catalogue_) return;
  marksOfCatalogue_ = marksWritten_;
  catalogue_ = written_;
  ++requestedWork_;
}

void VersionRecorder::Implementation::write(Work &work) {
  const std::size_t told = work.texts.size() + (work.catalogue ? 1 : 0);
  try {
    writeTexts(work);
    if (work.catalogue) writeChanges(work);
    if (!std::exchange(problem_, {}).empty())
      log::info("versions", settings_.path + ": versions of skills are kept again");
    busyOnce_ = false;
    nextAttemptAt_ = {};
  } catch (const std::exception &error) { // also for a lack of memory
    const auto *const known = dynamic_cast<const DatabaseError *>(&error);
    const DatabaseError why =
        known != nullptr ? *known : DatabaseError(DatabaseError::Kind::Other, error.what());
    fail(why);
    const std::scoped_lock lock(mutex_);
    if (why.kind() == DatabaseError::Kind::Busy && !ending_) {
      for (const EntryText &text : work.texts) textBytes_ += text.text.size();
      done_ -= work.texts.size();
      texts_.insert(texts_.begin(), std::make_move_iterator(work.texts.begin()),
                    std::make_move_iterator(work.texts.end()));
    }
    // The catalogue is compared when the file can be used; texts are not kept for so long.
    if (work.catalogue && !catalogue_) {
      catalogue_ = std::move(work.catalogue);
      marksOfCatalogue_ = std::move(work.marks);
      --done_;
    }
  }
  const std::scoped_lock lock(mutex_);
  done_ += told;
  settled_.notify_all();
}

void VersionRecorder::Implementation::writeTexts(Work &work) {
  for (std::size_t at = 0; at < work.texts.size() && !isEnding(); at += maxTransactionChanges) {
    const auto some =
        std::span(work.texts).subspan(at, std::min(work.texts.size() - at, maxTransactionChanges));
    if (!file().add(some, millisecondsNow())) {
      makeRoom(work.marks, VersionFile::Room::ForTexts);
      file().add(some, millisecondsNow());
    }
    answerWaiting();
  }
}

void VersionRecorder::Implementation::writeChanges(const Work &work) {
  const Catalogue &now = *work.catalogue;
  file(); // if it is another file now, everything is compared
  isOtherFile_ = false;
  const std::vector<VersionChange> changes = changesTo(now, work.marks);
  bool hadRoom = true;
  for (std::size_t at = 0; at < changes.size(); at += maxTransactionChanges) {
    if (isEnding()) return;
    const std::size_t count = std::min(changes.size() - at, maxTransactionChanges);
    makeRoom(work.marks, VersionFile::Room::ForVersions);
    hadRoom = file().add(std::span(changes).subspan(at, count), millisecondsNow()) && hadRoom;
    answerWaiting();
    if (!file_ || isOtherFile_) // it cannot be used, or is another file
      throw DatabaseError(DatabaseError::Kind::Busy,
                          "the file was removed while the server wrote it");
  }
  noteRoom(hadRoom);
  Marks compared;
  for (const SourceStatus &source : now.sources())
    // The first list of a source after a failure is compared with the file, not with the last
    // catalogue. Sources are compared again, too, if a version had no room.
    if (const auto mark = work.marks.find(source.name);
        mark != work.marks.end() && isListed(source) && hadRoom)
      compared.insert(*mark);
  touch(work.marks);
  compared_ = std::move(compared);
  written_ = work.catalogue;
  marksWritten_ = work.marks;
  if (!now.loading().isInProgress && !std::exchange(looked_, true))
    file().removeUnusedTexts(millisecondsNow() - unusedTextsMilliseconds);
}

std::vector<VersionChange> VersionRecorder::Implementation::changesTo(const Catalogue &now,
                                                                      const Marks &marks) {
  std::vector<VersionChange> changes;
  // By name, for the sources that are compared with the file.
  std::map<std::string, std::unordered_map<std::string, std::string>, std::less<>> served;
  for (const SourceStatus &source : now.sources())
    if (const auto mark = marks.find(source.name); mark != marks.end() && !isCompared(*mark))
      served.emplace(source.name, file().served(mark->second));
  // As long as a source has not answered, the served skills are those of its predecessor with the
  // same name.
  std::set<std::string, std::less<>> silent;
  for (const SourceStatus &source : now.sources())
    if (source.revision.empty()) silent.insert(source.name);
  for (const CatalogueEntry &entry : now.entries()) {
    const Skill &skill = *entry.skill;
    const auto mark = marks.find(skill.source);
    if (mark == marks.end() || silent.contains(skill.source)) continue;
    bool isTold = false;
    if (const auto known = served.find(skill.source); known != served.end()) {
      const auto shape = known->second.find(skill.id);
      if (shape != known->second.end() && shape->second == digestOf(skill, false)) continue;
    } else if (const CatalogueEntry *const before = written_ ? written_->byId(skill.id) : nullptr;
               before != nullptr) {
      if (before->skill == entry.skill || isSameContent(*before->skill, skill)) continue;
      isTold = true;
    }
    changes.push_back(changeTo(now, skill, mark->second, isTold));
  }
  const auto addGone = [&](const std::string &source, const std::string &skill) {
    if (now.byId(skill) != nullptr) return;
    VersionChange gone;
    gone.mark = marks.at(source);
    gone.skill = skill;
    gone.isGone = true;
    changes.push_back(std::move(gone));
  };
  const auto isWhole = [&](const std::string &name) {
    return std::any_of(now.sources().begin(), now.sources().end(),
                       [&](const SourceStatus &one) { return one.name == name && isListed(one); });
  };
  for (const auto &[source, skills] : served)
    if (isWhole(source))
      for (const auto &[skill, shape] : skills) addGone(source, skill);
  if (!written_) return changes;
  std::set<std::string, std::less<>> whole; // compared with the previous catalogue
  for (const auto &[source, mark] : marks)
    if (!served.contains(source) && isWhole(source)) whole.insert(source);
  for (const CatalogueEntry &entry : written_->entries())
    if (whole.contains(entry.skill->source)) addGone(entry.skill->source, entry.skill->id);
  return changes;
}

bool VersionRecorder::Implementation::isCompared(const Marks::value_type &source) const {
  const auto found = compared_.find(source.first);
  return written_ && found != compared_.end() && found->second == source.second;
}

VersionChange VersionRecorder::Implementation::changeTo(const Catalogue &now, const Skill &skill,
                                                        const std::string &mark, bool isTold) {
  VersionChange change;
  change.mark = mark;
  change.skill = skill.id;
  change.isTold = isTold;
  change.digest = skill.entryDigest;
  change.bytes = skill.entryBytes;
  change.files = skill.files.size();
  change.facts = factsOf(now, skill, LocalPaths::Hidden);
  if (change.facts.size() > maxFactsBytes) change.facts.clear();
  change.shape = digestOf(skill, false);
  change.identity = digestOf(skill, true);
  change.list = listOf(skill);
  return change;
}

// A followed source stays current, however long nothing in it has changed.
void VersionRecorder::Implementation::touch(const Marks &marks) {
  std::vector<std::string> followed;
  followed.reserve(marks.size());
  for (const auto &[source, mark] : marks) followed.push_back(mark);
  file().touch(followed, millisecondsNow());
}

// Texts without a version are removed before any version.
void VersionRecorder::Implementation::makeRoom(const Marks &marks, VersionFile::Room room) {
  constexpr int maxSteps = 10; // after one transaction
  touch(marks);
  const std::int64_t now = millisecondsNow();
  if (file().isCrowded(room)) file().removeUnusedTexts(now - unusedWhenCrowdedMilliseconds);
  for (int step = 0; step < maxSteps && file().prune(now, room); ++step) {}
}

void VersionRecorder::Implementation::noteRoom(bool hadRoom) {
  if (hadRoom == !isFull_) return;
  isFull_ = !hadRoom;
  if (isFull_)
    log::warning("versions", settings_.path + ": there is no room for the versions of all skills "
                                              "that are served; raise versions.max_bytes");
}

void VersionRecorder::Implementation::fail(const DatabaseError &why) {
  using Kind = DatabaseError::Kind;
  const bool isBusy = why.kind() == Kind::Busy || why.kind() == Kind::Full;
  const std::string what = settings_.path + ": " + why.what();
  // Another server may have found the damage first: then another file is in this place, which is
  // not damaged.
  const bool isInPlace = file_ && file_->isInPlace();
  if (!isBusy) {
    file_.reset();
    compared_.clear();
    isOtherFile_ = true;
  }
  if (why.kind() == Kind::Damaged && isInPlace && setDatabaseAside(settings_.path)) {
    log::warning("versions", what + ": set aside as " + settings_.path +
                                 ".damaged; versions of skills are kept in a new file");
    nextAttemptAt_ = {};
    return;
  }
  nextAttemptAt_ = Clock::now() + (isBusy ? rules_.pause : rules_.retryInterval);
  // A process that holds the file for a moment is not logged.
  if (why.kind() == Kind::Busy && !std::exchange(busyOnce_, true)) return;
  if (problem_.empty())
    log::warning(
        "versions",
        what + ": versions of skills are not kept until this is fixed; requests are still served");
  problem_ = why.what();
}

VersionRecorder::VersionRecorder(VersionSettings settings, VersionRules rules)
    : Observer(event::entryRead | event::catalogueChanged),
      implementation_(std::make_unique<Implementation>(std::move(settings), rules)) {}

VersionRecorder::~VersionRecorder() = default;

void VersionRecorder::follow(std::map<std::string, std::string> marks) {
  implementation_->follow(std::move(marks));
}

void VersionRecorder::entryRead(const Skill &skill, std::string_view bytes) noexcept {
  implementation_->entryRead(skill, bytes);
}

void VersionRecorder::catalogueChanged(std::shared_ptr<const Catalogue> now,
                                       std::uint64_t /*generation*/) noexcept {
  implementation_->catalogueChanged(std::move(now));
}

void VersionRecorder::list(std::string skill,
                           const std::function<void(Result<std::vector<SkillVersion>>)> &answer) {
  std::string source = sourceOfId(skill);
  const auto run = [skill = std::move(skill), answer](VersionFile *file, const std::string &mark,
                                                      const Failure &why) {
    if (file == nullptr) return answer(why);
    answer(file->list(mark, skill));
  };
  if (!implementation_->ask({run, std::move(source)})) answer(manyAsk());
}

void VersionRecorder::show(std::string skill, std::int64_t version,
                           const std::function<void(Result<VersionContent>)> &answer) {
  std::string source = sourceOfId(skill);
  const auto run = [skill = std::move(skill), version,
                    answer](VersionFile *file, const std::string &mark, const Failure &why) {
    if (file == nullptr) return answer(why);
    std::optional<VersionContent> found = file->show(mark, skill, version);
    if (!found)
      return answer(
          Failure{Fault::NotFound, "the skill has no version " + std::to_string(version)});
    answer(*std::move(found));
  };
  if (!implementation_->ask({run, std::move(source)})) answer(manyAsk());
}

bool VersionRecorder::flush(std::chrono::milliseconds span) { return implementation_->flush(span); }

void VersionRecorder::stop() { implementation_->stop(); }

const VersionSettings &VersionRecorder::settings() const noexcept {
  return implementation_->settings();
}

} // namespace skillhost

// SPDX-License-Identifier: Apache-2.0
#include "gathering/usage_gathering.hpp"

#include "answering.hpp"
#include "asking.hpp"
#include "base/log.hpp"
#include "ground/guarded.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/json_member.hpp"
#include "ground/random.hpp"
#include "ground/timer.hpp"
#include "replica_list.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t mostWaiting = 16;            // who ask at the same time
constexpr std::int64_t sameTime = 60'000;          // milliseconds that their times may differ
constexpr std::chrono::milliseconds lookSpan{200}; // whether anybody still waits
constexpr std::size_t idBytes = 8, longestProblem = 1'000; // of another replica

std::string idIn(const Json &message, const char *name) {
  const Json &found = memberOf(message, name);
  if (!found.is_string()) return {};
  auto id = found.get<std::string>();
  return isHexadecimal(id, 2 * idBytes) ? id : std::string();
}
std::string wordsIn(const Json &message, const char *name) {
  const Json &found = memberOf(message, name);
  return found.is_string() ? found.get<std::string>() : std::string();
}
std::int64_t numberIn(const Json &message, const char *name) {
  const Json &found = memberOf(message, name);
  return found.is_number_integer() ? found.get<std::int64_t>() : -1;
}

// Who is missing when the answers at the places `unread` could not be read. One whose file was
// counted is not.
std::vector<const GatheredUsage::Other *> missingIn(const GatheredUsage &gathered,
                                                    const std::set<std::size_t> &unread) {
  const auto counts = [&](const GatheredUsage::Other &one) {
    return one.isThere && !unread.contains(one.cells);
  };
  std::set<std::string> counted{gathered.ownFile};
  for (const GatheredUsage::Other &one : gathered.others)
    if (counts(one)) counted.insert(one.file);
  counted.erase(std::string());
  std::vector<const GatheredUsage::Other *> missing;
  for (const GatheredUsage::Other &one : gathered.others)
    if (!counts(one) && !counted.contains(one.file)) missing.push_back(&one);
  return missing;
}

Json replicasJson(const GatheredUsage &gathered, const std::set<std::size_t> &unread) {
  const auto missing = missingIn(gathered, unread);
  const std::size_t asked = gathered.others.size() + 1;
  Json names = Json::array();
  for (const GatheredUsage::Other *one : missing) names.push_back(one->replica);
  Json replicas{{"asked", asked}, {"answered", asked - missing.size()}, {"missing", names}};
  if (!gathered.problem.empty()) replicas["problem"] = gathered.problem;
  return replicas;
}

} // namespace

class UsageGathering::Implementation : public std::enable_shared_from_this<Implementation> {
public:
  Implementation(std::shared_ptr<SharedState> state, std::shared_ptr<UsageRecorder> usage,
                 const GatheringRules &rules)
      : state_(std::move(state)), usage_(std::move(usage)), rules_(rules),
        replicas_(std::make_shared<ReplicaList>(state_, rules.absence)),
        answering_(std::make_shared<UsageAnswering>(state_, usage_, rules)) {}

  void begin() {
    const std::weak_ptr<Implementation> weak = weak_from_this();
    state_->listen(usageChannel, {[weak](std::string_view message) {
                                    if (const auto self = weak.lock()) self->heard(message);
                                  },
                                  [] {}});
    // An engine that was away may have forgotten who is there.
    state_->onReachable([weak](bool isReachable) {
      const auto self = weak.lock();
      if (self && isReachable) self->renew();
    });
    tick();
  }

  void end() {
    std::vector<Task> tasks;
    std::unique_ptr<Timer> timer;
    std::shared_ptr<UsageAsking> asking;
    {
      const std::scoped_lock lock(mutex_);
      if (std::exchange(ended_, true)) return;
      tasks = std::move(waiting_);
      for (Task &task : asked_) tasks.push_back(std::move(task));
      waiting_.clear();
      asked_.clear();
      asking = std::move(asking_);
      timer = std::move(timer_);
    }
    timer.reset(); // without the lock, which what is firing may want
    if (asking) asking->end();
    answering_->giveUpAll();
    replicas_->leave();
    for (const Task &task : tasks) task.answer({Fault::Cancelled, "the server ends"});
  }

  void summarize(UsageQuestion question, std::vector<ServedSkill> served, UsageOf of,
                 std::function<bool()> isEnough, std::function<void(Result<Json>)> answer) {
    Task task{std::move(question), std::move(served), of, std::move(isEnough), std::move(answer)};
    const Status taken = [&]() -> Status {
      const std::scoped_lock lock(mutex_);
      if (ended_) return {Fault::Cancelled, "the server ends"};
      if (waiting_.size() >= mostWaiting)
        return {Fault::Unavailable, "many ask for the figures: try again in a moment"};
      waiting_.push_back(std::move(task));
      return Done{};
    }();
    if (!taken) return task.answer(taken.failure());
    askNext();
  }

private:
  struct Task {
    UsageQuestion question;
    std::vector<ServedSkill> served;
    UsageOf of = UsageOf::ServedAlone;
    std::function<bool()> isEnough;
    std::function<void(Result<Json>)> answer;
  };

  void later(std::chrono::milliseconds span, std::function<void(Implementation &)> what) {
    const std::scoped_lock lock(mutex_);
    if (!timer_) return;
    timer_->after(span, [weak = weak_from_this(), what = std::move(what)] {
      if (const auto self = weak.lock()) what(*self);
    });
  }

  void tick() {
    renew();
    later(rules_.renewal, [](Implementation &self) { self.tick(); });
  }

  // At once, with the file that was known last: the thread that reads files may have much to do.
  // It may be another one by now.
  void renew() {
    replicas_->renew(ownFile_.copy());
    usage_->gather(1, 0, 1, {}, [weak = weak_from_this()](const Result<UsageCells> &cells) {
      const auto self = weak.lock();
      // One that cannot be read now is asked for all the same, and is then missing.
      if (!self || !cells) return;
      const bool isOther = self->ownFile_.with(
          [&](std::string &file) { return std::exchange(file, cells->file) != cells->file; });
      if (isOther) self->replicas_->renew(cells->file);
    });
  }

  void heard(std::string_view text) {
    const std::optional<Json> message = readJsonObject(text);
    if (!message) return;
    if (const std::string over = idIn(*message, "over"); !over.empty())
      return answering_->giveUp(over);
    const std::string from = idIn(*message, "from");
    if (from.empty()) return;
    if (const std::string question = idIn(*message, "ask"); !question.empty()) {
      {
        const std::scoped_lock lock(mutex_);
        if (ended_) return;
      }
      return answering_->answer({question, from, numberIn(*message, "since"),
                                 numberIn(*message, "until"), numberIn(*message, "patience"),
                                 wordsIn(*message, "file")},
                                ownFile_.copy());
    }
    const std::string question = idIn(*message, "told");
    std::shared_ptr<UsageAsking> asking;
    {
      const std::scoped_lock lock(mutex_);
      asking = asking_;
    }
    if (!asking || asking->question().question != question) return;
    UsageTold told{question, from, wordsIn(*message, "file"),
                   0,        0,    wordsIn(*message, "problem").substr(0, longestProblem)};
    if (memberOf(*message, "reading") == true) {
      told.isReading = true;
      return asking->told(told);
    }
    const std::int64_t parts = numberIn(*message, "parts"), bytes = numberIn(*message, "bytes");
    if (parts < 0 || bytes < 0 || (parts == 0) != (bytes == 0)) {
      if (told.problem.empty()) told.problem = "its answer says nothing that is known here";
    } else {
      told.parts = static_cast<std::size_t>(parts);
      told.bytes = static_cast<std::size_t>(bytes);
    }
    asking->told(told);
  }

  // Those who wait and ask about the same time, if nobody is being asked.
  void askNext() {
    std::shared_ptr<UsageAsking> asking;
    {
      const std::scoped_lock lock(mutex_);
      if (asking_ || waiting_.empty() || ended_) return;
      const UsageQuestion first = waiting_.front().question;
      const auto others =
          std::stable_partition(waiting_.begin(), waiting_.end(), [&](const Task &task) {
            return task.question.until == first.until &&
                   task.question.since - first.since < sameTime &&
                   first.since - task.question.since < sameTime;
          });
      asked_.assign(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(others));
      waiting_.erase(waiting_.begin(), others);
      // What is added up is of one time.
      for (Task &task : asked_) task.question.since = first.since;
      asking_ = asking = std::make_shared<UsageAsking>(
          state_, replicas_,
          UsageAsk{randomHex(idBytes), state_->replica(), first.since, first.until,
                   rules_.patience.count(), ownFile_.copy()},
          rules_, [weak = weak_from_this()](GatheredUsage gathered) {
            if (const auto self = weak.lock()) self->gathered(std::move(gathered));
          });
    }
    const std::weak_ptr<UsageAsking> open = asking;
    later(rules_.patience, [open](Implementation &) {
      if (const auto still = open.lock()) still->end();
    });
    later(rules_.firstWord, [open](Implementation &) {
      if (const auto still = open.lock()) still->passOverSilent();
    });
    look(open);
    asking->begin();
  }

  // A question that nobody waits for any more stops.
  void look(const std::weak_ptr<UsageAsking> &open) {
    later(lookSpan, [open](Implementation &self) {
      const auto asking = open.lock();
      if (!asking) return;
      const bool isOver = [&] {
        const std::scoped_lock lock(self.mutex_);
        return self.asking_ == asking &&
               std::all_of(self.asked_.begin(), self.asked_.end(),
                           [](const Task &task) { return task.isEnough && task.isEnough(); });
      }();
      if (isOver) return asking->end();
      self.look(open);
    });
  }

  void gathered(GatheredUsage made) {
    std::vector<Task> tasks;
    {
      const std::scoped_lock lock(mutex_);
      tasks.swap(asked_);
      asking_.reset();
    }
    if (std::any_of(tasks.begin(), tasks.end(),
                    [](const Task &task) { return !task.isEnough || !task.isEnough(); }))
      warn(made);
    const auto shared = std::make_shared<const GatheredUsage>(std::move(made));
    for (Task &task : tasks) {
      const auto unread = std::make_shared<std::set<std::size_t>>(); // of the reader's thread
      usage_->summarize(
          std::move(task.question), std::move(task.served), task.of, std::move(task.isEnough),
          [shared, unread, answer = std::move(task.answer)](Result<Json> summary) {
            if (summary) (*summary)["replicas"] = replicasJson(*shared, *unread);
            answer(std::move(summary));
          },
          {shared->cells, [unread, shared](std::size_t place) {
             unread->insert(place);
             for (const GatheredUsage::Other &one : shared->others)
               if (one.cells == place)
                 log::warning("usage", "the figures of replica " + one.replica +
                                           " cannot be read: is it of another version?");
           }});
    }
    askNext();
  }

  // Once for as long as the same ones are missing.
  void warn(const GatheredUsage &made) {
    std::string names, words;
    for (const GatheredUsage::Other *one : missingIn(made, {})) {
      names += one->replica + ' ';
      words += (words.empty() ? "" : "; ") + one->replica + ": " + one->why;
    }
    const bool isNews =
        warned_.with([&](std::string &warned) { return std::exchange(warned, names) != names; });
    if (isNews && !names.empty())
      log::warning("usage", "figures of use are asked for, and replicas are missing: " + words);
  }

  const std::shared_ptr<SharedState> state_;
  const std::shared_ptr<UsageRecorder> usage_;
  const GatheringRules rules_;
  const std::shared_ptr<ReplicaList> replicas_;
  const std::shared_ptr<UsageAnswering> answering_;
  Guarded<std::string> ownFile_; // its id, as far as it is known
  Guarded<std::string> warned_;  // who was missing last
  std::mutex mutex_;
  std::vector<Task> waiting_, asked_;   // under the lock, as what follows
  std::shared_ptr<UsageAsking> asking_; // null: nobody is being asked
  bool ended_ = false;
  std::unique_ptr<Timer> timer_ = std::make_unique<Timer>(); // null at the end
};

UsageGathering::UsageGathering(std::shared_ptr<SharedState> state,
                               std::shared_ptr<UsageRecorder> usage, GatheringRules rules)
    : implementation_(std::make_shared<Implementation>(std::move(state), std::move(usage), rules)) {
  implementation_->begin();
}
UsageGathering::~UsageGathering() { stop(); }
void UsageGathering::stop() { implementation_->end(); }
void UsageGathering::summarize(UsageQuestion question, std::vector<ServedSkill> served, UsageOf of,
                               std::function<bool()> isEnough,
                               std::function<void(Result<Json>)> answer) {
  implementation_->summarize(std::move(question), std::move(served), of, std::move(isEnough),
                             std::move(answer));
}

} // namespace skillhost

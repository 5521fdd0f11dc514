// SPDX-License-Identifier: Apache-2.0
#include "shared_decisions.hpp"

#include "base/log.hpp"
#include "ground/counted.hpp"
#include "ground/guarded.hpp"
#include "ground/read_file.hpp"
#include "ground/replace_file.hpp"
#include "ground/timer.hpp"
#include "review/agreement.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

constexpr const char *changesChannel = "reviews";
constexpr std::size_t keyDigits = 16;
constexpr int mostTries = 20;       // of one look, while others write
constexpr std::size_t mostPuts = 8; // whose outcome is not known
constexpr int mostForeignTries = 3; // what is there and cannot be opened is somebody else's then

void tellReaders(LogLevel level, const std::string &text) {
  log::write(level, "review", text, {}, log::Audience::Log);
}

bool isOfEngine(Fault fault) noexcept {
  return fault == Fault::Unavailable || fault == Fault::ToolTimeout || fault == Fault::Cancelled;
}

} // namespace

class SharedDecisions::Implementation : public std::enable_shared_from_this<Implementation> {
public:
  Implementation(std::shared_ptr<SharedState> state, SharedDecisionsSettings settings,
                 std::function<void()> written)
      : state_(std::move(state)), settings_(std::move(settings)), written_(std::move(written)),
        service_(state_->keyed("decisions", {settings_.service})),
        documentKey_("reviews/decisions/" +
                     state_->keyed("decisions key", {}).substr(0, keyDigits)),
        base_(readBase()) {}

  void listen() {
    const std::weak_ptr<Implementation> weak = weak_from_this();
    const auto lookAgain = [weak] {
      if (const auto self = weak.lock()) self->look();
    };
    state_->listen(changesChannel, {[lookAgain](std::string_view) { lookAgain(); }, lookAgain});
    state_->onReachable([lookAgain](bool isReachable) {
      if (isReachable) lookAgain();
    });
    lookLater();
  }

  void look() {
    post([this] { begin(); });
  }

  void agree(Answered answered) {
    const bool isOver = [&] {
      const std::scoped_lock lock(mutex_);
      if (!ended_) waiting_.push_back(answered);
      return ended_;
    }();
    if (isOver) return answered(Failure{Fault::Cancelled, "the server ends"});
    look();
  }

  std::string problem() const { return problem_.copy(); }

  void end() {
    std::unique_ptr<Timer> last;
    {
      const std::scoped_lock lock(mutex_);
      if (std::exchange(ended_, true)) return;
      last = std::move(timer_);
    }
    last.reset();   // waits for what is firing: from here on nothing else is done
    state_.reset(); // which must not end on a thread of its own, that may hold this for a moment
    answerAll(Failure{Fault::Cancelled, "the server ends"});
  }

private:
  // What one comparison is about.
  struct Round {
    std::optional<std::string> found;      // the document's text; none: there is none
    std::optional<AgreedDecisions> shared; // the document
    bool hasFile = false;
    Approvals file; // empty where there is none
    Agreement agreement;
  };
  using RoundPointer = std::shared_ptr<const Round>;

  struct Put {
    std::string mark;       // of the document
    AgreedDecisions before; // the base, where the document is in what is shared
  };

  // On the timer's thread, on which all below runs, unless it has ended.
  void post(std::function<void()> what, std::chrono::milliseconds span = {}) {
    const std::scoped_lock lock(mutex_);
    if (ended_) return;
    timer_->after(span, [weak = weak_from_this(), what = std::move(what)] {
      if (const auto self = weak.lock()) what();
    });
  }

  void lookLater() {
    post(
        [this] {
          begin();
          lookLater();
        },
        settings_.look);
  }

  void begin() {
    if (isBusy_) {
      isAskedAgain_ = true;
      return;
    }
    isBusy_ = true;
    isAskedAgain_ = false;
    tries_ = foreignTries_ = 0;
    {
      const std::scoped_lock lock(mutex_);
      answering_.swap(waiting_);
    }
    fetch();
  }

  void fetch() {
    state_->get(documentKey_, {},
                [weak = weak_from_this()](Result<std::optional<std::string>> found) {
                  const auto self = weak.lock();
                  if (!self) return;
                  self->post([raw = self.get(), found = std::move(found)] { raw->compare(found); });
                });
  }

  void compare(const Result<std::optional<std::string>> &found) {
    if (!found) return fail(found.failure());
    std::optional<AgreedDecisions> shared;
    if (*found) {
      Result<AgreedDecisions> read = AgreedDecisions::parse(**found);
      if (!read)
        return refuse("what the replicas share of decisions cannot be read: " +
                      read.failure().message);
      shared = *std::move(read);
    }
    Result<Approvals> file = Approvals::read(settings_.file);
    // That is told by who serves by it.
    if (!file && file.failure().fault != Fault::NotFound) return finish(file.failure());
    // That there are no decisions is not put: the next one to come may have a file of them.
    const bool isBegun =
        shared || (base_ && !base_->isBeginning()) || (file && !file->skills.empty());
    if (!isBegun) {
      base_ = AgreedDecisions::beginning();
      return finish(Done{});
    }
    auto round = std::make_shared<Round>();
    round->found = *found;
    round->hasFile = static_cast<bool>(file);
    if (file) round->file = *std::move(file);
    round->agreement = skillhost::agree(baseOf(shared), round->hasFile ? &round->file : nullptr,
                                        shared ? &*shared : nullptr);
    round->shared = std::move(shared);
    if (round->shared && round->shared->mark() == round->agreement.document.mark())
      return settle(round);
    put(round);
  }

  // What this replica has put may be there although nobody has told it so, or although its file
  // could not be written then. What was in its file is what the file has changed since then.
  const AgreedDecisions *baseOf(const std::optional<AgreedDecisions> &shared) const {
    if (shared) {
      const auto &there = shared->history;
      const auto put = std::find_if(puts_.rbegin(), puts_.rend(), [&](const Put &one) {
        return std::find(there.begin(), there.end(), one.mark) != there.end();
      });
      if (put != puts_.rend()) return &put->before;
    }
    return base_ ? &*base_ : nullptr;
  }

  // Before it is. What the file did not say is as it was.
  void rememberPut(const Round &round) {
    const AgreedDecisions &document = round.agreement.document;
    if (!round.hasFile || document.history.size() < 2) return;
    AgreedDecisions before;
    before.approvals = round.file;
    // Of what the document was made of: that it is made of this.
    before.history.assign(document.history.begin() + 1, document.history.end());
    before.generation = document.generation - 1;
    if (puts_.size() == mostPuts) puts_.erase(puts_.begin());
    puts_.push_back({document.mark(), std::move(before)});
  }

  void put(const RoundPointer &round) {
    const std::string text = round->agreement.document.text();
    if (text.size() > largestSharedDecisions) {
      takeRejections(*round);
      return refuse("all decisions together have " + std::to_string(text.size()) + " bytes, and " +
                    std::to_string(largestSharedDecisions) + " can be shared");
    }
    rememberPut(*round);
    state_->compareAndSet(
        documentKey_, round->found ? std::optional<std::string_view>(*round->found) : std::nullopt,
        text, {}, [weak = weak_from_this(), round](const Result<bool> &done) {
          const auto self = weak.lock();
          if (!self) return;
          self->post([raw = self.get(), round, done] { raw->wasPut(round, done); });
        });
  }

  // What cannot be shared here must not keep away what others withhold. Nothing is agreed on by it.
  void takeRejections(const Round &round) {
    if (!round.shared || !round.hasFile) return;
    const Approvals wanted = withRejectionsOf(*round.shared, base_ ? &*base_ : nullptr, round.file);
    if (wanted == round.file) return;
    const Status written = replaceWith(wanted, round);
    if (!written && written.failure().fault == Fault::Conflict) return; // looked at again later
    if (!written)
      return tellReaders(LogLevel::Error, "what other replicas have rejected cannot be written: " +
                                              written.failure().message);
    written_();
  }

  // Conflict: the file is not any more what the round is about.
  Status replaceWith(const Approvals &wanted, const Round &round) const {
    const Result<Approvals> written =
        changeApprovals(settings_.file, [&](Approvals &now) -> Status {
          if (now != round.file) return Failure{Fault::Conflict, "it was written meanwhile"};
          now = wanted;
          return Done{};
        });
    if (!written) return written.failure();
    return Done{};
  }

  void wasPut(const RoundPointer &round, const Result<bool> &done) {
    // It may have been done.
    if (!done) {
      isUntold_ = true;
      return fail(done.failure());
    }
    if (*done) {
      isUntold_ = true;
      return settle(round);
    }
    if (round->hasFile && !puts_.empty() && puts_.back().mark == round->agreement.document.mark())
      puts_.pop_back();
    if (!round->found && ++foreignTries_ == mostForeignTries)
      return refuse("the engine of the shared state holds something in the place of decisions that "
                    "no replica of this service has made");
    again();
  }

  void again() {
    if (++tries_ == mostTries)
      return finish(Failure{Fault::Conflict, "other replicas keep changing the decisions"});
    fetch();
  }

  // The document is as it is to be.
  void settle(const RoundPointer &round) {
    if (std::exchange(isUntold_, false)) state_->publish(changesChannel, "");
    const AgreedDecisions &document = round->agreement.document;
    const bool isOther = round->hasFile ? round->file != document.approvals
                                        : !document.approvals.skills.empty() ||
                                              (base_ && !base_->approvals.skills.empty());
    if (isOther) {
      const Status written = replaceWith(document.approvals, *round);
      if (!written && written.failure().fault == Fault::Conflict) return again();
      if (!written)
        return refuse("what other replicas have decided cannot be written: " +
                      written.failure().message);
    }
    tellWhatMet(round->agreement);
    remember(document);
    puts_.clear();
    if (isOther) written_();
    finish(Done{});
  }

  void tellWhatMet(const Agreement &agreement) const {
    for (const std::string &line : agreement.met) tellReaders(LogLevel::Warning, line);
    const std::vector<std::string> &all = agreement.leftOut;
    if (all.empty()) return;
    constexpr std::size_t mostNamed = 20;
    std::string names;
    for (std::size_t i = 0; i < all.size() && i < mostNamed; ++i)
      (names += i == 0 ? "" : ", ") += all[i];
    if (all.size() > mostNamed) names += ", …";
    tellReaders(LogLevel::Warning,
                counted(all.size(), "approval") + " that only " + settings_.file +
                    " had are not taken over, since they may have been withdrawn elsewhere: " +
                    names + "; approve anew what is to be served");
  }

  std::string baseFile() const { return settings_.file + ".agreed"; }

  std::optional<AgreedDecisions> readBase() const {
    const Result<std::string> text =
        readFile(baseFile(), StateBackend::largestValue, FileKind::Regular);
    if (!text || !text->starts_with(service_ + '\n')) return std::nullopt;
    Result<AgreedDecisions> base =
        AgreedDecisions::parse(std::string_view(*text).substr(service_.size() + 1));
    if (!base) return std::nullopt;
    return *std::move(base);
  }

  void remember(const AgreedDecisions &document) {
    if (base_ && base_->mark() == document.mark()) return;
    base_ = document;
    const Status written =
        replaceFile(baseFile(), service_ + '\n' + document.text(), FileReaders::Owner);
    if (!written)
      tellReaders(LogLevel::Warning,
                  "what the replicas have agreed on is not known after a restart: " +
                      written.failure().message);
  }

  void fail(const Failure &why) {
    if (isOfEngine(why.fault)) return finish(why);
    refuse(why.message);
  }

  void refuse(const std::string &why) {
    const std::string before =
        problem_.with([&](std::string &problem) { return std::exchange(problem, why); });
    if (before != why)
      tellReaders(LogLevel::Error,
                  "decisions of this replica do not reach the others, nor theirs this one: " + why);
    finish(Failure{Fault::OperationFailed, why});
  }

  void finish(const Status &status) {
    if (status) {
      const std::string before =
          problem_.with([](std::string &problem) { return std::exchange(problem, {}); });
      if (!before.empty())
        tellReaders(LogLevel::Info, "decisions of this replica reach the others again");
    }
    isBusy_ = false;
    const std::vector<Answered> answering = std::exchange(answering_, {});
    for (const Answered &answered : answering) answered(status);
    if (isAskedAgain_) begin();
  }

  void answerAll(const Status &status) {
    std::vector<Answered> all = std::exchange(answering_, {});
    {
      const std::scoped_lock lock(mutex_);
      for (Answered &one : waiting_) all.push_back(std::move(one));
      waiting_.clear();
    }
    for (const Answered &answered : all) answered(status);
  }

  std::shared_ptr<SharedState> state_; // of the timer's thread; null once it has ended
  const SharedDecisionsSettings settings_;
  const std::function<void()> written_;
  const std::string service_; // the first line of FILE.agreed
  // Of the document. Another one under another secret, since nobody could read what is there, and
  // it does not expire.
  const std::string documentKey_;
  Guarded<std::string> problem_;
  std::mutex mutex_;
  std::vector<Answered> waiting_; // for the next look; under the lock
  bool ended_ = false;            // under the lock
  // Of the timer's thread, as what follows.
  std::vector<Answered> answering_;
  std::optional<AgreedDecisions> base_;
  std::vector<Put> puts_; // since base_, the newest last
  bool isBusy_ = false, isAskedAgain_ = false;
  bool isUntold_ = false; // this replica may have changed the document, and has told nobody
  int tries_ = 0, foreignTries_ = 0;
  std::unique_ptr<Timer> timer_ = std::make_unique<Timer>(); // under the lock until it ends
};

SharedDecisions::SharedDecisions(std::shared_ptr<SharedState> state,
                                 SharedDecisionsSettings settings, std::function<void()> written)
    : implementation_(std::make_shared<Implementation>(std::move(state), std::move(settings),
                                                       std::move(written))) {
  implementation_->listen();
}
SharedDecisions::~SharedDecisions() { end(); }

void SharedDecisions::look() { implementation_->look(); }
void SharedDecisions::agree(Answered answered) { implementation_->agree(std::move(answered)); }
std::string SharedDecisions::problem() const { return implementation_->problem(); }
void SharedDecisions::end() { implementation_->end(); }

} // namespace skillhost

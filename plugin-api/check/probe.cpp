// SPDX-License-Identifier: Apache-2.0
#include "probe.hpp"

namespace skillhost::check {

void fail(std::string found, std::string advice) {
  throw Ending{Verdict::Failed, std::move(found), std::move(advice), true};
}

void skip(std::string why) { throw Ending{Verdict::Skipped, std::move(why), {}, true}; }

void doesNotApply(std::string why) { throw Ending{Verdict::Skipped, std::move(why), {}, false}; }

Probe::Probe(Board &board, std::string path)
    : board_(board), path_(std::move(path)), configuration_(board.data().configuration.data()),
      cacheDirectory_(board.data().cacheDirectory.data()),
      configured_(board.data().configured != 0) {
  if (!configured_) configuration_ = "{}";
}

void Probe::step(std::string_view what) noexcept { put(board_.data().step, what); }

void Probe::warn(std::string found, std::string advice) {
  if (warning_.verdict == Verdict::Ok)
    warning_ = {Verdict::Warning, std::move(found), std::move(advice), false};
}

void Probe::setNeedsSockets(bool needs) noexcept { board_.data().sockets = needs ? 1 : 0; }
void Probe::setReachesOthers() noexcept { board_.data().needsOfflineRun = 1; }

const skh_entry &Probe::loadEntry() {
  if (entry_ == nullptr) {
    step("dlopen()");
    OpenedLibrary library = openLibrary(path_);
    if (library.entry == nullptr) fail("it cannot be loaded: " + library.reason);
    entry_ = library.entry;
    step("its description");
  }
  return *entry_;
}

Ending Probe::ending() const { return warning_.verdict == Verdict::Ok ? ending_ : warning_; }

} // namespace skillhost::check

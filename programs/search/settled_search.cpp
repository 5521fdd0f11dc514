// SPDX-License-Identifier: Apache-2.0
#include "settled_search.hpp"

#include "commandline/progress_line.hpp"
#include "ground/guarded.hpp"
#include "ground/shown.hpp"

#include <cstdio>
#include <future>
#include <memory>

namespace skillhost::app {
namespace {

// The time for the plugin to notice that the command gives up.
constexpr std::chrono::seconds grace{5};

struct Settling {
  ListingProgress progress;
  Guarded<ListingProgress::State> last;
  std::promise<Result<std::string>> answer;
};

std::string soFar(const ListingProgress::State &state) {
  if (state.total == 0) return {};
  return " (" + std::to_string(state.done) + " of " + std::to_string(state.total) + " are done)";
}

} // namespace

void settleSearch(const Index &index, std::chrono::milliseconds timeout) {
  const std::shared_ptr<SearchBackend> backend = index.backend();
  if (!backend) return; // the query will report it
  const auto settling = std::make_shared<Settling>();
  CallOptions options;
  options.deadline = Deadline::after(timeout + grace);
  options.progress = [settling](std::uint64_t done, std::uint64_t total, std::string_view what) {
    settling->last.with([&](ListingProgress::State &last) { last = {done, total}; });
    settling->progress.report("search", done, total, what);
  };
  const CancelToken cancel = options.cancel;
  std::future<Result<std::string>> answer = settling->answer.get_future();
  bool inTime = false;
  {
    const ProgressLine line(settling->progress);
    backend->settle(options, [settling](Result<std::string> lacks) {
      settling->answer.set_value(std::move(lacks));
    });
    inTime = answer.wait_for(timeout) == std::future_status::ready;
    if (!inTime) cancel.cancel();
    answer.wait();
  }
  const Result<std::string> lacks = answer.get();
  if (lacks && !lacks->empty())
    printShown(stderr, "skillhost: %s\n", shownLine(*lacks).c_str());
  else if (!lacks && !inTime)
    printShown(stderr,
               "skillhost: the search plugin has not finished with every skill in %lld ms%s; "
               "the others are found less well for now (deadlines.scan_ms has it wait longer)\n",
               static_cast<long long>(timeout.count()), soFar(settling->last.copy()).c_str());
  else if (!lacks)
    printShown(stderr, "skillhost: %s\n", lacks.failure().message.c_str());
}

} // namespace skillhost::app

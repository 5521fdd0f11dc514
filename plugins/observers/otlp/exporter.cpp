// SPDX-License-Identifier: Apache-2.0
#include "exporter.hpp"

#include "base/log.hpp"
#include "base/log_export.hpp"
#include "ground/back_off.hpp"
#include "ground/json_member.hpp"
#include "ground/random.hpp"
#include "ground/utf8.hpp"
#include "line_queue.hpp"
#include "otlp_metrics.hpp"
#include "otlp_text.hpp"
#include "otlp_traces.hpp"
#include "sender.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <csignal>
#include <thread>

namespace skillhost::telemetry {
namespace {

using Clock = LineQueue::Clock;

// Time at the end for what still waits. A running request ends at most 0.2 s later, when Sender
// checks again: together within patienceAtEnd.
constexpr std::chrono::milliseconds atEnd{500};
constexpr std::chrono::seconds maxWanted{300}; // longest pause that a collector may ask for
// Longest time for one batch, so that a batch that is never accepted does not hold up all others.
constexpr std::chrono::minutes maxTrying{5};
// Pause before another request to a path that the collector does not have.
constexpr std::chrono::minutes untilAskedAgain{5};
constexpr std::string_view ownPart = "telemetry";

std::int64_t nowInNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// One path of the collector, with the counters of its items and its state.
struct Signal {
  const char *name, *path, *resources, *scopes, *items;
  const char *rejected; // member of an answer that rejects a part of the items
  metrics::Counter &sent, &lost, &refused;
  Clock::time_point notBefore{}; // the next attempt, if the collector has no such path
  bool isMissing = false;        // the collector has no such path, and that was logged
};

Signal signalOf(metrics::Registry &registry, const char *name, const char *path,
                const char *resources, const char *scopes, const char *items,
                const char *rejected) {
  const auto counter = [&](const char *outcome) -> metrics::Counter & {
    return registry.counter(
        {"skillhost_telemetry_items_total", {{"signal", name}, {"outcome", outcome}}});
  };
  return {name,
          path,
          resources,
          scopes,
          items,
          rejected,
          counter("sent"),
          counter("lost"),
          counter("refused")};
}

// The specification allows another attempt for these statuses only; 0 means no answer.
bool isForLater(long status) {
  return status == 0 || status == 429 || status == 502 || status == 503 || status == 504;
}

// Returns the number of elements that an answer of 200 rejects. Protobuf maps it to a text of
// digits in JSON. Anything else counts as zero.
double rejectedOf(const std::string &body, const char *member) {
  const Json answer = Json::parse(body, nullptr, false);
  const Json &count = memberOf(memberOf(answer, "partialSuccess"), member);
  std::uint64_t said = 0;
  if (count.is_number_unsigned()) said = count.get<std::uint64_t>();
  if (count.is_string()) {
    const auto &digits = count.get_ref<const std::string &>();
    if (std::from_chars(digits.data(), digits.data() + digits.size(), said).ec != std::errc{})
      said = 0;
  }
  return static_cast<double>(said);
}

} // namespace

class Exporter::Implementation {
public:
  Implementation(Settings settings, metrics::Registry &registry)
      : settings_(std::move(settings)), registry_(registry),
        traces_(signalOf(registry, "traces", "/v1/traces", "resourceSpans", "scopeSpans", "spans",
                         "rejectedSpans")),
        logs_(signalOf(registry, "logs", "/v1/logs", "resourceLogs", "scopeLogs", "logRecords",
                       "rejectedLogRecords")),
        metrics_(signalOf(registry, "metrics", "/v1/metrics", "resourceMetrics", "scopeMetrics",
                          "metrics", "rejectedDataPoints")),
        resource_(resourceText(settings_.serviceVersion, randomHex(16))),
        sender_(settings_, [this] { return isOver(); }),
        backOff_({settings_.firstRetry, settings_.maxRetry, 0.2}) {}

  void hear(const log::ExportedLine &line) {
    // Lines about the sending itself are not sent, because each would cause another request.
    if (line.part == ownPart) return;
    if (!queue_.add(line)) countLost(line.isLogged, line.members);
  }

  void begin() {
    thread_ = std::thread([this] {
      pthread_setname_np(pthread_self(), "telemetry");
      sigset_t all;
      ::sigfillset(&all); // other threads handle signals
      ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
      work();
    });
  }

  void end() {
    stopAt_ = (Clock::now() + atEnd).time_since_epoch().count();
    queue_.end();
    thread_.join();
  }

private:
  bool isOver() const { return Clock::now().time_since_epoch().count() >= stopAt_; }

  void work() {
    auto nextMetrics = Clock::now() + settings_.metricsInterval;
    while (!queue_.ended()) {
      queue_.waitFor(nextMetrics, settings_.batchTime);
      sendLines();
      if (Clock::now() < nextMetrics && !queue_.ended()) continue;
      try {
        sendMetrics();
      } catch (const std::exception &why) { // no memory: they are sent at the next time
        log::failure(ownPart, {"metrics were not sent"}, why);
      }
      nextMetrics = Clock::now() + settings_.metricsInterval;
    }
    while (!queue_.empty() && !isOver()) sendLines();
    for (auto left = queue_.take(); !left.empty(); left = queue_.take())
      for (const Line &line : left) countLost(line.isLogged, line.members);
  }

  void countLost(bool isLogged, std::string_view members) {
    if (isLogged) logs_.lost.add();
    if (isAboutCall(members)) traces_.lost.add();
  }

  void sendLines() {
    const std::vector<Line> lines = queue_.take();
    if (lines.empty()) return;
    try {
      const SpansAndRecords out = spansAndRecords(lines, settings_.transport);
      send(traces_, out.spans);
      send(logs_, out.records);
    } catch (const std::exception &why) { // no memory
      log::failure(ownPart, {"lines were not sent"}, why);
      for (const Line &line : lines) countLost(line.isLogged, line.members);
    }
  }

  void sendMetrics() { send(metrics_, metricElements(registry_, since_, nowInNanoseconds())); }

  // Sends until the collector has accepted the elements, or they are given up.
  void send(Signal &signal, const Elements &elements) {
    const auto count = static_cast<double>(elements.count);
    if (elements.count == 0) return;
    if (Clock::now() < signal.notBefore) return signal.refused.add(count);
    const auto giveUpAt = Clock::now() + maxTrying;
    const std::string body =
        requestText(signal.resources, signal.scopes, signal.items, resource_, elements.text);
    for (;;) {
      const Delivery delivery = sender_.send(signal.path, body);
      if (delivery.status / 100 == 2) return recordSent(signal, delivery, count);
      if (!isForLater(delivery.status)) return refused(signal, delivery, count);
      // The end has cancelled this request, so it says nothing about the collector.
      if (isOver()) break;
      logFailure(signal, delivery);
      // Metrics are sent again at their next time, and nobody waits at the end.
      if (&signal == &metrics_ || queue_.ended() || Clock::now() >= giveUpAt) break;
      const auto wait = delivery.retryAfter
                            ? std::min<std::chrono::milliseconds>(*delivery.retryAfter, maxWanted)
                            : backOff_.next();
      queue_.waitUntil(Clock::now() + wait);
    }
    signal.lost.add(count);
  }

  void recordSent(Signal &signal, const Delivery &delivery, double count) {
    const double rejected = std::clamp(rejectedOf(delivery.body, signal.rejected), 0.0, count);
    signal.sent.add(count - rejected);
    signal.refused.add(rejected);
    backOff_.reset();
    signal.isMissing = false;
    if (!std::exchange(isFailing_, false)) return;
    log::info(ownPart, "the collector accepts telemetry again");
  }

  void refused(Signal &signal, const Delivery &delivery, double count) {
    signal.refused.add(count);
    if (delivery.status != 404 && delivery.status != 405) return logFailure(signal, delivery);
    signal.notBefore = Clock::now() + untilAskedAgain;
    if (std::exchange(signal.isMissing, true)) return;
    log::warning(ownPart, std::string("the collector has no ") + signal.path + " (HTTP " +
                              std::to_string(delivery.status) + "): " + signal.name +
                              " are not sent; the server tries again every five minutes");
  }

  // Logs one line until the collector accepts something again.
  void logFailure(const Signal &signal, const Delivery &delivery) {
    if (std::exchange(isFailing_, true)) return;
    const std::string why =
        delivery.status == 0 ? delivery.reason : "HTTP " + std::to_string(delivery.status);
    log::warning(ownPart, std::string("the collector does not accept ") + signal.name + ": " +
                              std::string(cutUtf8(why, 300)));
  }

  const Settings settings_;
  metrics::Registry &registry_;
  Signal traces_, logs_, metrics_;
  const std::string resource_;
  const std::int64_t since_ = nowInNanoseconds();
  LineQueue queue_;
  std::atomic<Clock::rep> stopAt_{Clock::time_point::max().time_since_epoch().count()};
  Sender sender_; // used by the thread, like the members below
  BackOff backOff_;
  bool isFailing_ = false;
  std::thread thread_;
};

Exporter::Exporter(Settings settings, metrics::Registry &registry)
    : implementation_(std::make_shared<Implementation>(std::move(settings), registry)) {
  implementation_->begin();
  log::exportTo(
      this, [to = std::weak_ptr<Implementation>(implementation_)](const log::ExportedLine &line) {
        if (const auto self = to.lock()) self->hear(line);
      });
}

Exporter::~Exporter() {
  log::exportTo(this, nullptr);
  implementation_->end();
}

} // namespace skillhost::telemetry

// SPDX-License-Identifier: Apache-2.0
#include "instance.hpp"

#include "base/log.hpp"
#include "ground/shown.hpp"
#include "ground/utf8.hpp"
#include "jsonschema/schema.hpp"
#include "plugin_calls/library.hpp"

#include <algorithm>
#include <thread>

namespace skillhost {
namespace {

constexpr std::size_t waitingCalls = 1024;
constexpr std::size_t maxHealthBytes = 1000; // bytes
constexpr std::chrono::seconds createWithin{30};

// A plugin that must not be called twice at once gets no second thread while the first is lost.
ExecutorSettings executorSettings(const skh_plugin &plugin, std::uint32_t threads) noexcept {
  ExecutorSettings settings;
  settings.capacity = waitingCalls;
  const CallConcurrency calls = concurrencyOf(plugin.kind, plugin.flags);
  if (calls == CallConcurrency::Serial) settings.maxLostThreads = 1;
  settings.threads = pluginThreads(plugin.kind, plugin.flags, threads);
  settings.longCallThreads = waitingThreads(plugin.kind);
  settings.keepsOneFree = calls == CallConcurrency::Remote;
  return settings;
}

skh_pin borrowedPin(const SourcePin &pin) noexcept {
  static_assert(SKH_PIN_FREE == 0 && SKH_PIN_SNAPSHOT == 1 && SKH_PIN_NEWEST == 2,
                "as SourcePin::Mode");
  return {sizeof(skh_pin), static_cast<std::int32_t>(pin.mode), borrow(pin.snapshot)};
}

// A refusal by create() begins with the setting that it is about, "url: ...", if it is about one.
SettingProblem problemOf(std::string_view message, std::string_view prefix) {
  if (message.starts_with(prefix)) message.remove_prefix(prefix.size());
  const std::size_t end = message.find(": ");
  const bool names = end != 0 && end != std::string_view::npos &&
                     message.substr(0, end).find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyz0123456789_.[]") == std::string_view::npos;
  if (!names) return {"config", std::string(message)};
  return {"config." + std::string(message.substr(0, end)), std::string(message.substr(end + 2))};
}

} // namespace

Instance::Instance(const skh_plugin &plugin, InstanceConfiguration configuration,
                   std::shared_ptr<const void> keeper)
    : keeper_(std::move(keeper)), plugin_(plugin), configuration_(std::move(configuration)),
      version_(SKILLHOST_VERSION),
      host_{{sizeof(skh_host), SKH_ABI_MINOR, borrow("skillhost"), borrow(version_),
             borrow(configuration_.name), borrow(configuration_.config),
             borrow(configuration_.cacheDirectory), &log, &metric, &changed, &extension},
            this},
      log_(configuration_.name, {}, configuration_.name, skillhost::log::Audience::All),
      pin_(borrowedPin(configuration_.pin)), rawHealth_{{sizeof(skh_health), 0, &tellHealth}, this},
      upstream_(configuration_.upstream ? std::make_unique<LentUpstream>(configuration_.upstream)
                                        : nullptr),
      metrics_(configuration_.name),
      executor_(configuration_.name,
                executorSettings(plugin, static_cast<std::uint32_t>(configuration_.run.threads))) {}

Result<std::shared_ptr<Instance>> Instance::create(const skh_plugin &plugin,
                                                   const InstanceConfiguration &configuration,
                                                   SettingProblems *problems,
                                                   std::shared_ptr<const void> keeper,
                                                   Creations *creations) {
  const auto wrong = [&](SettingProblems found) {
    if (problems != nullptr) *problems = std::move(found);
  };
  const std::string who = configuration.name + " (" + plugin.id + ")";
  if (plugin.config_schema != nullptr) {
    Result<SettingProblems> checked =
        checkAgainstSchema(plugin.config_schema, configuration.config,
                           "does not fit the plugin's schema; skillhost plugins names the plugin, "
                           "and its documentation what may stand here");
    if (!checked)
      return {checked.failure().fault,
              who + ": the plugin's config_schema cannot be used: " + checked.failure().message};
    if (!checked->empty()) {
      Failure why{Fault::InvalidInput, who + ": " + render(*checked)};
      wrong(*std::move(checked));
      return why;
    }
  }
  const auto destroyIfStopped = [](Instance *made) {
    if (made->stop()) delete made;
  };
  std::shared_ptr<Instance> instance(new Instance(plugin, configuration, std::move(keeper)),
                                     destroyIfStopped);
  if (Status created = instance->createSelf(creations); !created) {
    const Failure &why = created.failure();
    if (why.fault == Fault::InvalidInput) wrong({problemOf(why.message, who + ": create: ")});
    return why;
  }
  if (configuration.upstream && !instance->hasAskedForUpstream_) {
    const std::string reason = "is no filter: it has not asked for the source that it is to wrap "
                               "(skh.upstream/1), and would serve something else";
    wrong({{"plugin", std::string(plugin.id) + ' ' + reason}});
    return Failure{Fault::InvalidInput, who + ": " + reason};
  }
  return instance;
}

Status Instance::createSelf(Creations *creations) {
  if (creations != nullptr && creations->stopped()) {
    hostStops_ = true;
    return {Fault::Cancelled, name() + " (" + plugin_.id + "): create: the host stops"};
  }
  // Outlives this function if the plugin's call does.
  const auto created = std::make_shared<Creation>(name() + " (" + plugin_.id + ")");
  if (creations != nullptr) creations->add(created);
  const auto work = [this, created](CallFrame &frame) -> Result<void *> {
    void *self = nullptr;
    const skh_status status = plugin_.create(&host_.base, frame.raw(), &self);
    if (status != SKH_OK) {
      // It ends the start of the host, which prints it: the plugin's text is one line there.
      Failure why = frame.failure(status, created->who, "create");
      why.message = shownLine(why.message);
      return why;
    }
    // Too late to be of use. What was made cannot be told apart from what still runs, so it stays.
    if (!frame.isGivenUp()) self_ = self;
    return self;
  };
  CallOptions options;
  options.deadline = Deadline::after(createWithin);
  call<void *>(std::move(options), "create", work, [created](const Result<void *> &result) {
    created->conclude(result ? Status(Done{}) : Status(result.failure()));
  });
  Status outcome = created->wait();
  hostStops_ = !outcome && creations != nullptr && creations->stopped();
  return outcome;
}

Instance::~Instance() {
  if (self_ != nullptr) plugin_.destroy(self_);
}

Status Instance::admits() {
  if (breaker_.allows()) return Done{};
  const auto pause = breaker_.pause();
  return {Fault::Unavailable, name() + ": circuit open: calls timed out" +
                                  (pause && pause->count() > 0
                                       ? "; next try in " + std::to_string(pause->count()) + " ms"
                                       : "; one call is a trial")};
}

void Instance::overran(std::string_view what) noexcept {
  breaker_.timedOut();
  try {
    skillhost::log::error("plugin", name() + ": " + std::string(what) +
                                        " timed out, and its thread has not returned (" +
                                        std::to_string(executor_.lost()) + " such threads now)");
  } catch (const std::exception &) {
    // Memory ran out: the breaker has counted the call all the same.
  }
}

void Instance::onChanged(std::function<void()> listener) { hints_->listen(std::move(listener)); }

void Instance::note(const Failure *failure) {
  const bool faulty = failure != nullptr && isFaultOfPlugin(*failure);
  if (!faulty && !failing_.load(std::memory_order_relaxed)) return;
  failing_ = faulty;
  lastFailure_.with([&](std::string &text) { text = faulty ? failure->message : std::string(); });
}

void Instance::setRemark(std::string text) {
  remark_.with([&](std::string &current) { current = std::move(text); });
}

void Instance::setTrouble(std::string text) {
  trouble_.with([&](std::string &current) { current = std::move(text); });
}

PluginDescription Instance::describe() const {
  PluginDescription description;
  description.kind = plugin_.kind;
  description.id = plugin_.id;
  description.version = plugin_.version;
  description.summary = plugin_.summary;
  description.licence = plugin_.licence;
  description.instance = name();
  description.reason = lastFailure_.copy();
  if (description.reason.empty()) description.reason = trouble_.copy();
  description.state = description.reason.empty() ? PluginState::Loaded : PluginState::Degraded;
  if (description.reason.empty()) {
    const std::scoped_lock lock(healthMutex_);
    description.reason = health_.why;
    if (health_.state == SKH_DEGRADED) description.state = PluginState::Degraded;
  }
  if (description.reason.empty()) description.reason = remark_.copy();
  const auto pause = breaker_.pause();
  const bool acceptsCalls = executor_.acceptsCalls();
  if (pause || !acceptsCalls) {
    description.state = PluginState::Broken;
    description.reason = "circuit open: calls timed out; " + std::to_string(executor_.lost()) +
                         " threads have not returned; " +
                         (acceptsCalls ? "next try in " + std::to_string(pause->count()) + " ms"
                                       : "the plugin takes no call until one of them returns");
  }
  return description;
}

void Instance::waitUntilStarted(Deadline deadline) const {
  std::unique_lock lock(healthMutex_);
  healthChanged_.wait_until(lock, deadline.at(), [this] { return health_.state != SKH_STARTING; });
}

void Instance::tellHealth(const skh_health *raw, int32_t state, skh_str why) noexcept try {
  Instance &instance = *reinterpret_cast<const RawHealth *>(raw)->owner; // base is its first member
  Health health{state == SKH_HEALTHY || state == SKH_STARTING ? state : SKH_DEGRADED,
                mendUtf8(cutUtf8(view(why), maxHealthBytes))};
  if (health.state == SKH_DEGRADED && health.why.empty()) health.why = "the plugin gives no reason";
  {
    const std::scoped_lock lock(instance.healthMutex_);
    instance.health_ = std::move(health);
  }
  instance.healthChanged_.notify_all();
} catch (const std::exception &) {
  // Memory ran out: the earlier state stays.
}

Instance &Instance::of(const skh_host *raw) noexcept {
  return *reinterpret_cast<const RawHost *>(raw)->owner; // base is the first member of RawHost
}

void Instance::log(const skh_host *raw, int32_t level, skh_str message) noexcept {
  of(raw).log_.write(levelOf(level), view(message));
}

void Instance::metric(const skh_host *raw, int32_t kind, skh_str name, double value) noexcept {
  static_assert(SKH_COUNTER == 0 && SKH_GAUGE == 1 && SKH_HISTOGRAM == 2, "as metrics::Kind");
  if (kind < SKH_COUNTER || kind > SKH_HISTOGRAM) return;
  of(raw).metrics_.report(static_cast<metrics::Kind>(kind), view(name), value);
}

void Instance::changed(const skh_host *raw) noexcept try {
  of(raw).hints_->hint();
} catch (const std::exception &) {
  // Memory ran out, or no thread for the timer could be started: the host asks by itself sooner or
  // later.
}

const void *Instance::extension(const skh_host *raw, const char *id) noexcept {
  if (id == nullptr) return nullptr;
  Instance &instance = of(raw);
  if (std::string_view(id) == SKH_HEALTH) return &instance.rawHealth_.base;
  if (std::string_view(id) == SKH_UPSTREAM) {
    if (!instance.upstream_) return nullptr;
    instance.hasAskedForUpstream_ = true;
    return instance.upstream_->raw();
  }
  if (std::string_view(id) != SKH_PIN) return nullptr;
  instance.supportsPinning_.store(true, std::memory_order_release);
  return &instance.pin_;
}

} // namespace skillhost

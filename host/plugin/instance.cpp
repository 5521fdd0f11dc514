// SPDX-License-Identifier: Apache-2.0
#include "instance.hpp"

#include "base/log.hpp"
#include "base/utf8.hpp"
#include "schema.hpp"

#include <algorithm>
#include <thread>

namespace skillhost {
namespace {

constexpr std::size_t waitingCalls = 1024;

std::size_t laneThreads(const skh_plugin &plugin) noexcept {
  if ((plugin.flags & SKH_SERIAL) != 0) return 1;
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, 4);
}

LogLevel levelOf(int32_t level) noexcept {
  if (level <= SKH_DEBUG) return LogLevel::Debug;
  if (level == SKH_INFO) return LogLevel::Info;
  return level == SKH_WARN ? LogLevel::Warning : LogLevel::Error;
}

} // namespace

Instance::Instance(const skh_plugin &plugin, InstanceConfiguration configuration)
    : plugin_(plugin), configuration_(std::move(configuration)), version_(SKILLHOST_VERSION),
      host_{{sizeof(skh_host), SKH_ABI_MINOR, borrow("skillhost"), borrow(version_),
             borrow(configuration_.name), borrow(configuration_.config),
             borrow(configuration_.cacheDirectory), &log, &metric, &changed, &extension},
            this},
      metrics_(configuration_.name), lane_(configuration_.name, laneThreads(plugin), waitingCalls) {
}

Result<std::shared_ptr<Instance>> Instance::create(const skh_plugin &plugin,
                                                   const InstanceConfiguration &configuration) {
  const std::string who = configuration.name + " (" + plugin.id + ")";
  if (plugin.config_schema != nullptr)
    if (Status valid = checkAgainstSchema(plugin.config_schema, configuration.config); !valid)
      return {Fault::InvalidInput, who + ": " + valid.failure().message};
  std::shared_ptr<Instance> instance(new Instance(plugin, configuration));
  const CallOptions options;
  CallFrame frame(options);
  const skh_status status = plugin.create(&instance->host_.base, frame.raw(), &instance->self_);
  if (status != SKH_OK) {
    instance->self_ = nullptr;
    return frame.failure(status, who, "create");
  }
  return instance;
}

Instance::~Instance() {
  lane_.end();
  if (self_ != nullptr) plugin_.destroy(self_);
}

void Instance::onChanged(std::function<void()> listener) {
  auto shared = std::make_shared<const std::function<void()>>(std::move(listener));
  listener_.with([&](auto &current) { current = std::move(shared); });
}

void Instance::note(const Failure *failure) {
  // What the plugin says of one document or one caller is no fault of the plugin.
  const bool faulty = failure != nullptr && failure->fault != Fault::NotFound &&
                      failure->fault != Fault::Stale && failure->fault != Fault::Cancelled;
  if (!faulty && !failing_.load(std::memory_order_relaxed)) return;
  failing_ = faulty;
  lastFailure_.with([&](std::string &text) { text = faulty ? failure->message : std::string(); });
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
  description.state = description.reason.empty() ? PluginState::Loaded : PluginState::Degraded;
  return description;
}

Instance &Instance::of(const skh_host *raw) noexcept {
  return *reinterpret_cast<const RawHost *>(raw)->owner; // base is the first member of RawHost
}

void Instance::log(const skh_host *raw, int32_t level, skh_str message) noexcept {
  skillhost::log::write(levelOf(level), of(raw).name(), cutUtf8(view(message), 4000));
}

void Instance::metric(const skh_host *raw, int32_t kind, skh_str name, double value) noexcept {
  static_assert(SKH_COUNTER == 0 && SKH_GAUGE == 1 && SKH_HISTOGRAM == 2, "as metrics::Kind");
  if (kind < SKH_COUNTER || kind > SKH_HISTOGRAM) return;
  of(raw).metrics_.report(static_cast<metrics::Kind>(kind), view(name), value);
}

void Instance::changed(const skh_host *raw) noexcept {
  const auto listener = of(raw).listener_.copy();
  if (listener && *listener) (*listener)();
}

const void *Instance::extension(const skh_host *, const char *) noexcept { return nullptr; }

} // namespace skillhost

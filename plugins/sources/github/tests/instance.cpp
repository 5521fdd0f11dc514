// SPDX-License-Identifier: Apache-2.0
// The smallest possible host for the plugin interface.
#include "fixture.hpp"

#include <condition_variable>
#include <mutex>
#include <stdexcept>

namespace skillhost::github::test {
namespace {

constexpr std::chrono::seconds patience{100};

skh_status put(const skh_documents *out, const skh_document *document) noexcept;
skh_status finish(const skh_documents *out, skh_str snapshot) noexcept;

struct Taking : skh_documents {
  Listing listing;
  Taking() : skh_documents{sizeof(skh_documents), 0, &put, &finish} {}
};

skh_status put(const skh_documents *out, const skh_document *document) noexcept {
  auto &listing = const_cast<Taking *>(static_cast<const Taking *>(out))->listing;
  listing.documents[std::string(skh::view(document->skill)) + ":" +
                    std::string(skh::view(document->path))] = {
      std::string(skh::view(document->revision)), std::string(skh::view(document->location)),
      document->length, document->flags};
  return SKH_OK;
}

skh_status finish(const skh_documents *out, skh_str snapshot) noexcept {
  const_cast<Taking *>(static_cast<const Taking *>(out))->listing.snapshot = skh::view(snapshot);
  return SKH_OK;
}

struct Bytes : skh_bytes {
  std::string *into;
};

} // namespace

struct Instance::Sides {
  struct Host : skh_host {
    Sides *sides = nullptr;
  } host{};
  struct Call : skh_call {
    Sides *sides = nullptr;
  } call{};

  std::string configuration, cache;
  std::mutex mutex;
  std::condition_variable happened;
  std::vector<std::string> log;
  std::map<std::string, double> metrics;
  std::string failure;
  int changes = 0;

  static Sides &of(const skh_host *host) { return *static_cast<const Host *>(host)->sides; }
  static Sides &of(const skh_call *call) { return *static_cast<const Call *>(call)->sides; }
};

Instance::Instance(const std::string &configuration, std::string cache)
    : sides_(std::make_unique<Sides>()) {
  Sides &sides = *sides_;
  sides.configuration = configuration;
  sides.cache = std::move(cache);
  if (!sides.cache.empty()) std::filesystem::create_directories(sides.cache);
  sides.host.sides = sides.call.sides = &sides;
  static_cast<skh_host &>(sides.host) = {
      sizeof(skh_host),
      SKH_ABI_MINOR,
      skh::borrow("test"),
      skh::borrow("1"),
      skh::borrow("test"),
      skh::borrow(sides.configuration),
      skh::borrow(sides.cache),
      [](const skh_host *host, std::int32_t, skh_str text) noexcept {
        const std::lock_guard lock(Sides::of(host).mutex);
        Sides::of(host).log.emplace_back(skh::view(text));
        Sides::of(host).happened.notify_all();
      },
      [](const skh_host *host, std::int32_t kind, skh_str name, double value) noexcept {
        const std::lock_guard lock(Sides::of(host).mutex);
        double &metric = Sides::of(host).metrics[std::string(skh::view(name))];
        metric = kind == SKH_COUNTER ? metric + value : value;
      },
      [](const skh_host *host) noexcept {
        const std::lock_guard lock(Sides::of(host).mutex);
        ++Sides::of(host).changes;
        Sides::of(host).happened.notify_all();
      },
      [](const skh_host *, const char *) noexcept -> const void * { return nullptr; }};
  static_cast<skh_call &>(sides.call) = {
      sizeof(skh_call),
      0,
      INT64_MAX,
      [](const skh_call *) noexcept -> std::int32_t { return 0; },
      [](const skh_call *, std::uint64_t, std::uint64_t, skh_str) noexcept {},
      [](const skh_call *call, skh_str why) noexcept { Sides::of(call).failure = skh::view(why); }};
  source_ = std::make_unique<GithubSource>(skh::Host(&sides.host), skh::Call(&sides.call));
}

Instance::~Instance() = default;

Listing Instance::list() {
  Taking taking;
  taking.listing.status = skh::SourceOps<GithubSource>::list(source_.get(), &sides_->call, &taking);
  return taking.listing;
}

Listing Instance::changes(const std::string &since) {
  Taking taking;
  taking.listing.status = skh::SourceOps<GithubSource>::changes(source_.get(), &sides_->call,
                                                                skh::borrow(since), &taking);
  return taking.listing;
}

skh_status Instance::read(const std::string &name, const std::string &revision,
                          std::string &bytes) {
  const std::size_t colon = name.find(':');
  const std::string skill = name.substr(0, colon);
  const std::string path = name.substr(colon + 1);
  skh_document wanted{};
  wanted.size = sizeof wanted;
  wanted.skill = skh::borrow(skill);
  wanted.path = skh::borrow(path);
  wanted.revision = skh::borrow(revision);
  Bytes out{};
  out.size = sizeof(skh_bytes);
  out.into = &bytes;
  out.write = [](const skh_bytes *to, const void *data, std::size_t size) noexcept -> skh_status {
    static_cast<const Bytes *>(to)->into->append(static_cast<const char *>(data), size);
    return SKH_OK;
  };
  return skh::SourceOps<GithubSource>::read(source_.get(), &sides_->call, &wanted, &out);
}

std::string Instance::failure() { return sides_->failure; }

std::string Instance::everything() {
  const std::lock_guard lock(sides_->mutex);
  std::string all;
  for (const std::string &line : sides_->log) all += line + "\n";
  return all;
}

bool Instance::logged(const std::string &text) {
  return everything().find(text) != std::string::npos;
}

bool Instance::awaitLogged(const std::string &text) {
  std::unique_lock lock(sides_->mutex);
  return sides_->happened.wait_for(lock, patience, [&] {
    for (const std::string &line : sides_->log)
      if (line.find(text) != std::string::npos) return true;
    return false;
  });
}

void Instance::awaitChanged() {
  std::unique_lock lock(sides_->mutex);
  if (!sides_->happened.wait_for(lock, patience, [&] { return sides_->changes > 0; }))
    throw std::runtime_error("no change was told");
  sides_->changes = 0;
}

double Instance::metric(const std::string &name) {
  const std::lock_guard lock(sides_->mutex);
  return sides_->metrics[name];
}

} // namespace skillhost::github::test

// SPDX-License-Identifier: Apache-2.0
#include "engine.hpp"

#include "../refusal.hpp"

#include <algorithm>

namespace skillhost::valkey {
namespace {

// A command that the engine refused without executing it is repeated so many times.
constexpr int maxRepetitions = 6;
constexpr std::chrono::milliseconds firstPause{50}, reportInterval{1'000}, retryDelay{10};
constexpr double pauseSpread = 0.5;

const std::string &askingCommand() {
  static const std::string command = commandOf({"ASKING"});
  return command;
}

} // namespace

Engine::Engine(Settings &settings, Tally &tally, skh::Host host)
    : settings_(settings), tally_(tally), host_(host),
      connector_(std::move(settings.login), settings.tls),
      sentinels_(std::move(settings.sentinelLogin), settings.sentinelTls),
      needs_{connector_,        tally, host, settings.timeout, settings.connectTimeout,
             [this] { wake(); }},
      topology_(topologyOf(settings, needs_, sentinels_)),
      backOff_({std::min(firstPause, settings.maxPause), settings.maxPause, pauseSpread}),
      keeper_([this] { runKeeper(); }) {}

Engine::~Engine() {
  stop_ = true;
  wake();
  keeper_.join();
  tally_.report(host_);
}

void Engine::wake() {
  {
    const std::scoped_lock lock(mutex_);
    mustCheckSoon_ = true;
  }
  wakeUp_.notify_all();
}

bool Engine::isHealthy() const {
  return !hasFailed_ && std::ranges::none_of(topology_->nodes(), [](const NodePointer &node) {
    return node->isAway();
  });
}

void Engine::runKeeper() {
  auto due = Limit::Clock::now() + settings_.ping;
  bool wasHealthy = true;
  while (!stop_) {
    {
      std::unique_lock lock(mutex_);
      const auto until = std::min(due, Limit::Clock::now() + reportInterval);
      wakeUp_.wait_until(lock, until, [this] { return mustCheckSoon_ || stop_; });
      // While a server is away, further events do not shorten the pause.
      if (mustCheckSoon_ && wasHealthy) due = Limit::Clock::now() + backOff_.next();
      if (mustCheckSoon_) wasHealthy = false;
      mustCheckSoon_ = false;
    }
    tally_.report(host_);
    if (stop_ || Limit::Clock::now() < due) continue;
    checkNodes();
    wasHealthy = isHealthy();
    if (wasHealthy) backOff_.reset();
    due = Limit::Clock::now() + (wasHealthy ? settings_.ping : backOff_.next());
  }
}

void Engine::checkNodes() {
  bool hasFailed = false;
  try {
    topology_->refresh(Limit(stop_, settings_.connectTimeout + settings_.timeout));
  } catch (const skh::Error &error) {
    hasFailed = true;
    host_.log(SKH_DEBUG, error.what());
  }
  hasFailed_ = hasFailed;
  for (const NodePointer &node : topology_->nodes()) {
    if (node->isAway())
      node->probe(stop_);
    else
      node->checkIdle(stop_, settings_.ping);
  }
}

void Engine::pause(const Limit &limit, int repetitions) {
  const auto until = Limit::Clock::now() + retryDelay * (1 << repetitions);
  std::unique_lock lock(mutex_);
  while (Limit::Clock::now() < until && !stop_) {
    lock.unlock();
    const auto slice = limit.wait("a cluster that is changing");
    lock.lock();
    wakeUp_.wait_until(lock, std::min(until, Limit::Clock::now() + slice),
                       [this] { return stop_.load(); });
  }
}

NodePointer Engine::afterRefusal(const Reply &reply, const NodePointer &node, std::string_view key,
                                 const Limit &limit, int repetitions) {
  switch (refusalOf(reply.text)) {
  case Refusal::Moved:
    wake(); // so that the keeper learns what else has moved
    [[fallthrough]];
  case Refusal::AskRedirect:
    return topology_->redirected(reply.text, node->address());
  case Refusal::TryAgain:
  case Refusal::ClusterDown:
    pause(limit, repetitions);
    return topology_->nodeFor(key, limit);
  case Refusal::ReadOnly:
  case Refusal::MasterDown: {
    // The node is no longer the master. The sentinels or the cluster know the new one.
    if (settings_.form == Form::Single) return nullptr;
    try {
      topology_->refresh(limit);
    } catch (const LoginRefused &error) {
      throw skh::Error(SKH_UNAVAILABLE, error.what());
    }
    NodePointer other = topology_->nodeFor(key, limit);
    if (other != node) return other;
    pause(limit, repetitions);
    return other;
  }
  case Refusal::Loading:
    node->markAway(node->address().text() + " is not ready: " + shownError(reply.text));
    return nullptr;
  default:
    return nullptr;
  }
}

Reply Engine::ask(std::string_view key, std::string_view command, const Limit &limit,
                  Repeat repeat) {
  NodePointer node = topology_->nodeFor(key, limit);
  bool sendsAsking = false;
  for (int repetitions = 0;; ++repetitions) {
    // ASKING has a reply of its own, so there are two; the reply to the command is the last one.
    Reply reply = sendsAsking ? node->ask(askingCommand() + std::string(command), limit, repeat, 2)
                              : node->ask(command, limit, repeat);
    if (!reply.isError()) return reply;
    if (repetitions >= maxRepetitions) return reply;
    NodePointer next = afterRefusal(reply, node, key, limit, repetitions);
    if (next == nullptr) return reply;
    sendsAsking = refusalOf(reply.text) == Refusal::AskRedirect;
    node = std::move(next);
  }
}

std::unique_ptr<Connection> Engine::openForSubscriptions(const Limit &limit) {
  // Learns the nodes, or throws the reason why none is known.
  static_cast<void>(topology_->nodeFor("", limit));
  // Messages reach all nodes of a cluster, so any node will do.
  std::string why = "no engine is known";
  for (const NodePointer &node : topology_->nodes()) {
    try {
      return node->openConnection(limit);
    } catch (const skh::Error &error) {
      if (error.status() != SKH_UNAVAILABLE && error.status() != SKH_INVALID) throw;
      why = error.what();
    }
  }
  throw skh::Error(SKH_UNAVAILABLE, why);
}

bool Engine::serves(const Address &address) const {
  return std::ranges::any_of(topology_->nodes(), [&](const NodePointer &node) {
    return node->address() == address && !node->isAway();
  });
}

void Engine::refuseWhileAway() const {
  const std::vector<NodePointer> all = topology_->nodes();
  const auto isAway = [](const NodePointer &node) { return node->isAway(); };
  if (!all.empty() && std::ranges::all_of(all, isAway)) all.front()->refuseWhileAway();
}

std::vector<NodePointer> Engine::connectToAll(const Limit &limit) {
  topology_->refresh(limit);
  std::vector<NodePointer> all = topology_->nodes();
  // If a node is away, openConnection() throws the reason at once and does not try to connect: only
  // the keeper's thread checks whether the node is back.
  for (const NodePointer &node : all) static_cast<void>(node->openConnection(limit));
  return all;
}

} // namespace skillhost::valkey

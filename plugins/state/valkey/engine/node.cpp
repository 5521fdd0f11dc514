// SPDX-License-Identifier: Apache-2.0
#include "node.hpp"

#include "../refusal.hpp"

namespace skillhost::valkey {
namespace {

constexpr std::size_t maxIdleConnections = 16;
// If a call waited at least this long before its own deadline passed, the engine counts as silent,
// just as after the whole of `timeout_ms`.
constexpr std::chrono::milliseconds tellingSilence{200};

const std::string &pingCommand() {
  static const std::string command = commandOf({"PING"});
  return command;
}

} // namespace

Node::Node(Address address, const NodeNeeds &needs)
    : address_(std::move(address)), needs_(needs), used_(Limit::Clock::now()) {}

void Node::refuseWhileAway() const {
  if (!isAway()) return;
  const std::scoped_lock lock(mutex_);
  throw skh::Error(SKH_UNAVAILABLE, "the engine is away: " + why_);
}

void Node::refuseIfRefused() const {
  if (!isAway()) return;
  const std::scoped_lock lock(mutex_);
  if (away_ == Away::LoginRefused) throw LoginRefused(why_);
}

void Node::markAway(const std::string &why, Away away) {
  {
    const std::scoped_lock lock(mutex_);
    idle_.clear();
    why_ = why;
    away_ = away;
    if (isAway_.exchange(true, std::memory_order_acq_rel)) return;
  }
  needs_.tally.outages.add();
  needs_.host.log(SKH_WARN, "the engine is away: " + why);
  needs_.onAway();
}

std::unique_ptr<Connection> Node::takeIdle() {
  const std::scoped_lock lock(mutex_);
  used_ = Limit::Clock::now();
  while (!idle_.empty()) {
    std::unique_ptr<Connection> last = std::move(idle_.back());
    idle_.pop_back();
    // A connection that the engine closed meanwhile, for example at a restart, is found here,
    // before a command is sent through it.
    if (last->isUsable()) return last;
  }
  return nullptr;
}

void Node::giveBack(std::unique_ptr<Connection> connection) {
  const std::scoped_lock lock(mutex_);
  if (!isAway() && idle_.size() < maxIdleConnections) idle_.push_back(std::move(connection));
}

std::unique_ptr<Connection> Node::openConnection(const Limit &limit) {
  refuseIfRefused();
  refuseWhileAway();
  try {
    return needs_.connector.open(address_, limit);
  } catch (const LoginRefused &error) {
    markAway(error.what(), Away::LoginRefused);
    throw;
  } catch (const ConnectionLost &error) {
    markAway(error.what());
    throw;
  }
}

Reply Node::exchange(Connection &connection, std::string_view commands, const Limit &limit,
                     int replies) {
  try {
    connection.send(commands, limit);
    Reply reply = connection.receive(limit);
    for (int more = 1; more < replies; ++more) reply = connection.receive(limit);
    return reply;
  } catch (const EngineSilent &error) {
    markAway(error.what());
    throw;
  } catch (const skh::Error &error) {
    if (error.status() == SKH_DEADLINE && Limit::Clock::now() - limit.since() >= tellingSilence)
      markAway(error.what());
    throw;
  }
}

Reply Node::ask(std::string_view commands, const Limit &limit, Repeat repeat, int replies) {
  refuseWhileAway();
  std::unique_ptr<Connection> connection = takeIdle();
  if (connection != nullptr && repeat == Repeat::IfLost) {
    try {
      Reply reply = exchange(*connection, commands, limit, replies);
      giveBack(std::move(connection));
      return reply;
    } catch (const EngineSilent &) {
      throw;
    } catch (const ConnectionLost &) {
      connection = nullptr;
    }
  }
  if (connection == nullptr) {
    try {
      connection = openConnection(limit);
    } catch (const LoginRefused &error) {
      throw skh::Error(SKH_UNAVAILABLE, error.what());
    }
  }
  Reply reply = exchange(*connection, commands, limit, replies);
  giveBack(std::move(connection));
  return reply;
}

bool Node::probe(const std::atomic<bool> &stop) {
  std::string why;
  Away away = Away::ConnectionLost;
  try {
    std::unique_ptr<Connection> connection =
        needs_.connector.open(address_, Limit(stop, needs_.connectTimeout));
    const Reply reply = connection->ask(pingCommand(), Limit(stop, needs_.timeout));
    // An error that denies PING also proves that the engine is there.
    if (!reply.isError() || refusalOf(reply.text) == Refusal::NoPermission) {
      {
        const std::scoped_lock lock(mutex_);
        idle_.push_back(std::move(connection));
        isAway_.store(false, std::memory_order_release);
      }
      needs_.tally.reconnects.add();
      needs_.host.log(SKH_INFO, "the engine answers again: " + address_.text());
      return true;
    }
    why = address_.text() + " is not ready: " + shownError(reply.text);
  } catch (const LoginRefused &error) {
    away = Away::LoginRefused;
    why = error.what();
  } catch (const skh::Error &error) {
    if (error.status() == SKH_CANCELLED) return false;
    why = error.what();
  }
  const std::scoped_lock lock(mutex_);
  why_ = why;
  away_ = away;
  return false;
}

void Node::checkIdle(const std::atomic<bool> &stop, std::chrono::milliseconds idle) {
  if (isAway()) return;
  std::unique_ptr<Connection> connection;
  {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty() || Limit::Clock::now() - used_ < idle) return;
  }
  connection = takeIdle();
  if (connection == nullptr) return;
  try {
    const Reply reply = exchange(*connection, pingCommand(), Limit(stop, needs_.timeout), 1);
    if (reply.isError() && isPassing(refusalOf(reply.text)))
      return markAway(address_.text() + " is not ready: " + shownError(reply.text));
    giveBack(std::move(connection));
  } catch (const skh::Error &) {
    // exchange() has already marked a silent engine, and a new connection replaces one that ended.
  }
}

} // namespace skillhost::valkey

// SPDX-License-Identifier: Apache-2.0
#include "token_source.hpp"

#include "base/log.hpp"
#include "command_output.hpp"
#include "ground/text.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace skillhost {
namespace {

constexpr std::chrono::seconds commandTime{30};
constexpr std::size_t maxBytes = 64U << 10U; // no header may be longer

// A failure names `what`, and never contains the text.
Result<std::string> checked(std::string text, const std::string &what) {
  text = std::string(trimmedAsciiSpace(text));
  if (text.empty()) return {Fault::Denied, what + " is empty"};
  if (!isToken(text)) return {Fault::Denied, what + " holds what cannot be a token"};
  return text;
}

// Only the token itself says when it expires.
Result<AccessToken> withoutEnd(const Result<std::string> &token) {
  if (!token) return token.failure();
  return AccessToken{*token, {}};
}

} // namespace

TokenSource::TokenSource(TokenSettings settings, std::function<void()> changed)
    : settings_(std::move(settings)), changed_(std::move(changed)),
      stop_(::eventfd(0, EFD_CLOEXEC)) {
  if (stop_ < 0) throw std::runtime_error("eventfd: no descriptor left");
  if (settings_.client) client_.emplace(makeClientGrant(*settings_.client));
  if (!settings_.login) return;
  login_.emplace(*settings_.login, [this](const SignInAddress &address) {
    log::warning("connect", (address.process == 0
                                 ? "sign in with a browser: "
                                 : "another skillhost (process " + std::to_string(address.process) +
                                       ") waits for the same sign-in: ") +
                                address.text);
    const std::scoped_lock lock(mutex_);
    address_ = address.text;
  });
}

TokenSource::~TokenSource() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(stop_, &one, sizeof one);
  if (thread_.joinable()) thread_.join();
  ::close(stop_);
}

std::optional<Result<std::string>> TokenSource::current() {
  if (!settings_.variable.empty()) {
    const char *const value = std::getenv(settings_.variable.c_str());
    Result<std::string> token =
        checked(value != nullptr ? value : "", "the environment variable " + settings_.variable);
    storeToken(withoutEnd(token));
    return token;
  }
  if (!settings_.file.empty()) {
    Result<std::string> token = fromFile();
    storeToken(withoutEnd(token));
    return token;
  }
  if (!isFetched()) return Result<std::string>(std::string{});
  std::optional<Result<AccessToken>> come;
  {
    const std::scoped_lock lock(mutex_);
    come = std::exchange(fetched_, std::nullopt);
    if (!come && running_) return std::nullopt;
  }
  if (come) {
    storeToken(*come);
    if (!*come) return Result<std::string>(come->failure());
    return Result<std::string>((*come)->text);
  }
  if (token_ && Clock::now() < renewAt_) return Result<std::string>(*token_);
  run();
  return std::nullopt;
}

// The file is small and cached by the kernel, so each call reads it and sees a new token at once.
Result<std::string> TokenSource::fromFile() {
  errno = 0;
  std::ifstream file(settings_.file, std::ios::binary);
  if (!file)
    return {Fault::Denied, "the token file " + settings_.file + ": " + std::strerror(errno)};
  std::string text(maxBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return checked(std::move(text), "the token file " + settings_.file);
}

void TokenSource::run() {
  if (thread_.joinable()) thread_.join(); // it has ended
  {
    const std::scoped_lock lock(mutex_);
    running_ = true;
  }
  thread_ = std::thread([this, refused = std::exchange(refused_, {})] {
    Result<AccessToken> token = login_ ? login_->token(refused, stop_)
                                : client_
                                    ? grantedToken(*client_, *settings_.client, refused, stop_)
                                    : fromCommand();
    {
      const std::scoped_lock lock(mutex_);
      fetched_ = std::move(token);
      address_.clear();
      running_ = false;
    }
    changed_();
  });
}

Result<AccessToken> TokenSource::fromCommand() {
  Result<std::string> printed = commandOutput(settings_.command, commandTime, stop_);
  if (!printed) return {Fault::Denied, "the token command " + printed.failure().message};
  return withoutEnd(checked(*std::move(printed), "the output of the token command"));
}

std::string TokenSource::pendingAction() {
  const std::scoped_lock lock(mutex_);
  return address_.empty() ? std::string() : "somebody has to sign in first: open " + address_;
}

void TokenSource::storeToken(const Result<AccessToken> &token) {
  token_ = token ? std::optional(token->text) : std::nullopt;
  if (!token) return;
  if (token->text != lastRedacted_) log::redact(token->text);
  lastRedacted_ = token->text;
  if (!isFetched()) return;
  renewAt_ = renewalOf(*token, Clock::now());
}

bool TokenSource::renew(const std::string &token) {
  if (!settings_.variable.empty()) return false;
  if (!settings_.file.empty()) {
    const Result<std::string> now = fromFile();
    return now && *now != token;
  }
  if (!isFetched()) return false;
  if (token_ == token) {
    token_.reset();
    refused_ = token;
  }
  return true;
}

} // namespace skillhost

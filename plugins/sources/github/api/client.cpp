// SPDX-License-Identifier: Apache-2.0
#include "client.hpp"

#include "address.hpp"
#include "ground/time_reading.hpp"

#include <array>
#include <charconv>

namespace skillhost::github {
namespace {

using std::chrono::milliseconds;

constexpr int maxApiRedirects = 3;
constexpr std::array<milliseconds, 2> pauses{milliseconds(500), milliseconds(2'000)};

// The server reports its own fault (5xx), so a repetition may succeed at once.
class ServerFault : public remote::RemoteError {
public:
  using remote::RemoteError::RemoteError;
};

std::int64_t numberOf(const std::string &text) {
  std::int64_t value = -1;
  const char *const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc{} && read.ptr == end && value >= 0 ? value : -1;
}

Budget::RateLimit rateLimitOf(const Transfer &transfer) {
  return {numberOf(transfer.header("X-RateLimit-Limit")),
          numberOf(transfer.header("X-RateLimit-Remaining")),
          numberOf(transfer.header("X-RateLimit-Reset")), transfer.retryAfter()};
}

} // namespace

ApiClient::ApiClient(const ApiAccess &access, Budget &budget, remote::Operation &operation)
    : access_(access), budget_(budget), operation_(operation), repository_(access.repository) {}

ApiAnswer ApiClient::get(const ApiRequest &request) {
  ApiAnswer answer;
  retried([&] { answer = once(request); });
  return answer;
}

void ApiClient::retried(const std::function<void()> &body) {
  for (std::size_t tried = 0;; ++tried) {
    const bool isFirst = requests_ == 0;
    try {
      return body();
    } catch (const remote::NetworkError &) {
      // If even the first request fails to connect, the next refresh tries again.
      if (tried == pauses.size() || isFirst) throw;
    } catch (const ServerFault &error) {
      if (tried == pauses.size() || error.retryAfter()) throw;
    }
    pause(pauses[tried]);
  }
}

ApiAnswer ApiClient::once(const ApiRequest &request) {
  ApiAnswer answer;
  const std::unique_ptr<Transfer> transfer = open(request, false, answer.status);
  answer.tag = transfer->header("ETag");
  std::array<char, 16'384> part{};
  while (const std::size_t size = transfer->read(part.data(), part.size())) {
    if (size > request.maxBytes - answer.body.size())
      throw remote::RemoteError("the API answers " + request.path + " with more than " +
                                std::to_string(request.maxBytes) + " bytes");
    answer.body.append(part.data(), size);
  }
  return answer;
}

void ApiClient::stream(
    const ApiRequest &request,
    const std::function<void(const std::function<std::string_view()> &part)> &use) {
  retried([&] {
    long status = 0;
    const std::unique_ptr<Transfer> transfer = open(request, true, status);
    if (status != 200)
      throw remote::RemoteError("the API answers " + std::to_string(status) + " to " +
                                request.path);
    std::array<char, 16'384> part{};
    use([&] { return std::string_view(part.data(), transfer->read(part.data(), part.size())); });
  });
}

std::unique_ptr<Transfer> ApiClient::open(const ApiRequest &request, bool isArchive, long &status) {
  std::string url = access_.url + repository_ + request.path;
  for (int followed = 0;; ++followed) {
    budget_.requireOpen(secondsNow());
    auto transfer =
        std::make_unique<Transfer>(connections_, access_.rules, operation_, compose(request, url));
    ++requests_;
    status = transfer->awaitHead();
    const bool isApi = originOf(url) == originOf(access_.url);
    if (isApi) budget_.recordAnswer(rateLimitOf(*transfer), secondsNow());
    const bool isRedirect = status >= 300 && status < 400 && status != 304;
    if (isRedirect && followed < maxApiRedirects) {
      url = follow(request, url, *transfer, isArchive);
      continue;
    }
    if (isRedirect) throw remote::RemoteError("the API redirects too often");
    const bool isAnswer = status == 200 || (status == 304 && !request.match.empty()) ||
                          status == 404 || status == 409 || status == 422 || status == 451;
    if (!isAnswer) refuse(status, *transfer);
    return transfer;
  }
}

HttpRequest ApiClient::compose(const ApiRequest &request, const std::string &url) const {
  const bool isApi = originOf(url) == originOf(access_.url);
  HttpRequest composed{url, isApi ? "the API" : urlWithoutQuery(url)};
  if (isApi) {
    composed.headers = {"Accept: " + request.accept, "X-GitHub-Api-Version: 2022-11-28"};
    if (!request.match.empty()) composed.headers.push_back("If-None-Match: " + request.match);
    composed.headers.insert(composed.headers.end(), operation_.trace().begin(),
                            operation_.trace().end());
    if (!access_.token.empty()) {
      composed.authentication = HttpRequest::Authentication::Bearer;
      composed.secret = access_.token;
    }
  }
  composed.mayBeCompressed = request.mayBeCompressed;
  return composed;
}

std::string ApiClient::follow(const ApiRequest &request, const std::string &from,
                              const Transfer &transfer, bool isArchive) {
  std::string target = transfer.target();
  const std::string printedUrl = urlWithoutQuery(target);
  const bool isSame = originOf(target) == originOf(access_.url);
  if (target.empty() || originOf(target).find('@') != std::string::npos)
    throw remote::RemoteError("the API redirects to nowhere");
  if (!isSame && (!isArchive || !target.starts_with("https://")))
    throw remote::RemoteError(
        "the API redirects " + request.path + " to " + printedUrl +
        (isArchive ? ", which is not https://" : ", which is another server"));
  // The target is "/repositories/123/git/trees/…". Later requests go there directly.
  const std::string base = access_.url + "/";
  if (from == access_.url + repository_ + request.path && target.starts_with(base) &&
      target.ends_with(request.path)) {
    const std::size_t length = target.size() - access_.url.size() - request.path.size();
    repository_ = movedTo_ = target.substr(access_.url.size(), length);
  }
  return target;
}

void ApiClient::refuse(long status, Transfer &transfer) {
  const Budget::RateLimit reported = rateLimitOf(transfer);
  const std::string why = transfer.where() + " answers " + std::to_string(status);
  const bool isLimit =
      status == 429 || (status == 403 && (reported.remaining == 0 || reported.retryAfter));
  if (isLimit) budget_.throwRefused(reported, secondsNow());
  if (status >= 500) throw ServerFault(why, reported.retryAfter);
  if (status == 401)
    throw remote::RefusedError(
        why + (access_.token.empty() ? ": it needs a token" : ": the token is not accepted"));
  if (status == 403) {
    // A secondary rate limit may only appear in the text.
    std::array<char, 2'048> part{};
    const std::string_view text(part.data(), transfer.read(part.data(), part.size()));
    if (text.find("rate limit") != text.npos) budget_.throwRefused(reported, secondsNow());
    throw remote::RefusedError(why + ": reading it is not allowed");
  }
  throw remote::RemoteError(why);
}

// Waits, but ends early if the operation ends.
void ApiClient::pause(milliseconds span) {
  const auto end = remote::Operation::Clock::now() + span;
  while (remote::Operation::Clock::now() < end) {
    operation_.checkpoint();
    connections_.wait(milliseconds(operation_.waitSliceMs()));
  }
}

} // namespace skillhost::github

// SPDX-License-Identifier: Apache-2.0
#include "http_exchange.hpp"

#include "address.hpp"

namespace skillhost::github {
namespace {

HttpRequest requestFor(const HttpAccess &access, const remote::Operation &operation,
                       const std::string &url, HttpExchange::Kind kind) {
  // Messages use the configured address.
  const bool isThere = url.starts_with(access.url);
  HttpRequest request{url, isThere ? "the remote" : url.substr(0, url.find('?'))};
  if (!access.token.empty() && originOf(url) == originOf(access.url)) {
    request.authentication = HttpRequest::Authentication::Basic;
    request.user = access.user;
    request.secret = access.token;
  }
  request.isPost = kind == HttpExchange::Kind::post;
  if (request.isPost)
    request.headers = {"Content-Type: application/x-git-upload-pack-request",
                       "Accept: application/x-git-upload-pack-result", "Expect:"};
  // Like the token, the trace goes only to the origin that the operator configured.
  if (!access.rules.host.empty() && originOf(url) == originOf(access.url))
    request.headers.insert(request.headers.end(), operation.trace().begin(),
                           operation.trace().end());
  return request;
}

} // namespace

HttpExchange::HttpExchange(web::Connections &connections, const HttpAccess &access,
                           remote::Operation &operation, const std::string &url, Kind kind)
    : access_(access), kind_(kind),
      transfer_(connections, access.rules, operation, requestFor(access, operation, url, kind)) {}

std::string HttpExchange::awaitHead() {
  const long status = transfer_.awaitHead();
  if (status >= 300 && status < 400)
    if (std::string target = transfer_.target(); !target.empty()) return target;
  if (status != 200) refuse(status);
  const std::string expected = std::string("application/x-git-upload-pack-") +
                               (kind_ == Kind::get ? "advertisement" : "result");
  if (!transfer_.header("Content-Type").starts_with(expected))
    throw remote::RemoteError(transfer_.where() +
                              " answers, but does not speak git's smart protocol");
  return {};
}

void HttpExchange::refuse(long status) {
  std::string why = transfer_.where() + " answers " + std::to_string(status);
  const bool isOurs = !access_.token.empty();
  if (status == 401)
    why += isOurs ? ": the token is not accepted"
                  : ": there is no such repository, or it needs a token";
  else if (status == 403)
    why += ": reading it is not allowed";
  else if (status == 404)
    why += isOurs ? ": there is no such repository, or the token may not see it"
                  : ": there is no such repository, or it needs a token";
  else if (status == 429)
    why += ": it was asked too often";
  if (status == 401 || status == 403) throw remote::RefusedError(why, transfer_.retryAfter());
  throw remote::RemoteError(why, transfer_.retryAfter());
}

std::size_t HttpExchange::read(char *into, std::size_t maxBytes) {
  if (!transfer_.isSent() && !awaitHead().empty())
    throw remote::RemoteError(transfer_.where() + " redirects a request that was meant for it");
  return transfer_.read(into, maxBytes);
}

} // namespace skillhost::github

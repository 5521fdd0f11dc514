// SPDX-License-Identifier: Apache-2.0
#include "http_conversation.hpp"

#include "address.hpp"
#include "http_exchange.hpp"

namespace skillhost::github {
namespace {

constexpr int maxRedirects = 3;
constexpr std::string_view advertisement = "/info/refs?service=git-upload-pack";

// Returns the new address of the repository after its first step was redirected to `target`.
std::string urlAfterRedirect(const std::string &from, const std::string &target) {
  const std::string location = target.substr(0, target.find('?'));
  if (!target.starts_with("https://") &&
      !(from.starts_with("http://") && originOf(from) == originOf(target)))
    throw remote::RemoteError("the remote redirects to " + location + ", which is not https://");
  if (target.find('@') != target.npos || !target.ends_with(advertisement))
    throw remote::RemoteError("the remote redirects to something that is no repository");
  return target.substr(0, target.size() - advertisement.size());
}

} // namespace

HttpConversation::HttpConversation(const HttpAccess &access, remote::Operation &operation)
    : access_(access), operation_(operation), repositoryUrl_(access.url),
      connections_(std::make_unique<web::Connections>()) {}

HttpConversation::~HttpConversation() = default;

std::unique_ptr<Stream> HttpConversation::open(Step step) {
  if (step == Step::request)
    return std::make_unique<HttpExchange>(*connections_, access_, operation_,
                                          repositoryUrl_ + "/git-upload-pack",
                                          HttpExchange::Kind::post);
  for (int followed = 0;; ++followed) {
    auto exchange = std::make_unique<HttpExchange>(*connections_, access_, operation_,
                                                   repositoryUrl_ + std::string(advertisement),
                                                   HttpExchange::Kind::get);
    const std::string target = exchange->awaitHead();
    if (target.empty()) return exchange;
    if (followed == maxRedirects) throw remote::RemoteError("the remote redirects too often");
    repositoryUrl_ = urlAfterRedirect(repositoryUrl_, target);
  }
}

} // namespace skillhost::github

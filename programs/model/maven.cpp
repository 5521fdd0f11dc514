// SPDX-License-Identifier: Apache-2.0
#include "maven.hpp"

#include "ground/shown.hpp"
#include "http_client/exchange.hpp"
#include "http_client/signal_guard.hpp"
#include "http_client/web_address.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace skillhost::model {
namespace {

constexpr const char *mavenCentral = "https://repo1.maven.org/maven2";
constexpr int maxRedirects = 5; // some repositories send to their storage
constexpr std::chrono::milliseconds pollInterval{1000};
constexpr std::chrono::seconds stallTimeout{60};
constexpr long minBytesPerSecond = 1000;
constexpr std::size_t maxOtherBytes = 65'536; // of the page of an error or a redirect

[[noreturn]] void failedArtifact(const std::string &url, const std::string &why) {
  throw std::runtime_error("could not get " + url + ": " + why +
                           "\nCan this machine reach the Maven repository? --index-url names "
                           "another one; proxies come from https_proxy.");
}

std::string addressOfArtifact(const Artifact &artifact) {
  std::string group = artifact.coordinates.substr(0, artifact.coordinates.find(':'));
  const std::string name = artifact.coordinates.substr(group.size() + 1);
  std::replace(group.begin(), group.end(), '.', '/');
  std::string url = artifact.repositoryUrl.empty() ? mavenCentral : artifact.repositoryUrl;
  while (url.ends_with('/')) url.pop_back();
  url += "/" + group + "/" + name + "/" + artifact.version + "/" + name + "-" + artifact.version +
         ".jar";
  if (!web::readWebAddress(url))
    throw std::runtime_error(artifact.repositoryUrl +
                             ": is no address of a Maven repository, such "
                             "as " +
                             mavenCentral);
  return url;
}

// Sends one request. Returns the address of a redirect, or nothing after it has written the body to
// `to`.
std::optional<std::string> receive(const std::string &url, std::uint64_t most, std::string &to,
                                   const InterruptionGuard &interruption) {
  web::Connections connections;
  web::Exchange exchange(connections);
  bool isTooLong = false;
  std::size_t otherBytes = 0; // of an answer that is not the package
  web::Request request;
  request.url = url;
  request.agent = "skillhost";
  request.proxy = web::Proxy::Environment;
  request.minBytesPerSecond = minBytesPerSecond;
  request.stallTimeout = stallTimeout;
  constexpr long good = 200;
  request.take = [&](std::string_view bytes) {
    if (exchange.status() != good)
      return (otherBytes += bytes.size()) > maxOtherBytes ? web::Taken::Refused : web::Taken::All;
    isTooLong = bytes.size() > most - to.size();
    if (isTooLong) return web::Taken::Refused;
    to += bytes;
    return web::Taken::All;
  };
  exchange.start(std::move(request));
  const web::SignalGuard guard;
  for (;;) {
    connections.perform();
    if (exchange.hasEnded()) break;
    connections.wait(pollInterval, interruption.descriptor());
    interruption.check();
  }
  if (isTooLong)
    failedArtifact(url, "it has more than the " + std::to_string(most) +
                            " bytes of the package that is expected");
  if (exchange.hasFailed()) failedArtifact(url, exchange.reason());
  if (std::string other = exchange.redirect(); !other.empty()) return other;
  if (exchange.status() != good)
    failedArtifact(url, "the server answers with status " + std::to_string(exchange.status()));
  return std::nullopt;
}

} // namespace

std::string downloadArtifact(const Artifact &artifact, const InterruptionGuard &interruption) {
  const std::string address = addressOfArtifact(artifact);
  printShown(stderr, "Downloading %s (%.1f MB)\n", address.c_str(),
             static_cast<double>(artifact.bytes) / 1e6);
  std::string bytes, url = address;
  bytes.reserve(static_cast<std::size_t>(artifact.bytes));
  for (int redirects = 0; redirects <= maxRedirects; ++redirects) {
    const std::optional<std::string> other = receive(url, artifact.bytes, bytes, interruption);
    if (!other) return bytes;
    if (!web::readWebAddress(*other)) failedArtifact(url, "it redirects to no web address");
    url = *other;
  }
  failedArtifact(address, "it is redirected too often");
}

} // namespace skillhost::model

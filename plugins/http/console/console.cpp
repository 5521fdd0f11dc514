// SPDX-License-Identifier: Apache-2.0
#include "console.hpp"

#include "ground/text.hpp"
#include "ground/url.hpp"
#include "net/entity_tags.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

constexpr std::string_view consolePath = "/console";
constexpr std::string_view folderOfConsole = "/console/";
constexpr std::string_view assetFolder = "assets/"; // names in it contain a digest of the file

void refuseOnConsole(HttpExchange &exchange, int status, std::string_view text,
                     HttpFields fields = {}) {
  fields.emplace_back("Cache-Control", "no-store");
  exchange.respond({status, plainTextType, std::move(fields), Fragments(text)});
}

bool sameLetters(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return asciiLowered(a) == b; });
}

// Reads the parameters of "gzip;q=0.5". A weight of zero, with any number of digits, means no.
bool isWanted(std::string_view parameters) {
  const std::size_t weight = parameters.find_first_of("qQ");
  if (weight == std::string_view::npos) return true;
  const std::string_view value = trimmedSpacesAndTabs(parameters.substr(weight + 1));
  return !value.starts_with('=') || value.find_first_of("123456789") != std::string_view::npos;
}

// Escapes a text for an HTML attribute in double quotes.
std::string escapedForAttribute(std::string_view text) {
  std::string escaped;
  for (const char c : text)
    if (c == '"')
      escaped += "&quot;";
    else if (c == '&')
      escaped += "&amp;";
    else
      escaped += c;
  return escaped;
}

std::string pageFor(std::span<const ConsoleFile> files, const std::string &endpoint) {
  const auto found = std::find_if(files.begin(), files.end(), [](const ConsoleFile &file) {
    return file.path == consoleEntry;
  });
  std::string page(found == files.end() ? std::string_view() : found->bytes);
  const std::size_t at = page.find(mcpEndpointInPage);
  if (at != std::string::npos)
    page.replace(at, mcpEndpointInPage.size(),
                 R"(name="mcp-endpoint" content=")" + escapedForAttribute(endpoint) + '"');
  return page;
}

// Returns the origin of a URL from the metadata of this server, for the page's policy: a browser
// may be sent there to sign in. Empty if it is no URL that a browser can request.
std::string originForPolicy(const std::string &url) {
  const auto parts = urlParts(url);
  if (!parts || !isAuthority(parts->authority)) return {};
  if (!sameLetters(parts->scheme, "https") && !sameLetters(parts->scheme, "http")) return {};
  return std::string(parts->origin);
}

// Returns the path of the endpoint as browsers know it: a proxy may serve it below another path.
std::string endpointFor(const HttpRules &rules) {
  const auto parts = urlParts(rules.publicUrl);
  if (!parts) return rules.path;
  const std::string_view path = parts->rest.substr(0, parts->rest.find_first_of("?#"));
  return path.empty() ? "/" : std::string(path);
}

} // namespace

bool acceptsGzip(const HttpRequest &request) {
  std::optional<bool> byName, byStar;
  bool isGiven = false;
  for (const HttpField &field : request.fields) {
    if (field.name != "accept-encoding") continue;
    isGiven = true;
    std::string_view rest = field.value;
    while (!rest.empty()) {
      const std::string_view one = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), one.size() + 1));
      const std::size_t semicolon = std::min(one.find(';'), one.size());
      const std::string_view name = trimmedSpacesAndTabs(one.substr(0, semicolon));
      const bool wanted = isWanted(one.substr(semicolon));
      if (sameLetters(name, "gzip") || sameLetters(name, "x-gzip")) byName = wanted;
      if (name == "*") byStar = wanted;
    }
  }
  return byName.value_or(byStar.value_or(!isGiven));
}

Console::Console(std::span<const ConsoleFile> files, const HttpParts &parts,
                 std::vector<std::string> origins)
    : files_(files), access_(parts.access), publicUrl_(parts.rules.publicUrl),
      page_(pageFor(files, endpointFor(parts.rules))), origins_(std::move(origins)) {}

std::vector<HttpRoute> Console::routes() const {
  if (files_.empty()) return {};
  HttpRoute path{std::string(consolePath)};
  path.methods = {"GET", "HEAD"};
  path.need = Permission::Nothing;
  path.onOtherMethod = {{"Cache-Control", "no-store"}};
  HttpRoute folder = path;
  folder.path = folderOfConsole;
  folder.extent = HttpRoute::Extent::Folder;
  return {std::move(path), std::move(folder)};
}

void Console::handle(const std::shared_ptr<HttpExchange> &exchange,
                     const PrincipalPointer & /*caller*/) {
  const std::string_view whole = exchange->request().path;
  // The location is relative, because a proxy may have changed the path that the browser requested.
  if (whole == consolePath)
    return refuseOnConsole(*exchange, 308, "the console is at /console/\n",
                           {{"Location", std::string(folderOfConsole.substr(1))}});
  const std::string_view below = whole.substr(folderOfConsole.size());
  if (below.empty() || below == consoleEntry) return sendPage(*exchange);
  const auto found = std::find_if(files_.begin(), files_.end(),
                                  [&](const ConsoleFile &file) { return file.path == below; });
  if (found == files_.end()) return refuseOnConsole(*exchange, 404, "not found\n");
  sendAsset(*exchange, *found);
}

void Console::sendPage(HttpExchange &exchange) const {
  exchange.respond({200,
                    "text/html; charset=utf-8",
                    {{"Cache-Control", "no-store"},
                     {"Content-Security-Policy", contentPolicy()},
                     {"Cross-Origin-Opener-Policy", "same-origin"},
                     {"Cross-Origin-Resource-Policy", "same-origin"},
                     {"Permissions-Policy", "camera=(), display-capture=(), geolocation=(), "
                                            "microphone=(), payment=(), usb=()"},
                     {"Referrer-Policy", "no-referrer"},
                     {"X-Content-Type-Options", "nosniff"}},
                    Fragments(page_)});
}

void Console::sendAsset(HttpExchange &exchange, const ConsoleFile &file) const {
  if (!acceptsGzip(exchange.request()))
    return refuseOnConsole(exchange, 406, "this file is sent compressed by gzip alone\n",
                           {{"Vary", "Accept-Encoding"}});
  const bool isHashed = file.path.starts_with(assetFolder);
  HttpFields fields{
      {"Cache-Control", isHashed ? "public, max-age=31536000, immutable" : "no-cache"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"ETag", std::string(file.tag)},
      {"Vary", "Accept-Encoding"},
      {"X-Content-Type-Options", "nosniff"}};
  if (holdsTag(exchange.request().field("if-none-match").value_or(""), file.tag))
    return exchange.respond({304, {}, std::move(fields), {}});
  fields.emplace_back("Content-Encoding", "gzip");
  exchange.respond({200, file.contentType, std::move(fields), Fragments(file.bytes)});
}

// The policy is made for each request, because the provider may name other servers after it was
// reconfigured.
std::string Console::contentPolicy() const {
  std::string connect = "'self'";
  if (access_.authenticator() != nullptr)
    if (const Result<std::string> document = access_.metadata(publicUrl_)) {
      const Json metadata = Json::parse(*document, nullptr, false);
      const auto servers =
          metadata.is_object() ? metadata.find("authorization_servers") : metadata.end();
      if (servers != metadata.end() && servers->is_array())
        for (const Json &server : *servers)
          if (const std::string origin =
                  server.is_string() ? originForPolicy(server.get<std::string>()) : std::string();
              !origin.empty())
            (connect += ' ') += origin;
    }
  for (const std::string &one : origins_)
    if (const std::string origin = originForPolicy(one); !origin.empty())
      (connect += ' ') += origin;
  return "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src "
         "'self'; font-src 'self'; connect-src " +
         connect +
         "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
         "require-trusted-types-for 'script'; trusted-types dompurify skillhost-worker";
}

} // namespace skillhost

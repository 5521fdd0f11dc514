// SPDX-License-Identifier: Apache-2.0
#include "lfs_download.hpp"

#include "address.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/sha256.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

namespace skillhost::github {
namespace {

constexpr std::size_t maxBatchObjects = 100; // limit of common servers
constexpr std::uint64_t maxBatchBytes = std::uint64_t{4} << 20U;
constexpr int maxLfsRedirects = 3;
constexpr std::chrono::seconds unsaidWait{60}; // after 429 without Retry-After
constexpr const char *mediaType = "application/vnd.git-lfs+json";

// The server asks for a pause.
class BusyServerError : public remote::RemoteError {
public:
  using RemoteError::RemoteError;
};

[[noreturn]] void refuseStatus(const Transfer &transfer, long status) {
  const std::string why = transfer.where() + " answers " + std::to_string(status);
  const auto wait = transfer.retryAfter();
  if (status == 404 || status == 410) throw NoLfsFileError(why);
  if (status == 429)
    throw BusyServerError(why + ": it was asked too often", wait.value_or(unsaidWait));
  if (wait) throw BusyServerError(why, wait);
  throw remote::RemoteError(why);
}

std::string batchUrl(const std::string &repository) {
  return repository + (repository.ends_with(".git") ? "" : ".git") + "/info/lfs/objects/batch";
}

std::string bodyOf(Transfer &transfer, std::uint64_t maxBytes) {
  std::string body;
  std::array<char, 65'536> part; // NOLINT(cppcoreguidelines-pro-type-member-init): it is filled
  while (const std::size_t size = transfer.read(part.data(), part.size())) {
    if (body.size() + size > maxBytes)
      throw remote::RemoteError(transfer.where() + " sends more than " + std::to_string(maxBytes) +
                                " bytes");
    body.append(part.data(), size);
  }
  return body;
}

void signInAs(const HttpAccess &access, HttpRequest &request) {
  if (access.token.empty() || originOf(request.url) != originOf(access.url)) return;
  request.authentication = HttpRequest::Authentication::Basic;
  request.user = access.user;
  request.secret = access.token;
}

nlohmann::json askBatch(web::Connections &connections, const HttpAccess &access,
                        remote::Operation &operation, const std::vector<LfsPointer> &wanted) {
  nlohmann::json question{{"operation", "download"}, {"transfers", {"basic"}}};
  for (const LfsPointer &one : wanted)
    question["objects"].push_back({{"oid", one.oid}, {"size", one.size}});
  HttpRequest request{batchUrl(access.url), "the server of Git LFS"};
  request.headers = {std::string("Content-Type: ") + mediaType, std::string("Accept: ") + mediaType,
                     "Expect:"};
  request.isPost = true;
  signInAs(access, request);
  Transfer transfer(connections, access.rules, operation, std::move(request));
  transfer.write(question.dump());
  // Does not follow a redirect, because the request is meant for this server.
  if (const long status = transfer.awaitHead(); status != 200) refuseStatus(transfer, status);
  nlohmann::json answer =
      nlohmann::json::parse(bodyOf(transfer, maxBatchBytes), nullptr, /*allow_exceptions=*/false);
  if (!answer.is_object() || !answer.contains("objects") || !answer["objects"].is_array())
    throw remote::RemoteError("the server of Git LFS answers, but does not name files");
  return answer;
}

// Reads the header fields that the server requires for a download. Only plain fields are accepted.
std::vector<std::string> fieldsOf(const nlohmann::json &download) {
  std::vector<std::string> fields;
  const auto named = download.find("header");
  if (named == download.end() || !named->is_object()) return fields;
  for (const auto &[name, value] : named->items()) {
    const auto isPlain = [](std::string_view text, std::string_view further) {
      return std::all_of(text.begin(), text.end(), [&](char c) {
        const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return isLetter || (c >= '0' && c <= '9') || further.find(c) != further.npos;
      });
    };
    if (!value.is_string() || name.empty() || !isPlain(name, "-_")) continue;
    const auto text = value.get<std::string>();
    const bool isOneLine =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c != '\x7f'; });
    if (isOneLine && !text.empty()) fields.push_back(name + ": " + text);
  }
  return fields;
}

// Throws unless the address is https or has the origin of the repository, which may be http.
void requireSafe(const HttpAccess &access, const std::string &url) {
  const bool isWeb = url.starts_with("https://") || originOf(url) == originOf(access.url);
  if (!isWeb || url.find('@') < url.find('?'))
    throw remote::RemoteError("the server of Git LFS names " + urlWithoutQuery(url) +
                              ", which is no https:// address");
}

std::string download(web::Connections &connections, const HttpAccess &access,
                     remote::Operation &operation, const nlohmann::json &action,
                     const LfsPointer &pointer) {
  std::string url = action.value("href", "");
  std::vector<std::string> fields = fieldsOf(action);
  for (int moves = 0;; ++moves) {
    requireSafe(access, url);
    HttpRequest request{url, urlWithoutQuery(url), fields};
    if (fields.empty()) signInAs(access, request);
    Transfer transfer(connections, access.rules, operation, std::move(request));
    const long status = transfer.awaitHead();
    const std::string target = status >= 300 && status < 400 ? transfer.target() : "";
    if (target.empty()) {
      if (status != 200) refuseStatus(transfer, status);
      return bodyOf(transfer, pointer.size);
    }
    if (moves == maxLfsRedirects)
      throw remote::RemoteError(transfer.where() + " redirects too often");
    // The fields only belong to the address that was named with them.
    if (originOf(target) != originOf(url)) fields.clear();
    url = target;
  }
}

[[noreturn]] void refuseObject(const nlohmann::json &object) {
  const auto error = object.find("error");
  if (error == object.end() || !error->is_object())
    throw NoLfsFileError("the server of Git LFS has no such file");
  const int code = error->value("code", 0);
  const std::string why = "the server of Git LFS answers " + std::to_string(code);
  if (code == 404 || code == 410) throw NoLfsFileError(why);
  throw remote::RemoteError(why);
}

std::string fetchOne(web::Connections &connections, const HttpAccess &access,
                     remote::Operation &operation, const nlohmann::json &object,
                     const LfsPointer &pointer) {
  const auto actions = object.find("actions");
  if (actions == object.end() || !actions->is_object() || !actions->contains("download") ||
      !actions->at("download").is_object())
    refuseObject(object);
  std::string bytes = download(connections, access, operation, actions->at("download"), pointer);
  if (bytes.size() != pointer.size)
    throw remote::RemoteError(std::to_string(bytes.size()) + " bytes came where the pointer says " +
                              std::to_string(pointer.size));
  if (sha256Hex(bytes) != pointer.oid)
    throw remote::RemoteError("other bytes came than the pointer names");
  return bytes;
}

} // namespace

std::optional<LfsPointer> readLfsPointer(std::string_view text) {
  LfsPointer pointer;
  bool hasSize = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    constexpr std::string_view oid = "oid sha256:", size = "size ";
    if (line.starts_with(oid)) pointer.oid = line.substr(oid.size());
    if (!line.starts_with(size)) continue;
    line.remove_prefix(size.size());
    const auto read = std::from_chars(line.data(), line.data() + line.size(), pointer.size);
    hasSize = read.ec == std::errc{} && read.ptr == line.data() + line.size();
  }
  if (!hasSize || !isHexadecimal(pointer.oid, 64)) return std::nullopt;
  return pointer;
}

void downloadLfs(const HttpAccess &access, const std::vector<LfsPointer> &wanted,
                 remote::Operation &operation,
                 const std::function<void(std::size_t which, const LfsAnswer &answer)> &tell) {
  web::Connections connections;
  for (std::size_t begin = 0; begin < wanted.size(); begin += maxBatchObjects) {
    const std::size_t end = std::min(begin + maxBatchObjects, wanted.size());
    const nlohmann::json answer = askBatch(connections, access, operation,
                                           {wanted.begin() + static_cast<std::ptrdiff_t>(begin),
                                            wanted.begin() + static_cast<std::ptrdiff_t>(end)});
    std::map<std::string, nlohmann::json> offered;
    for (const nlohmann::json &object : answer["objects"])
      if (object.is_object() && object.contains("oid") && object["oid"].is_string())
        offered.emplace(object["oid"].get<std::string>(), object);
    for (std::size_t i = begin; i < end; ++i) {
      LfsAnswer one;
      try {
        one.bytes = fetchOne(connections, access, operation, offered[wanted[i].oid], wanted[i]);
      } catch (const BusyServerError &) {
        throw;
      } catch (const NoLfsFileError &error) {
        one = {{}, error.what(), true};
      } catch (const remote::RemoteError &error) {
        one.why = error.what();
      } catch (const nlohmann::json::exception &) { // a value of a type that the API does not have
        one.why = "the server of Git LFS answers what cannot be read";
      }
      tell(i, one);
    }
  }
}

} // namespace skillhost::github

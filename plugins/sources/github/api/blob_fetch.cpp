// SPDX-License-Identifier: Apache-2.0
#include "blob_fetch.hpp"

#include "archive/tar_stream.hpp"
#include "ground/base64.hpp"
#include "ground/time_reading.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace skillhost::github {
namespace {

constexpr std::uint64_t maxRatio = 500; // a repeated single line of text reaches about 100
// Size of an archive that is fetched however little of it is needed.
constexpr std::uint64_t cheapBytes = std::uint64_t{32} << 20U;
constexpr std::uint64_t maxArchiveOverhead = 16; // bytes of an archive for each needed byte
constexpr std::size_t maxEntries = 10'000'000;
constexpr std::uint64_t wrapping = 4'096; // bytes of JSON around a blob

// Decodes the JSON with lines of base64 that a server without raw answers sends.
std::string unwrapped(const std::string &body) {
  const nlohmann::json read = nlohmann::json::parse(body, nullptr, false);
  if (!read.is_object() || read.value("encoding", "") != "base64") return {};
  std::string text = read.value("content", "");
  std::erase(text, '\n');
  const std::optional<std::size_t> size = decodeBase64(text, text.data());
  text.resize(size.value_or(0));
  return text;
}

} // namespace

BlobFetch::BlobFetch(ApiClient &client, const Budget &budget, ObjectWriter &writer,
                     const BlobFetchRules &wanted, std::set<std::string> keepable)
    : client_(client), budget_(budget), writer_(writer), wanted_(wanted),
      keepable_(std::move(keepable)) {}

void BlobFetch::fetch(std::set<std::string> missing) {
  try {
    if (isForArchive(missing)) fetchArchive(missing);
    // An archive omits some files (export-ignore) and changes others (export-subst), so these are
    // fetched one by one.
    for (const std::string &blob : missing) fetchOne(blob);
  } catch (const remote::RemoteError &) {
    writer_.flush(); // the next refresh continues from here
    throw;
  }
  writer_.flush();
}

bool BlobFetch::isForArchive(const std::set<std::string> &missing) const {
  const FetchedTrees &trees = wanted_.trees;
  if (hadArchive_ || (trees.isWhole && trees.bytes > wanted_.maxUnpackedBytes)) return false;
  const std::int64_t left = budget_.remaining(secondsNow());
  if (left >= 0 && missing.size() > static_cast<std::size_t>(left)) return true;
  // An archive must be read completely, so it is not used if nearly all of it is unneeded.
  std::uint64_t bytes = 0;
  for (const std::string &blob : missing)
    if (const auto size = trees.sizes.find(blob); size != trees.sizes.end()) bytes += size->second;
  return missing.size() > maxSingleFetches && trees.isWhole &&
         trees.bytes <= std::max(cheapBytes, maxArchiveOverhead * bytes);
}

void BlobFetch::fetchArchive(std::set<std::string> &missing) {
  hadArchive_ = true;
  const archive::StreamLimits limits{maxEntries,
                                     wanted_.maxUnpackedBytes + wanted_.maxUnpackedBytes / 4,
                                     maxRatio, wanted_.maxBytes};
  const auto take = [&](std::string_view bytes) {
    const std::string id = idOf(ObjectKind::blob, bytes);
    if (keepable_.erase(id) == 0 && !missing.contains(id)) return;
    writer_.add(ObjectKind::blob, id, bytes);
    missing.erase(id);
  };
  try {
    client_.stream({"/tarball/" + wanted_.commit, "application/vnd.github+json"},
                   [&](const auto &part) { archive::readTarStream(part, limits, take); });
  } catch (const skh::Error &) {
    throw;
  } catch (const std::runtime_error &error) {
    throw remote::RemoteError("the archive of commit " + wanted_.commit + ": " + error.what());
  }
}

void BlobFetch::fetchOne(const std::string &blob) {
  const auto listed = wanted_.trees.sizes.find(blob);
  const std::uint64_t size =
      listed == wanted_.trees.sizes.end() ? wanted_.maxBytes : listed->second;
  const ApiAnswer answer = client_.get(
      {"/git/blobs/" + blob, "application/vnd.github.raw+json", "", size + size / 2 + wrapping});
  if (answer.status != 200)
    throw remote::RemoteError("the API answers " + std::to_string(answer.status) + " for blob " +
                              blob + ", which it lists");
  if (!writer_.add(ObjectKind::blob, blob, answer.body) &&
      !writer_.add(ObjectKind::blob, blob, unwrapped(answer.body)))
    throw remote::RemoteError("what the API gives as blob " + blob + " are other bytes");
}

} // namespace skillhost::github

// SPDX-License-Identifier: Apache-2.0
#include "marketplace_stores.hpp"

#include "files/whole_file.hpp"
#include "git/object_writer.hpp"
#include "ground/folder.hpp"
#include "ground/hexadecimal.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace skillhost::github {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view storeEnd = ".git";

bool isNameOfStore(std::string_view name) {
  if (!name.ends_with(storeEnd)) return false;
  name.remove_suffix(storeEnd.size());
  return isHexadecimal(name, 40);
}

} // namespace

// The folder is named after a digest and not after a name that strangers chose.
std::string MarketplaceStores::folderOf(const std::string &url) const {
  return folder_ + "/" + idOf(ObjectKind::blob, url) + std::string(storeEnd);
}

std::shared_ptr<ObjectStore> MarketplaceStores::at(const std::string &url) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<ObjectStore> &store = open_[url];
  if (store) return store;
  std::error_code error;
  fs::create_directories(folder_, error);
  auto opened = std::make_shared<ObjectStore>(folderOf(url));
  opened->open();
  return store = std::move(opened);
}

bool MarketplaceStores::has(const std::string &url) const {
  std::error_code error;
  const std::vector<std::string> names = namesIn(folderOf(url) + "/objects/pack", error);
  return std::any_of(names.begin(), names.end(),
                     [](const std::string &name) { return name.ends_with(".pack"); });
}

void MarketplaceStores::discard(const std::string &url) {
  const std::lock_guard lock(mutex_);
  open_.erase(url);
  std::error_code ignored; // what cannot be removed is found to be damaged again
  fs::remove_all(folderOf(url), ignored);
}

void MarketplaceStores::retain(const std::set<std::string> &urls) const {
  if (!files::isOwnFolder(folder_)) return;
  std::set<fs::path> wanted;
  for (const std::string &url : urls) wanted.insert(folderOf(url));
  std::error_code error;
  std::vector<fs::path> others;
  for (const std::string &name : namesIn(folder_, error))
    if (const fs::path path = folder_ + '/' + name; isNameOfStore(name) && !wanted.contains(path))
      others.push_back(path);
  for (const fs::path &one : others) fs::remove_all(one, error);
}

} // namespace skillhost::github

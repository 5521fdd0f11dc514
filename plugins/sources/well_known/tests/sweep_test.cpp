// SPDX-License-Identifier: Apache-2.0
// Tests which files a source removes from its cache.
#include "catch2.hpp"
#include "objects/object_folder.hpp"
#include "temporary_folder.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

namespace fs = std::filesystem;

namespace {

void leaveOld(const std::string &file) {
  std::ofstream(file) << "x";
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(25));
}

} // namespace

TEST_CASE("files that nobody names are removed, but not where a link leads to") {
  const TemporaryFolder folder;
  const std::string path = folder.path(), inside = path + "/objects", outside = path + "/elsewhere";
  skh_host lent{};
  lent.size = sizeof lent;
  lent.cache_dir = skh::borrow(path);
  const skillhost::objects::ObjectFolder cache{skh::Host(&lent)};
  leaveOld(inside + "/kept");
  leaveOld(inside + "/old");
  cache.sweep({"kept"});
  CHECK(fs::exists(inside + "/kept"));
  CHECK_FALSE(fs::exists(inside + "/old"));
  fs::rename(inside, outside);
  fs::create_directory_symlink(outside, inside);
  cache.sweep({});
  CHECK(fs::exists(outside + "/kept"));
}

// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "embedding/installed_models.hpp"
#include "temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace skillhost::embedding;

using Places = std::vector<std::string>;

TEST_CASE("models are looked for with the user, the program and the machine") {
  const Places machine{"/usr/local/share/skillhost/models", "/usr/share/skillhost/models"};
  const auto with = [&machine](Places first) {
    first.insert(first.end(), machine.begin(), machine.end());
    return first;
  };
  CHECK(modelPlaces({}) == machine);
  CHECK(modelPlaces({"/data", "/home/me", "/opt/s/bin/skillhost"}) ==
        with({"/data/skillhost/models", "/opt/s/share/skillhost/models"}));
  // A relative XDG_DATA_HOME counts as unset, as the specification has it.
  CHECK(modelPlaces({"data", "/home/me", ""}) == with({"/home/me/.local/share/skillhost/models"}));
  CHECK(modelPlaces({"", "me", "skillhost"}) == machine);
  CHECK(ownModels({"", "/home/me", ""}) == "/home/me/.local/share/skillhost/models");
  CHECK(ownModels({"data", "me", ""}).empty());
}

TEST_CASE("every program of an installation looks beside the same prefix") {
  const auto first = [](const std::string &program) { return modelPlaces({"", "", program})[0]; };
  CHECK(first("/opt/s/bin/skillhost") == "/opt/s/share/skillhost/models");
  CHECK(first("/opt/s/" SKILLHOST_LIBEXECDIR "/skillhost/skillhost-catalogue") ==
        "/opt/s/share/skillhost/models");
  CHECK(first("/opt/s/" SKILLHOST_LIBEXECDIR "/skillhost/skillhost-runner") ==
        "/opt/s/share/skillhost/models");
  // Packages for the whole machine have a place that is searched only once.
  CHECK(modelPlaces({"", "", "/usr/bin/skillhost"}) ==
        Places{"/usr/share/skillhost/models", "/usr/local/share/skillhost/models"});
}

TEST_CASE("a package of npm is found wherever npm puts the program") {
  const auto has = [](const std::string &program, const std::string &place) {
    const Places places = modelPlaces({"", "", program});
    return std::find(places.begin(), places.end(), place) != places.end();
  };
  const std::string flat = "/p/node_modules/";
  CHECK(
      has(flat + "skillhost-mcp-linux-x64/bin/skillhost", flat + "skillhost-model-minilm/models"));
  const std::string global = "/usr/lib/node_modules/";
  CHECK(has(global + "skillhost-mcp/node_modules/skillhost-mcp-linux-x64/bin/skillhost",
            global + "skillhost-model-minilm/models"));
  CHECK(!has("/p/modules/skillhost-mcp-linux-x64/bin/skillhost",
             "/p/modules/skillhost-model-minilm/models"));
}

TEST_CASE("the first folder of the first place is the model to use") {
  const TemporaryFolder folder;
  const std::string first = folder.path() + "/first", second = folder.path() + "/second",
                    none = folder.path() + "/none";
  CHECK(installedModels({none}).folders.empty());
  CHECK(installedModels({none}).problems.empty());
  for (const char *name : {"/bge", "/all-MiniLM", "/.all-MiniLM.fetch-1"})
    std::filesystem::create_directories(second + name);
  std::filesystem::create_directories(first);
  std::ofstream(first + "/README") << "no folder";
  CHECK(installedModels({none, first, second}).folders ==
        Places{second + "/all-MiniLM", second + "/bge"});
  std::filesystem::create_directories(first + "/mine");
  CHECK(installedModels({first, second}).folders.front() == first + "/mine");
  const InstalledModels broken = installedModels({first + "/README", second});
  CHECK(broken.folders.size() == 2);
  REQUIRE(broken.problems.size() == 1);
  CHECK(broken.problems[0].starts_with(first + "/README: "));
  // A place below a file is in the way of the models, too.
  CHECK(installedModels({first + "/README/models"}).problems.size() == 1);
}

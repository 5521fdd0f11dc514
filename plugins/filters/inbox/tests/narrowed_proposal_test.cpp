// SPDX-License-Identifier: Apache-2.0
// Tests what a proposer is shown of the skill that the proposal changes.
#include "catch2.hpp"
#include "inbox/inbox.hpp"

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace skillhost;
using namespace skillhost::inbox;

namespace {

CatalogueEntry entryOf(const std::string &source, const std::string &path,
                       std::vector<std::string> files = {"SKILL.md"}) {
  auto skill = std::make_shared<Skill>();
  skill->source = source;
  skill->path = path;
  skill->id = source + '/' + path;
  skill->filePaths = std::move(files);
  return {skill, path, true};
}

ProposalContent contentOf(State state, bool sawSkill) {
  ProposalContent content;
  content.proposal.name = "ops";
  content.proposal.state = state;
  content.proposal.sawSkill = sawSkill;
  content.files = {{"SKILL.md", {"new"}}};
  content.before = Files{{"SKILL.md", {"old"}},
                         {"excluded/plan.md", {"hidden plan"}},
                         {"link.md", {"link to /srv/team/private", false, true}},
                         {"other.md", {"link to /etc/passwd", false, true}}};
  content.base = digestOf(*content.before);
  content.obstacle = "in the folder ops are skills of their own: hidden";
  return content;
}

} // namespace

TEST_CASE("a proposer sees of the present skill what the catalogue has, and no target of a link") {
  const CatalogueEntry entry = entryOf("team", "ops", {"SKILL.md", "link.md"});
  ProposalContent content = contentOf(State::Pending, false);
  narrowTo(content, &entry);
  REQUIRE(content.before);
  CHECK(content.before->size() == 2);
  CHECK(content.before->at("SKILL.md").bytes == "old");
  CHECK(content.before->at("link.md").bytes == "a link");
  CHECK(content.base == digestOf(*content.before));
  CHECK(content.obstacle.empty());
}

TEST_CASE("a proposer learns nothing of a hidden skill, also after the approval that replaced it") {
  const CatalogueEntry entry = entryOf("team", "ops");
  for (const auto &[state, sawSkill, isServed] :
       {std::tuple{State::Pending, true, false}, std::tuple{State::Approved, false, true},
        std::tuple{State::Approved, true, false}}) {
    ProposalContent content = contentOf(state, sawSkill);
    content.isOutdated = content.isUnreadable = true;
    narrowTo(content, isServed ? &entry : nullptr);
    CHECK_FALSE(content.before);
    CHECK(content.base.empty());
    CHECK(content.obstacle.empty());
    CHECK_FALSE(content.isOutdated);
    CHECK_FALSE(content.isUnreadable);
  }
  ProposalContent content = contentOf(State::Approved, true);
  narrowTo(content, &entry);
  CHECK(content.before);
}

TEST_CASE("skills in the folder of a proposed one are found as far as the catalogue shows them") {
  InboxSettings settings;
  settings.source = "team";
  settings.prefix = "skills/";
  const Catalogue catalogue(1,
                            {entryOf("team", "skills/group"), entryOf("team", "skills/group/a"),
                             entryOf("team", "skills/group/b/c"), entryOf("team", "skills/groups"),
                             entryOf("hub", "skills/group/d")},
                            {}, {});
  CHECK(skillsInside(settings, catalogue, "group") == std::vector<std::string>{"a", "b/c"});
  CHECK(skillsInside(settings, catalogue, "a").empty());
}

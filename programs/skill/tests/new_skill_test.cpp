// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "made_up.hpp"
#include "new_skill.hpp"

using namespace made_up;

TEST_CASE("a new skill takes nobody's place") {
  const Machine machine;
  const NewSkillInvocation wanted{"pdf-forms", machine.folder + "/skills", ""};
  const Result<std::string> made = makeSkill(wanted);
  REQUIRE(made);
  CHECK(*made == machine.folder + "/skills/pdf-forms/SKILL.md");
  CHECK(makeSkill(wanted).failure().fault == Fault::AlreadyExists);
  CHECK(!makeSkill({"Pdf Forms", machine.folder, ""}));
  CHECK(!std::filesystem::exists(machine.folder + "/Pdf Forms"));
  CHECK(makeSkill({"odd", machine.folder, "Says \"hi\": # and more. Use it when asked."}));
}

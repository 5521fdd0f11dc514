// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "rpc/uri_template.hpp"

#include <string>

using namespace skillhost;

TEST_CASE("a URI fits the template it was made from") {
  CHECK(fitsTemplate("test://template/{id}/data", "test://template/123/data"));
  CHECK_FALSE(fitsTemplate("test://template/{id}/data", "test://template//data"));
  CHECK_FALSE(fitsTemplate("test://template/{id}/data", "test://template/1/2/data"));
  CHECK(fitsTemplate("f:///{+path}", "f:///a/b"));
  CHECK(fitsTemplate("f:///a{?q}", "f:///a"));
  CHECK(fitsTemplate("x:{a}{b}", "x:12"));
  CHECK_FALSE(fitsTemplate("x:y", "x:yz"));
  // A template with many expressions is not slow either.
  std::string many = "x:";
  for (int i = 0; i < 100; ++i) many += "{+a}b";
  CHECK_FALSE(fitsTemplate(many, "x:" + std::string(2000, 'a')));
}

// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "configured.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost;

TEST_CASE("header fields for a collector are read as OpenTelemetry has them") {
  using Fields = std::vector<std::pair<std::string, std::string>>;
  CHECK(app::collectorHeaders("").empty());
  CHECK(app::collectorHeaders("Authorization=Bearer abc=,X-Team=skills") ==
        Fields{{"Authorization", "Bearer abc="}, {"X-Team", "skills"}});
  CHECK(app::collectorHeaders("a=Basic%20dXNlcg%3D%3d , b = 1%2C2%25+3 ") ==
        Fields{{"a", "Basic dXNlcg=="}, {"b", "1,2%+3"}});
}

TEST_CASE("header fields for a collector that are none say which, and no value") {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"a=1,s3cret", "header 2 is not a header"},
      {"=s3cret", "header 1 is not a header"},
      {"a=", "header 1 is not a header"},
      {"a b=s3cret", "header 1 is not a header"},
      {"a=1,b=2,c=s3cret%2", "header 3: two hexadecimal digits have to follow %"},
      {"a=s3cret%zz", "header 1: two hexadecimal digits have to follow %"},
      {"a=100%", "header 1: two hexadecimal digits have to follow %"},
      {"a=s3cret%0D%0AX-Other: 1", "header 1 has a control character"},
      {"a=%00", "header 1 has a control character"},
      {"a=1,,b=2", "header 2 is not a header"},
  };
  for (const auto &[text, words] : rows) {
    INFO(text);
    std::string why;
    try {
      app::collectorHeaders(text);
    } catch (const std::runtime_error &error) {
      why = error.what();
    }
    CHECK(why.starts_with("telemetry.otlp_headers: " + words));
    CHECK(why.find("s3cret") == std::string::npos);
  }
}

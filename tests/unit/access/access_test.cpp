// SPDX-License-Identifier: Apache-2.0
// Tests that the access layer is made only after its provider has said that it can do its work.
#include "access/access.hpp"

#include "catch2.hpp"

#include <memory>
#include <string>
#include <utility>

using namespace skillhost;

namespace {

// A provider that answers at once.
class Provider final : public AuthProvider {
public:
  Provider(Result<Done> checked, Result<std::string> described)
      : checked_(std::move(checked)), described_(std::move(described)) {}
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()>) override {}
  void stop() override { isStopped = true; }
  void check(CallOptions, ResultCallback<Done> answer) override { answer(checked_); }
  void validate(CallOptions, AuthCredential, ResultCallback<AuthPrincipal> answer) override {
    answer(Failure{Fault::Unauthenticated, "nobody is known"});
  }
  void describe(CallOptions, std::size_t, ResultCallback<std::string> answer) override {
    answer(described_);
  }
  bool isStopped = false;

private:
  const std::string name_ = "provider";
  const Result<Done> checked_;
  const Result<std::string> described_;
};

// Returns the message for the operator; empty if the access layer is made.
std::string refusal(const std::shared_ptr<Provider> &provider) {
  try {
    const Access access({}, provider);
    return {};
  } catch (const ProviderRefused &why) {
    return why.what();
  }
}

} // namespace

TEST_CASE("the access layer is not made if its provider cannot do its work") {
  const auto provider = std::make_shared<Provider>(
      Failure{Fault::Unavailable, "the issuer is away"}, std::string("{}"));
  CHECK(refusal(provider) == "the authorization provider: the issuer is away");
  CHECK(provider->isStopped);
}

TEST_CASE("the access layer is not made without the metadata of its provider") {
  CHECK(refusal(std::make_shared<Provider>(Done{}, Failure{Fault::Internal, "no words"})) ==
        "the authorization provider: no words");
  CHECK(
      refusal(std::make_shared<Provider>(Done{}, std::string("[]"))).find("provider: describe: ") !=
      std::string::npos);
}

TEST_CASE("the access layer has the metadata of its provider as soon as it is made") {
  AccessSettings settings;
  settings.resource = "https://skills.example/mcp";
  const Access access(
      settings, std::make_shared<Provider>(
                    Done{}, std::string(R"({"authorization_servers":["https://a.example"]})")));
  const Result<std::string> metadata = access.metadata(settings.resource);
  REQUIRE(metadata);
  CHECK(metadata->find("https://a.example") != std::string::npos);
}

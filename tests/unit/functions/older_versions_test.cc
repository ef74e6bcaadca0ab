// Functions that older versions of the standard library define in another way, without a catalog:
// which files have them, and what they refuse. The catalogs themselves are compared with the
// reference's by ./dev oracle modern.
#include <doctest/doctest.h>

#include <string>

#include "evaluation/evaluator.h"
#include "functions/stdlib/digests.h"
#include "functions/stdlib/families.h"
#include "syntax/parser.h"

using namespace bunraku;

namespace {

class OlderLoader : public FunctionLoader {
 public:
  explicit OlderLoader(size_t version)
      : function_(native_function(stdlib::older_functions(version)[0])) {}
  const Function* find_function(Name, const Place&) override { return &function_; }

 private:
  const Function& function_;
};

std::string refusal(size_t version, std::string_view code) {
  DiagnosticList diagnostics;
  auto program = parse(std::make_shared<const SourceFile>("", std::string(code)), {}, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  Arena arena;
  OlderLoader loader(version);
  Host host;
  host.functions = &loader;
  Evaluator evaluator(arena, host);
  try {
    evaluator.evaluate_program(*program, evaluator.top_scope());
  } catch (const EvaluationError& error) {
    return root_cause(error.diagnostic()).message();
  }
  return "";
}

}  // namespace

TEST_CASE("files of older versions") {
  using stdlib::older_version;
  CHECK(older_version("ensure_packages",
                      "7fb418cae068f2dd24407a50c79e5aca4165ad2530914e1a133a72c390f7bbaf") == 1);
  CHECK(older_version("ensure_packages",
                      "8e8aee3336a67c0a95bd6b7404baef06121e452eb3340f99a5964f641098d221") == 2);
  CHECK(older_version("ensure_packages",
                      "9c6aa9cc191268cf4a45cceef591e8d8f782037de3d7973f3cb97ba14bf94475") == 3);
  CHECK(older_version("ensure_resource",
                      "9c6aa9cc191268cf4a45cceef591e8d8f782037de3d7973f3cb97ba14bf94475") ==
        std::nullopt);
  CHECK(older_version("ensure_packages", "") == std::nullopt);
}

TEST_CASE("what ensure_packages of older versions refuses") {
  for (const size_t version : {0, 1, 2}) {
    CAPTURE(version);
    CHECK(refusal(version, "ensure_packages()") ==
          "ensure_packages(): Wrong number of arguments given (0 for 1 or 2)");
    CHECK(refusal(version, "ensure_packages('a', {}, {})") ==
          "ensure_packages(): Wrong number of arguments given (3 for 1 or 2)");
    CHECK(refusal(version, "ensure_packages('a', 'b')") ==
          "ensure_packages(): Requires second argument to be a Hash");
    CHECK(refusal(version, "ensure_packages('')") ==
          "ensure_packages(): Empty String provided for package name");
    CHECK(refusal(version, "ensure_packages([1])") == "undefined method `empty?' for 1:Integer");
    CHECK(refusal(version, "ensure_packages([undef])") ==
          "undefined method `empty?' for nil:NilClass");
    CHECK(refusal(version, "ensure_packages(undef)") ==
          "ensure_packages(): Empty String provided for package name");
    CHECK(refusal(version, "ensure_packages([])").empty());
    CHECK(refusal(version, "ensure_packages({})").empty());
  }
  CHECK(refusal(3, "ensure_packages('')") != "");
  CHECK(refusal(3, "ensure_packages({})").empty());
}

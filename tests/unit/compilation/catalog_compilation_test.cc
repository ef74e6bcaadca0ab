#include "compilation/catalog_compilation.h"

#include <doctest/doctest.h>

#include <thread>

using namespace bunraku;
using namespace bunraku::compilation;

namespace {

Service service_of(std::string code) {
  Sources sources;
  sources.code = std::move(code);
  return {Settings({{{"basemodulepath", "/usr/share/puppet/modules"}}, "server"}),
          {},
          std::move(sources)};
}

CatalogRequest request_for(std::string_view node) {
  CatalogRequest request;
  request.node.name = node;
  return request;
}

}  // namespace

TEST_CASE("A catalog is asked for with facts, trusted data and a classification") {
  Service service = service_of(
      "notice($facts['role']) notify { \"${trusted['certname']} ${place} ${environment}\": }");
  const Document facts{R"({"role": "web"})", "facts.json"};
  CatalogRequest request = request_for("web01");
  request.node.facts = document_facts(facts);
  request.node.trusted = [](Arena& arena) {
    HashBuilder hash(arena);
    hash.set("certname", Value::string("web01.example.com"));
    return hash.finish();
  };
  request.node.classification = [](Arena& arena) {
    HashBuilder parameters(arena), hash(arena);
    parameters.set("place", Value::string("rack 7"));
    hash.set("parameters", parameters.finish());
    return hash.finish();
  };
  request.form.uuid = "1234";
  // On a thread with a small stack, as a server has.
  CatalogAnswer answer;
  std::thread([&] { answer = compile_catalog(service, request); }).join();
  REQUIRE(!answer.failure);
  CHECK(answer.environment == "production");
  CHECK(answer.json.find(R"("title":"web01.example.com rack 7 production")") != std::string::npos);
  CHECK(answer.json.find(R"("catalog_uuid":"1234")") != std::string::npos);
  REQUIRE(answer.log.size() == 1);
  CHECK(answer.log[0].message == "web");
  CHECK(answer.log[0].source == "Scope(Class[main])");
}

TEST_CASE("What fails is answered with its diagnostic and the reference's words") {
  Service service = service_of("fail('no')");
  const CatalogAnswer answer = compile_catalog(service, request_for("web01"));
  REQUIRE(answer.failure);
  CHECK(answer.json.empty());
  CHECK(answer.failure->kind == ErrorKind::kEvaluation);
  CHECK(answer.failure->message ==
        "Evaluation Error: Error while evaluating a Function Call, no (line: 1, column: 1) on node "
        "web01");
  REQUIRE(answer.failure->diagnostic);
  CHECK(answer.failure->diagnostic->primary.file != nullptr);

  Service broken = service_of("notify { ");
  const CatalogAnswer syntax = compile_catalog(broken, request_for("web01"));
  REQUIRE(syntax.failure);
  CHECK(syntax.failure->kind == ErrorKind::kSyntax);
  CHECK(syntax.failure->message.starts_with("Could not parse for environment production: "));
}

TEST_CASE("An environment that is not there is a failure of its request alone") {
  Service service(Settings({{{"environmentpath", "/nonexistent"}}, "server"}), {}, {});
  const CatalogAnswer answer = compile_catalog(service, request_for("web01"));
  REQUIRE(answer.failure);
  CHECK(answer.environment.empty());
  CHECK(answer.failure->message.find("production") != std::string::npos);
}

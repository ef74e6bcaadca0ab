#include "catalog/document/catalog_document.h"

#include <doctest/doctest.h>

#include "catalog/document/catalog_relations.h"

using namespace bunraku;

namespace {

constexpr std::string_view kText =
    R"({"tags":["settings"],"name":"web01","version":17,"code_id":null,"catalog_uuid":"u",)"
    R"("catalog_format":2,"environment":"production","resources":[)"
    R"({"type":"Class","title":"Main","tags":["class"],"kind":"class","exported":false},)"
    R"({"type":"File","title":"/a","tags":["file"],"file":"/site.pp","line":3,"exported":false,)"
    R"("kind":"compilable_type","virtual":true,"parameters":{"mode":"0644","before":["File[/b]"],)"
    R"("content":{"__ptype":"Sensitive","__pvalue":"x"}},"sensitive_parameters":["mode"]}],)"
    R"("edges":[{"source":"Class[Main]","target":"File[/a]"}],"classes":["settings"],)"
    R"("metadata":{"/a":{"path":"/x"}}})";

}  // namespace

TEST_CASE("A catalog that is read is written as it was") {
  const CatalogDocument catalog(kText, "catalog.json");
  std::string text;
  JsonWriter json(text);
  write_catalog(json, catalog);
  CHECK(text == kText);
  REQUIRE(catalog.resources.size() == 2);
  const DocumentResource& file = catalog.resources[1];
  CHECK(file.reference == "File[/a]");
  CHECK(file.is_virtual);
  CHECK(file.line == 3);
  CHECK(file.find("mode")->is_sensitive);
  CHECK(file.find("content")->is_sensitive);
  CHECK(file.find("before")->is_relationship());
  CHECK(!file.find("before")->is_sensitive);
}

TEST_CASE("Relations of a catalog are worked out of its edges and parameters") {
  const CatalogDocument catalog(kText, "catalog.json");
  const CatalogRelations relations(catalog);
  REQUIRE(relations.relationships().size() == 1);
  CHECK(relations.relationships()[0].source == "File[/a]");
  CHECK(relations.relationships()[0].target == "File[/b]");
  CHECK(relations.containment().size() == 1);
  CHECK(relations.find("Class[Main]") == catalog.resources.data());
  CHECK(relations.find("File[/b]") == nullptr);
  CHECK(relations.find_cycle().empty());
}

TEST_CASE("What is no catalog is refused") {
  CHECK_THROWS_WITH_AS(CatalogDocument("[]", "x.json"), "x.json is no catalog: it is not an object",
                       DataError);
}

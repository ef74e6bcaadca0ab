// Input: any bytes as a catalog document from a file, a server or a cache. It is read, written,
// drawn, compared and prepared for application.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "apply/providers/registry.h"
#include "apply/transaction/catalog.h"
#include "apply/transaction/relationship_graph.h"
#include "base/diagnostics/log.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "catalog/difference/catalog_difference.h"
#include "catalog/difference/catalog_graph.h"
#include "catalog/document/catalog_document.h"
#include "catalog/document/catalog_relations.h"
#include "serialization/serialization.h"

using namespace bunraku;

namespace {

class NoSources final : public apply::FileSources {
 public:
  std::optional<apply::SourceMetadata> find(const std::string&,
                                            const apply::SourceQuery&) override {
    return std::nullopt;
  }
  std::optional<std::vector<apply::SourceMetadata>> list(const std::string&,
                                                         const apply::SourceQuery&) override {
    return std::nullopt;
  }
  void read(const apply::SourceMetadata&, const std::function<void(std::string_view)>&) override {}
};

std::string written(const CatalogDocument& catalog) {
  std::string text;
  JsonWriter json(text);
  write_catalog(json, catalog);
  return text;
}

// A document that is written and read again must be the same catalog.
void read_document(std::string_view bytes) {
  try {
    const CatalogDocument catalog(bytes, "fuzz.json");
    const std::string text = written(catalog);
    const CatalogDocument again(text, "again.json");
    if (written(again) != text) std::abort();
    CatalogRelations(catalog).find_cycle();
    catalog_dot(catalog);
    catalog_graph_page(catalog, {});
    compare_catalogs(catalog, again, {});
    compare_catalogs(catalog, CatalogDocument(), {});
  } catch (const DataError&) {
  }
}

void read_values(std::string_view bytes) {
  Arena arena;
  try {
    const Value value = read_rich_data_json(arena, bytes, "fuzz.json", nullptr);
    std::string text;
    JsonWriter json(text);
    write_rich_data(json, value, true, TypeForm::kPcore);
  } catch (const EvaluationError&) {
  } catch (const DataError&) {
  }
}

void prepare(std::string_view bytes) {
  LogKeeper lines;
  apply::RunLog log(lines);
  NoSources sources;
  const apply::RunOptions options;
  const std::unique_ptr<apply::Host> host = apply::make_host({});
  apply::Context context{options, *host, sources, log, apply::native_types_registry()};
  apply::Catalog catalog(context);
  try {
    catalog.read(CatalogDocument(bytes, "fuzz.json"));
    catalog.finalize();
  } catch (const apply::Failure&) {
  } catch (const DataError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_document(bytes);
  read_values(bytes);
  prepare(bytes);
  return 0;
}

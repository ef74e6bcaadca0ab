// Queries a store for facts of nodes.
#include "cli/frame/stored_facts.h"

#include "base/diagnostics/diagnostic.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "store/query/answer.h"

namespace bunraku {
namespace {

void begin_list(JsonWriter& json, std::initializer_list<std::string_view> words) {
  json.begin_array();
  for (const std::string_view word : words) json.string(word);
}

}  // namespace

std::string store_url(const std::string& given, const Settings& settings) {
  return given.empty() ? "sqlite:" + join_path(settings.text("vardir"), "store/store.db") : given;
}

std::string facts_query(const std::vector<std::string>& nodes) {
  std::string text;
  JsonWriter json(text);
  begin_list(json, {"from", "inventory"});
  begin_list(json, {"extract"});
  begin_list(json, {"certname", "facts"});
  json.end_array();
  if (!nodes.empty()) {
    begin_list(json, {"in", "certname"});
    begin_list(json, {"array"});
    json.begin_array();
    for (const std::string& node : nodes) json.string(node);
    json.end_array();
    json.end_array();
    json.end_array();
  }
  json.end_array();
  json.end_array();
  return text;
}

std::vector<StoredNode> read_stored_nodes(std::string_view answer) {
  Arena arena;
  const DataNode rows = read_json(answer, arena);
  if (!rows.is(DataKind::kArray)) throw DataError("The answer is no list of nodes");
  std::vector<StoredNode> nodes;
  for (const DataNode& row : rows.items()) {
    const bool is_hash = row.is(DataKind::kHash);
    const DataNode* name = is_hash ? row.find("certname") : nullptr;
    const DataNode* facts = is_hash ? row.find("facts") : nullptr;
    if (name == nullptr || facts == nullptr || !name->is(DataKind::kString)) {
      throw DataError("A row of the answer is no node with its facts");
    }
    StoredNode& node = nodes.emplace_back();
    node.name = name->text_value();
    JsonWriter(node.facts, JsonForm::kPretty).data(*facts);
    node.facts += "\n";
  }
  return nodes;
}

std::vector<StoredNode> stored_nodes(const std::string& url,
                                     const std::vector<std::string>& nodes) {
  store::Store store(url, {true, false});
  return read_stored_nodes(
      store::answer_query(store, store::compile_text_query(facts_query(nodes))).json);
}

std::optional<std::string> stored_facts(const std::string& given, const Settings& settings,
                                        const std::string& node) {
  const std::string url = store_url(given, settings);
  if (given.empty() && !is_file(url.substr(url.find(':') + 1))) return std::nullopt;
  try {
    std::vector<StoredNode> nodes = stored_nodes(url, {node});
    if (nodes.empty()) return std::nullopt;
    return std::move(nodes.front().facts);
  } catch (const store::StoreError& error) {
    throw EvaluationError(make_diagnostic(Issue::kInvalidNodeList, Range{}, {error.what()}),
                          ErrorKind::kError);
  }
}

}  // namespace bunraku

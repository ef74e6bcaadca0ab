// `query`: queries data of nodes, in PQL or the query API's AST.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/text/utf8.h"
#include "cli/commands/commands.h"
#include "cli/frame/session.h"
#include "cli/frame/stored_facts.h"
#include "store/query/answer.h"
#include "store/query/fields.h"

namespace bunraku {
namespace {

struct QueryOptions {
  std::string query;
};

std::string cell_text(const DataNode& value) {
  return value.is(DataKind::kNull) ? std::string() : store::plain_text(value);
}

std::string csv_cell(std::string text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// The columns of the first row, which all rows have.
std::vector<std::string> columns_of(std::span<const DataNode> rows) {
  std::vector<std::string> columns;
  if (rows.empty()) return columns;
  for (const DataEntry& entry : rows[0].entries()) columns.emplace_back(entry.key.text_value());
  return columns;
}

std::string as_csv(std::span<const DataNode> rows, const std::vector<std::string>& columns) {
  std::string text;
  for (size_t i = 0; i < columns.size(); ++i) text += (i == 0 ? "" : ",") + csv_cell(columns[i]);
  if (!columns.empty()) text += "\n";
  for (const DataNode& row : rows) {
    bool is_first = true;
    for (const DataEntry& entry : row.entries()) {
      text += (is_first ? "" : ",") + csv_cell(cell_text(entry.value));
      is_first = false;
    }
    text += "\n";
  }
  return text;
}

std::string on_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string as_table(std::span<const DataNode> rows, const std::vector<std::string>& columns) {
  std::vector<std::vector<std::string>> cells{columns};
  for (const DataNode& row : rows) {
    std::vector<std::string>& line = cells.emplace_back();
    for (const DataEntry& entry : row.entries()) {
      line.push_back(on_one_line(cell_text(entry.value)));
    }
  }
  std::vector<size_t> widths(columns.size());
  for (const auto& line : cells) {
    for (size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], character_count(line[i]));
    }
  }
  std::string text;
  for (const auto& line : cells) {
    std::string shown;
    for (size_t i = 0; i < line.size(); ++i) {
      if (i > 0) shown += "  ";
      shown += line[i];
      if (i + 1 < line.size()) shown.append(widths[i] - character_count(line[i]), ' ');
    }
    while (shown.ends_with(' ')) shown.pop_back();
    text += shown + "\n";
  }
  return columns.empty() ? std::string() : text;
}

int ask(const QueryOptions& options, Session& session) {
  const Settings settings = session.load_settings("server");
  try {
    store::Store store(store_url(session.options().store, settings), {true, false});
    const store::Answer answer =
        store::answer_query(store, store::compile_text_query(options.query));
    Arena arena;
    const DataNode rows = read_json(answer.json, arena);
    const std::string_view format = session.format_or("table");
    if (format == "json") {
      std::string text;
      JsonWriter(text, JsonForm::kPretty).data(rows);
      session.print(text + "\n");
    } else {
      const std::vector<std::string> columns = columns_of(rows.items());
      session.print(format == "csv" ? as_csv(rows.items(), columns)
                                    : as_table(rows.items(), columns));
    }
  } catch (const store::StoreError& error) {
    return session.fail(ErrorKind::kError, error.what());
  }
  return kExitSuccess;
}

}  // namespace

Command make_query_command() {
  auto options = std::make_shared<QueryOptions>();
  Command command("query", "Asks the store about nodes, facts, catalogs and reports");
  command.details(
      "QUERY is PQL, or the AST of PuppetDB's query API (JSON that begins with a bracket).\n\n"
      "Entities: nodes, facts, fact_contents, fact_paths, factsets, inventory, resources, edges, "
      "catalogs, reports, events, environments, packages, package_inventory.");
  command.takes(OptionGroup::kStore);
  command.argument("QUERY", "PQL, or AST as JSON", options->query);
  command.formats({"table", "json", "csv"});
  command.example("bunraku query 'nodes[certname] { latest_report_status = \"failed\" }'",
                  "names of nodes whose last run failed");
  command.example(
      "bunraku query 'inventory[certname, facts.os.name] { facts.kernel = \"Linux\" }' --format "
      "csv",
      "a fact of each Linux node, as CSV");
  command.run([options](Session& session) { return ask(*options, session); });
  return command;
}

}  // namespace bunraku

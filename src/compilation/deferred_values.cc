// Replaces deferred calls in plain data by their results, and types by their text.
#include "compilation/deferred_values.h"

#include <array>
#include <vector>

#include "base/formats/data_tree_writer.h"
#include "serialization/serialization.h"
#include "values/bounds.h"

namespace bunraku::compilation {
namespace {

class Resolution {
 public:
  Resolution(Evaluator& evaluator, Arena& arena) : evaluator_(evaluator), arena_(arena) {}

  DataNode resolved(const DataNode& node) {
    const NestingGuard guard(nesting_, "A value");
    if (node.is(DataKind::kArray)) {
      std::vector<DataNode> items;
      for (const DataNode& item : node.items()) items.push_back(resolved(item));
      return DataNode::array(arena_.copy(std::span<const DataNode>(items)));
    }
    if (!node.is(DataKind::kHash)) return node;
    const std::string_view type = rich_type(node);
    if (type == "Deferred") return result_of(node);
    if (type.starts_with("Pcore::") && type.ends_with("Type")) return rich_data(value_of(node));
    std::vector<DataEntry> entries;
    for (const DataEntry& entry : node.entries()) {
      entries.push_back({entry.key, resolved(entry.value)});
    }
    return DataNode::hash(arena_.copy(std::span<const DataEntry>(entries)));
  }

 private:
  static std::string_view rich_type(const DataNode& node) {
    const DataNode* type = node.find("__ptype");
    return type != nullptr && type->is(DataKind::kString) ? type->text_value() : std::string_view();
  }

  Value value_of(const DataNode& node) {
    return rich_value_of(evaluator_.arena(), node, "the catalog", nullptr);
  }

  // The function `call` resolves a Deferred with nested ones in its arguments.
  DataNode result_of(const DataNode& node) {
    const std::array arguments = {value_of(node)};
    return rich_data(evaluator_.call_function(Name("call"), arguments, nullptr,
                                              evaluator_.top_scope(), Place{}));
  }

  DataNode rich_data(Value value) {
    DataTreeWriter writer(arena_);
    write_rich_data(writer, value, true, TypeForm::kText, "", nullptr);
    return writer.finish();
  }

  Evaluator& evaluator_;
  Arena& arena_;
  Nesting nesting_;
};

}  // namespace

DataNode resolve_deferred_values(Evaluator& evaluator, Arena& arena, const DataNode& written) {
  return Resolution(evaluator, arena).resolved(written);
}

}  // namespace bunraku::compilation

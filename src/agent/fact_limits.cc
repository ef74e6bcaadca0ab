// Compares facts with the limits of the settings.
#include "agent/fact_limits.h"

#include <fmt/format.h>

#include <limits>

#include "apply/transaction/context.h"
#include "net/url.h"
#include "site/settings/settings.h"

namespace bunraku::agent {
namespace {

int64_t limit(const Settings& settings, std::string_view name) {
  const int64_t most = settings.integer(name);
  return most > 0 ? most : std::numeric_limits<int64_t>::max();
}

}  // namespace

FactLimits::FactLimits(const Settings& settings, apply::RunLog& log)
    : log_(log),
      most_top_(limit(settings, "top_level_facts_soft_limit")),
      most_values_(limit(settings, "number_of_facts_soft_limit")),
      longest_name_(limit(settings, "fact_name_length_soft_limit")),
      longest_value_(limit(settings, "fact_value_length_soft_limit")),
      largest_document_(limit(settings, "payload_soft_limit")) {}

void FactLimits::check(const DataNode& values, std::string_view document) {
  const auto top = static_cast<int64_t>(values.entries().size());
  if (top > most_top_) {
    warn("The current number of top level facts", top, "top facts limit", most_top_);
  }
  walk(values, 0);
  if (count_ > most_values_) {
    warn("The current total number of fact values", count_, "fact values limit", most_values_);
  }
  const auto size = static_cast<int64_t>(net::encode_percent(document).size());
  if (size > largest_document_) {
    warn("Payload with the current size of", size, "payload size limit", largest_document_);
  }
}

// The recursion is bounded, because parsers of facts bound nesting.
void FactLimits::walk(const DataNode& node, size_t depth) {
  const size_t length = path_.size();
  const auto descend = [&](std::string_view name, const DataNode& child) {
    if (depth > 0) path_ += '.';
    path_ += name;
    walk(child, depth + 1);
    path_.resize(length);
  };
  if (node.is(DataKind::kHash)) {
    for (const DataEntry& entry : node.entries()) descend(entry.key.text_value(), entry.value);
  } else if (node.is(DataKind::kArray)) {
    size_t index = 0;
    for (const DataNode& item : node.items()) descend(std::to_string(index++), item);
  } else {
    ++count_;
    check_value(node, depth);
  }
}

void FactLimits::check_value(const DataNode& value, size_t depth) {
  // Approximately the size of the fact in an index of a PostgreSQL database.
  const auto name_size =
      static_cast<int64_t>(8 + depth * 2 + path_.size() - (depth > 0 ? depth - 1 : 0));
  if (name_size > longest_name_) {
    warn(fmt::format("Fact {} with length", path_), name_size, "fact name length limit",
         longest_name_);
  }
  const auto check_text = [&](std::string_view text) {
    const auto size = static_cast<int64_t>(text.size());
    if (size <= longest_value_) return;
    warn(fmt::format("Fact {} with value {} with the value length", path_, text), size,
         "value length limit", longest_value_);
  };
  if (value.is(DataKind::kString)) check_text(value.text_value());
  if (value.is(DataKind::kInteger)) check_text(std::to_string(value.integer_value()));
}

void FactLimits::warn(std::string_view subject, int64_t size, std::string_view limit,
                      int64_t most) {
  log_.log(LogLevel::kWarning,
           fmt::format("{}: {} exceeds the {}: {}", subject, size, limit, most));
}

}  // namespace bunraku::agent

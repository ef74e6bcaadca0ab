// Parses version ranges and checks versions against them.
#include "apply/providers/package/version_range.h"

#include <algorithm>

namespace bunraku::apply {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";

bool lies_within(int order, std::string_view operation) {
  if (operation == "<") return order < 0;
  if (operation == "<=") return order <= 0;
  if (operation == ">") return order > 0;
  if (operation == ">=") return order >= 0;
  return order == 0;
}

}  // namespace

std::optional<VersionRange> VersionRange::parse(std::string_view text, const VersionOrder& order) {
  VersionRange range(order);
  while (true) {
    const size_t start = text.find_first_not_of(kBlanks);
    if (start == std::string_view::npos) break;
    text.remove_prefix(start);
    const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
    text.remove_prefix(word.size());
    const size_t version = std::min(word.find_first_not_of("<>="), word.size());
    const std::string_view operation = word.substr(0, version);
    const bool is_known = operation.empty() || operation == "<" || operation == "<=" ||
                          operation == ">" || operation == ">=";
    if (!is_known || !order.is_version(word.substr(version))) return std::nullopt;
    range.bounds_.push_back({std::string(operation), std::string(word.substr(version))});
  }
  if (range.bounds_.empty()) return std::nullopt;
  if (range.bounds_.size() > 2) range.bounds_.resize(2);
  return range;
}

bool VersionRange::includes(std::string_view version) const {
  return order_->is_version(version) && std::ranges::all_of(bounds_, [&](const Bound& bound) {
           return lies_within(order_->compare(version, bound.version), bound.operation);
         });
}

std::optional<std::string> VersionRange::newest_of(const std::vector<std::string>& versions) const {
  const std::string* newest = nullptr;
  for (const std::string& version : versions) {
    if (!includes(version)) continue;
    if (newest == nullptr || order_->compare(version, *newest) > 0) newest = &version;
  }
  return newest == nullptr ? std::nullopt : std::optional(*newest);
}

std::string VersionRange::text(std::string_view separator) const {
  std::string text;
  for (const Bound& bound : bounds_) {
    if (!text.empty()) text += separator;
    text += bound.operation + bound.version;
  }
  return text;
}

}  // namespace bunraku::apply

#include "site/lookup/merge.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/regex/regex.h"
#include "conversion/ruby_string.h"
#include "functions/core/comparison.h"
#include "site/lookup/lookup_error.h"
#include "types/relations.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"
#include "values/bounds.h"
#include "values/flattened.h"

namespace bunraku {
namespace {

struct NamedStrategy {
  std::string_view name;
  MergeKind kind;
};
constexpr NamedStrategy kStrategies[] = {
    {"default", MergeKind::kDefault},
    {"first", MergeKind::kFirst},
    {"unique", MergeKind::kUnique},
    {"hash", MergeKind::kHash},
    {"deep", MergeKind::kDeep},
    {"unconstrained_deep", MergeKind::kUnconstrainedDeep},
    {"reverse_deep", MergeKind::kReverseDeep},
};

// The values without duplicates, in the order of first appearance.
Value unique_values(Arena& arena, std::span<const Value> first, std::span<const Value> second) {
  HashBuilder seen(arena, first.size() + second.size());
  ArrayBuilder out(arena, first.size() + second.size());
  for (const std::span<const Value> values : {first, second}) {
    for (const Value value : values) {
      if (seen.find(value) != nullptr) continue;
      seen.set(value, Value());
      out.push(value);
    }
  }
  return out.finish();
}

// The deep merge of two values under the options of a strategy. The rules, oddities included, are
// those of the reference's merging library: the merged value wins over the existing one.
class DeepMerge {
 public:
  DeepMerge(Arena& arena, Value options) : arena_(arena) {
    if (!options.is_hash()) return;
    if (const Value* prefix = options.as_hash().find("knockout_prefix")) {
      if (prefix->is_string()) set_prefix(prefix->as_string());
    }
    preserves_ = is_set(options, "preserve_unmergeables");
    if (knockout_prefix_ && preserves_) {
      fail_foreign(
          Issue::kInvalidMerge,
          {"overwrite_unmergeable must be true if knockout_prefix is specified in deep_merge!"});
    }
    overwrites_arrays_ = is_set(options, "overwrite_arrays");
    extends_arrays_ = is_set(options, "extend_existing_arrays");
    sort_arrays_ = is_set(options, "sort_merged_arrays");
    merge_hash_arrays_ = is_set(options, "merge_hash_arrays");
    if (is_set(options, "unpack_arrays")) separator_ = *options.as_hash().find("unpack_arrays");
  }

  Value merge(Value source, Value target) { return merge(source, target, Sharing::kNone, 0); }

 private:
  // The reference merges in place, so results depend on which values are the same object: a value
  // that is merged into nothing is merged with a shallow copy of itself (kParts), whose parts are
  // shared (kAll).
  enum class Sharing : uint8_t { kNone, kParts, kAll };
  static Sharing of_parts(Sharing whole) {
    return whole == Sharing::kNone ? Sharing::kNone : Sharing::kAll;
  }

  Value merge(Value source, Value target, Sharing sharing, int depth) {
    constexpr int kDeepest = 1000;
    if (depth > kDeepest) {
      fail_lookup(Issue::kTooDeep, {"The data to merge", std::to_string(kDeepest)});
    }
    const NestingGuard guard(nesting_, "The data to merge");
    if (source.is_undef()) return target;
    if (!target.is_truthy() && !preserves_) return source;
    if (source.is_hash()) return merge_hash(source, target, sharing, depth);
    if (source.is_array()) return merge_array(source, target, sharing, depth);
    return extends(target) ? extended(target, source, 1) : overwrite(source, target);
  }

  static bool is_set(Value options, std::string_view name) {
    const Value* value = options.as_hash().find(name);
    return value != nullptr && value->is_truthy();
  }

  // For removal the prefix is a regular expression, which may match at the start of each line.
  void set_prefix(std::string_view prefix) {
    if (prefix.empty()) {
      fail_foreign(Issue::kInvalidMerge,
                   {"knockout_prefix cannot be an empty string in deep_merge!"});
    }
    knockout_prefix_ = prefix;
    try {
      knockout_ = Regex::compile("^" + std::string(prefix));
    } catch (const RegexError& error) {
      fail_foreign(Issue::kInvalidPattern, {error.what()});
    }
  }

  bool is_knocked_out(Value item) const {
    return knockout_prefix_ && item.is_string() && knockout_->matches(item.as_string());
  }
  Value without_prefix(Value item) const {
    const std::string_view text = item.as_string();
    std::string out;
    Captures captures;
    size_t copied = 0;
    while (copied <= text.size() && knockout_->search(text, copied, captures)) {
      out += text.substr(copied, captures.begin() - copied);
      copied = std::max(captures.end(), copied + 1);
    }
    if (copied < text.size()) out += text.substr(copied);
    return Value::string(arena_, out);
  }

  Value merge_hash(Value source, Value target, Sharing sharing, int depth) {
    // A target of another kind is replaced by the source, whose other entries are then merged with
    // themselves.
    const bool is_overwritten = !target.is_hash();
    if (is_overwritten && (source.as_hash().size == 0 || preserves_ || extends(target))) {
      return extends(target) ? extended(target, source, source.as_hash().size) : target;
    }
    HashBuilder out(arena_, source.as_hash().size);
    out.set_all(is_overwritten ? source.as_hash() : target.as_hash());
    bool is_first = true;
    for (const HashEntry& entry : source.as_hash()) {
      const bool was_first = is_first;
      is_first = false;
      if (is_overwritten && was_first) continue;
      Value* there = out.find(entry.key);
      const bool is_there = there != nullptr && there->is_truthy();
      const Sharing shared = !is_there        ? Sharing::kParts
                             : is_overwritten ? Sharing::kAll
                                              : of_parts(sharing);
      out.set(entry.key, merge(entry.value, is_there ? *there : entry.value, shared, depth + 1));
    }
    return out.finish();
  }

  Value merge_array(Value source, Value target, Sharing sharing, int depth) {
    if (overwrites_arrays_) return source;
    if (separator_.is_truthy()) {
      source = unpacked(source);
      if (target.is_array()) target = unpacked(target);
    }
    std::span<const Value> items = source.as_array();
    if (knockout_prefix_ && contains(items, Value::string(*knockout_prefix_))) {
      // The bare prefix empties the target.
      const bool is_same = sharing == Sharing::kAll;
      items = is_same ? std::span<const Value>()
                      : without(items, Value::string(*knockout_prefix_)).as_array();
      target = emptied(target);
    }
    if (!target.is_array()) return overwrite(Value::array(items), target);
    std::span<const Value> into = target.as_array();
    if (knockout_prefix_) {
      if (sharing == Sharing::kAll)
        items = into = knock_out_of_itself(items);
      else
        knock_out(items, into);
    }
    const Value merged = merge_hash_arrays_ && all_hashes(items) && all_hashes(into)
                             ? merge_in_step(items, into, sharing, depth)
                             : unique_values(arena_, into, items);
    return sort_arrays_ ? sorted(merged) : merged;
  }

  Value emptied(Value value) {
    if (value.is_string()) return Value::string("");
    if (value.is_hash()) return HashBuilder(arena_).finish();
    return value.is_array() ? Value::array({}) : Value();
  }

  void knock_out(std::span<const Value>& items, std::span<const Value>& into) {
    ArrayBuilder kept(arena_, items.size());
    for (const Value item : items) {
      if (!is_knocked_out(item)) {
        kept.push(item);
        continue;
      }
      into = without(into, without_prefix(item)).as_array();
      into = without(into, item).as_array();
    }
    items = kept.finish().as_array();
  }

  // When both are the same array, elements are removed while the reference iterates over it, so it
  // skips elements that move to positions already visited.
  std::span<const Value> knock_out_of_itself(std::span<const Value> items) {
    std::span<Value> slots = arena_.copy(items);
    size_t size = slots.size();
    auto remove = [&](Value unwanted) {
      size_t kept = 0;
      for (size_t i = 0; i < size; ++i) {
        if (!identical(slots[i], unwanted)) slots[kept++] = slots[i];
      }
      size = kept;
    };
    size_t kept = 0;
    size_t at = 0;
    for (; at < size; ++at) {
      const Value item = slots[at];
      if (is_knocked_out(item)) {
        remove(without_prefix(item));
        remove(item);
        continue;
      }
      slots[kept++] = item;
    }
    if (kept >= size || kept == at) return slots.first(size);
    const size_t rest = at < size ? size - at : 0;
    for (size_t i = 0; i < rest; ++i) slots[kept + i] = slots[at + i];
    return slots.first(kept + rest);
  }

  Value merge_in_step(std::span<const Value> items, std::span<const Value> into, Sharing sharing,
                      int depth) {
    ArrayBuilder out(arena_, std::max(items.size(), into.size()));
    for (size_t i = 0; i < into.size(); ++i) {
      const Value item = i < items.size() ? items[i] : HashBuilder(arena_).finish();
      out.push(merge(item, into[i], of_parts(sharing), depth + 1));
    }
    for (size_t i = into.size(); i < items.size(); ++i) out.push(items[i]);
    return out.finish();
  }

  bool extends(Value target) const { return extends_arrays_ && target.is_array(); }
  // Appends a hash once for each of its keys, as the reference does.
  Value extended(Value array, Value item, size_t times) {
    ArrayBuilder out(arena_, array.as_array().size() + times);
    for (const Value there : array.as_array()) out.push(there);
    for (size_t i = 0; i < times; ++i) out.push(item);
    return out.finish();
  }

  // Joins the elements to one text and splits it at the separators.
  Value unpacked(Value array) {
    if (!separator_.is_string()) fail_no_text(separator_);
    const std::string_view separator = separator_.as_string();
    std::string joined;
    const std::span<const Value> items = flattened(arena_, {&array, 1});
    for (size_t i = 0; i < items.size(); ++i) {
      if (i > 0) joined += separator;
      append_ruby_to_s(joined, items[i]);
    }
    ArrayBuilder pieces(arena_, items.size());
    for (const std::string_view piece :
         separator == " " ? ruby_split_words(joined) : ruby_split(joined, separator)) {
      pieces.push(Value::string(arena_, piece));
    }
    return pieces.finish();
  }

  Value overwrite(Value source, Value target) {
    if (preserves_) return target;
    if (!knockout_prefix_) return source;
    if (source.is_string()) return is_knocked_out(source) ? Value::string("") : source;
    if (!source.is_array()) return source;
    ArrayBuilder kept(arena_, source.as_array().size());
    for (const Value item : source.as_array()) {
      if (!is_knocked_out(item)) kept.push(item);
    }
    return kept.finish();
  }

  Value sorted(Value array) {
    const std::span<Value> items = arena_.copy(array.as_array());
    sort_values(arena_, items, [](std::string message) {
      fail_foreign(Issue::kNotComparable, {std::move(message)});
    });
    return Value::array(items);
  }

  static bool contains(std::span<const Value> items, Value wanted) {
    return std::ranges::any_of(items, [&](Value v) { return identical(v, wanted); });
  }
  Value without(std::span<const Value> items, Value unwanted) {
    ArrayBuilder out(arena_, items.size());
    for (const Value item : items) {
      if (!identical(item, unwanted)) out.push(item);
    }
    return out.finish();
  }
  static bool all_hashes(std::span<const Value> items) {
    return std::ranges::all_of(items, [](Value v) { return v.is_hash(); });
  }

  Arena& arena_;
  std::optional<std::string_view> knockout_prefix_;
  const Regex* knockout_ = nullptr;
  Value separator_;  // separates several values in one element
  bool preserves_ = false;
  bool overwrites_arrays_ = false;
  bool extends_arrays_ = false;
  bool sort_arrays_ = false;
  bool merge_hash_arrays_ = false;
  Nesting nesting_;
};

// Types shared by all compilations and never freed: parsing one takes longer than merging.
class MergeTypes {
 public:
  static const MergeTypes& get() {
    static const MergeTypes types;
    return types;
  }

  // The type of a strategy's options.
  const Type* options(const NamedStrategy& strategy) const {
    return options_[static_cast<size_t>(&strategy - kStrategies)];
  }
  // The type of values that a strategy merges; null when it accepts any.
  const Type* mergeable(MergeKind kind) const {
    return kind == MergeKind::kHash ? hash_ : kind == MergeKind::kUnique ? list_ : nullptr;
  }

 private:
  MergeTypes() {
    for (size_t i = 0; i < std::size(kStrategies); ++i) {
      options_[i] = parse_type(arena_, arena_.copy(options_text(kStrategies[i])), nullptr);
    }
  }
  static std::string options_text(const NamedStrategy& strategy) {
    switch (strategy.kind) {
      case MergeKind::kDeep:
        return "Struct[{'strategy' => Optional[Pattern[/deep/]], "
               "'knockout_prefix' => Optional[String], 'merge_debug' => Optional[Boolean], "
               "'merge_hash_arrays' => Optional[Boolean], 'sort_merged_arrays' => "
               "Optional[Boolean]}]";
      case MergeKind::kUnconstrainedDeep:
      case MergeKind::kReverseDeep:
        return "Hash[String[1], Any]";
      default:
        return "Struct[{'strategy' => Optional[Pattern[/" + std::string(strategy.name) + "/]]}]";
    }
  }

  Arena arena_;
  const Type* options_[std::size(kStrategies)];
  const Type* hash_ = parse_type(arena_, "Hash[String, Data]", nullptr);
  const Type* list_ = parse_type(arena_, "Variant[Scalar, Array[Data]]", nullptr);
};

void check(std::string_view subject, const Type* type, Value value) {
  if (!is_instance(type, value)) fail_wrong_type(subject, type, value);
}

}  // namespace

std::string_view MergeStrategy::name() const {
  for (const NamedStrategy& strategy : kStrategies) {
    if (strategy.kind == kind) return strategy.name;
  }
  return {};
}

MergeStrategy merge_strategy(Value merge) {
  if (!merge.is_truthy()) return {};
  Value name = merge;
  Value options;
  if (merge.is_hash()) {
    const Value* given = merge.as_hash().find("strategy");
    if (given == nullptr || given->is_undef()) {
      fail_foreign(
          Issue::kInvalidMerge,
          {"The hash given as 'merge' must contain the name of a strategy in string form for the "
           "key 'strategy'"});
    }
    name = *given;
    if (merge.as_hash().size > 1) options = merge;
  }
  for (const NamedStrategy& strategy : kStrategies) {
    if (!name.is_string() || name.as_string() != strategy.name) continue;
    if (options.is_hash()) {
      check("The merge options", MergeTypes::get().options(strategy), options);
    } else if (strategy.kind == MergeKind::kUnconstrainedDeep) {
      // Without options, a name matches the constrained strategy.
      return {MergeKind::kDeep, options};
    }
    return {strategy.kind, options};
  }
  std::string shown;
  append_ruby_to_s(shown, name);
  fail_foreign(Issue::kInvalidMerge, {"Unknown merge strategy: '" + shown + "'"});
}

Value merge_values(Arena& arena, const MergeStrategy& strategy, Value high, Value low) {
  if (const Type* type = MergeTypes::get().mergeable(strategy.kind)) {
    check("The first element of the merge", type, high);
    check("The second element of the merge", type, low);
  }
  switch (strategy.kind) {
    case MergeKind::kHash: {
      HashBuilder out(arena, high.as_hash().size + low.as_hash().size);
      out.set_all(low.as_hash());
      out.set_all(high.as_hash());
      return out.finish();
    }
    case MergeKind::kUnique: {
      const Value first = merge_first_of_many(arena, strategy, high);
      const Value second = merge_first_of_many(arena, strategy, low);
      return unique_values(arena, first.as_array(), second.as_array());
    }
    case MergeKind::kDeep:
    case MergeKind::kUnconstrainedDeep:
      return DeepMerge(arena, strategy.options).merge(high, low);
    case MergeKind::kReverseDeep:
      return DeepMerge(arena, strategy.options).merge(low, high);
    case MergeKind::kDefault:
    case MergeKind::kFirst:
      break;
  }
  return high;
}

Value merge_first_of_many(Arena& arena, const MergeStrategy& strategy, Value value) {
  if (strategy.kind != MergeKind::kUnique) return value;
  return Value::array(arena.copy(flattened(arena, {&value, 1})));
}

Value merge_only_value(Arena& arena, const MergeStrategy& strategy, Value value) {
  if (strategy.kind != MergeKind::kUnique || !value.is_array()) return value;
  return unique_values(arena, value.as_array(), {});
}

}  // namespace bunraku

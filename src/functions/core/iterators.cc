#include "functions/core/iterators.h"

#include <vector>

#include "base/text/utf8.h"
#include "types/built_in_types.h"
#include "types/relations.h"

namespace bunraku {

namespace {

// An iterator that implements step and reverse itself.
class Sequence : public IteratorObject {
 public:
  virtual IteratorObject* stepped(Arena& arena, int64_t step) const = 0;
  virtual IteratorObject* reversed(Arena& arena) const = 0;

 protected:
  ~Sequence() = default;
};

const Type* variant_of(Arena& arena, const std::vector<const Type*>& types) {
  return types.empty() ? types::kUnit : types::variant(arena, types);
}

// Positions of an array or hash: start, start + stride... `count` of them.
class PositionIterator final : public Sequence {
 public:
  PositionIterator(Arena& arena, Value source, int64_t start, int64_t stride, int64_t count,
                   const Type* element_type)
      : arena_(arena),
        source_(source),
        start_(start),
        stride_(stride),
        count_(count),
        reported_size_(count),
        element_type_(element_type) {}

  bool next(Arena& arena, Value& element) override {
    if (done_ == count_) return false;
    const size_t at = static_cast<size_t>(start_ + done_++ * stride_);
    if (source_.is_array()) {
      element = source_.as_array()[at];
    } else {
      const HashEntry& entry = source_.as_hash().entries[at];
      element = Value::array(arena, {entry.key, entry.value});
    }
    return true;
  }
  IteratorObject* rewound(Arena& arena) const override {
    return make(arena, start_, stride_, count_, reported_size_, is_stepped_);
  }
  const Type* element_type() const override {
    if (element_type_ == nullptr) element_type_ = infer_element_type();
    return element_type_;
  }
  int64_t reported_size() const override { return reported_size_; }
  bool catches_break() const override { return is_stepped_; }
  IteratorObject* stepped(Arena& arena, int64_t step) const override {
    const int64_t count = count_ / step + (count_ % step != 0);
    // With at most one element left the stride does not matter, and the product might overflow.
    return make(arena, start_, count > 1 ? stride_ * step : 1, count, reported_size_ / step, true);
  }
  IteratorObject* reversed(Arena& arena) const override {
    const int64_t last = count_ == 0 ? 0 : start_ + (count_ - 1) * stride_;
    return make(arena, last, -stride_, count_, count_, false);
  }

 private:
  IteratorObject* make(Arena& arena, int64_t start, int64_t stride, int64_t count,
                       int64_t reported_size, bool is_stepped) const {
    auto* made = new (arena.allocate(sizeof(PositionIterator), alignof(PositionIterator)))
        PositionIterator(arena_, source_, start, stride, count, element_type_);
    made->reported_size_ = reported_size;
    made->is_stepped_ = is_stepped;
    return made;
  }

  // Inferred on demand, because the type is rarely needed.
  const Type* infer_element_type() const {
    if (source_.is_array()) {
      std::vector<const Type*> all;
      for (const Value item : source_.as_array()) all.push_back(infer_detailed(arena_, item));
      return variant_of(arena_, all);
    }
    std::vector<const Type*> keys, values;
    for (const HashEntry& entry : source_.as_hash()) {
      keys.push_back(infer_detailed(arena_, entry.key));
      values.push_back(infer_detailed(arena_, entry.value));
    }
    const Type* types[] = {variant_of(arena_, keys), variant_of(arena_, values)};
    const IntegerRange size{2, 2};
    return types::tuple(arena_, arena_.copy(std::span<const Type* const>(types)), &size);
  }

  Arena& arena_;
  Value source_;
  int64_t start_, stride_, count_;
  int64_t reported_size_;
  bool is_stepped_ = false;
  int64_t done_ = 0;
  mutable const Type* element_type_;
};

// The integers of a range, upwards or, with a negative step, downwards from its end.
class RangeIterator final : public Sequence {
 public:
  RangeIterator(Arena& arena, int64_t from, int64_t to, int64_t step)
      : arena_(arena), from_(from), to_(to), step_(step), value_(step < 0 ? to : from) {}

  bool next(Arena&, Value& element) override {
    if (is_over_ || value_ < from_ || value_ > to_) return false;
    element = Value::integer(value_);
    is_over_ = __builtin_add_overflow(value_, step_, &value_);
    return true;
  }
  IteratorObject* rewound(Arena& arena) const override { return make(arena, from_, to_, step_); }
  const Type* element_type() const override { return types::integer(arena_, from_, to_); }
  // One less than the number of elements. Ruby ignores sizes beyond 62 bits.
  int64_t reported_size() const override {
    constexpr uint64_t kMost = (uint64_t{1} << 62) - 1;
    if (to_ < from_) return -1;
    const uint64_t width = static_cast<uint64_t>(to_) - static_cast<uint64_t>(from_);
    const uint64_t stride =
        step_ < 0 ? -static_cast<uint64_t>(step_) : static_cast<uint64_t>(step_);
    const uint64_t size = width / stride;
    return size <= kMost ? static_cast<int64_t>(size) : -1;
  }
  // The range is narrowed to end on the last element; for a downward range the reference narrows
  // the other end, and loses an element.
  IteratorObject* stepped(Arena& arena, int64_t step) const override {
    int64_t from = from_, to = to_, stride, width;
    if (__builtin_mul_overflow(step_, step, &stride))
      stride = step_ < 0 ? -kMaxInteger : kMaxInteger;
    if (__builtin_sub_overflow(to, from, &width)) width = kMaxInteger;
    const int64_t rest = width % stride;
    if (stride < 0) {
      if (rest != 0) from -= rest + stride;
    } else {
      to -= rest;
    }
    return make(arena, from, to, stride);
  }
  IteratorObject* reversed(Arena& arena) const override { return make(arena, from_, to_, -step_); }

 private:
  IteratorObject* make(Arena& arena, int64_t from, int64_t to, int64_t step) const {
    return new (arena.allocate(sizeof(RangeIterator), alignof(RangeIterator)))
        RangeIterator(arena_, from, to, step);
  }

  Arena& arena_;
  int64_t from_, to_, step_;
  int64_t value_;
  bool is_over_ = false;
};

// Every nth element of an iterator that cannot be indexed.
class StepIterator final : public IteratorObject {
 public:
  StepIterator(IteratorObject* source, int64_t step) : source_(source), step_(step) {}

  bool next(Arena& arena, Value& element) override {
    if (!source_->next(arena, element)) return false;
    Value skipped;
    for (int64_t i = 1; i < step_ && source_->next(arena, skipped);) ++i;
    return true;
  }
  IteratorObject* rewound(Arena& arena) const override {
    return new (arena.allocate(sizeof(StepIterator), alignof(StepIterator)))
        StepIterator(source_->rewound(arena), step_);
  }
  const Type* element_type() const override { return source_->element_type(); }

 private:
  IteratorObject* source_;
  int64_t step_;
};

PositionIterator* make_position_iterator(Arena& arena, Value source, const Type* element_type) {
  const int64_t count =
      static_cast<int64_t>(source.is_array() ? source.as_array().size() : source.as_hash().size);
  return new (arena.allocate(sizeof(PositionIterator), alignof(PositionIterator)))
      PositionIterator(arena, source, 0, 1, count, element_type);
}

IteratorObject* make_range_iterator(Arena& arena, int64_t from, int64_t to) {
  return new (arena.allocate(sizeof(RangeIterator), alignof(RangeIterator)))
      RangeIterator(arena, from, to, 1);
}

IteratorObject* make_character_iterator(Arena& arena, std::string_view text) {
  ArrayBuilder characters(arena, text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    next_character(text, at);
    characters.push(Value::string(text.substr(begin, at - begin)));
  }
  return make_position_iterator(arena, characters.finish(), types::string_size(arena, {1, 1}));
}

IteratorObject* make_type_iterator(Arena& arena, const Type* type) {
  if (auto* integer = resolve_alias(type)->try_as<IntegerType>()) {
    const IntegerRange range = integer->range;
    if (range.from == kMinInteger || range.to == kMaxInteger) return nullptr;
    return make_range_iterator(arena, range.from, range.to);
  }
  if (auto* enumeration = resolve_alias(type)->try_as<EnumType>()) {
    ArrayBuilder values(arena, enumeration->values.size());
    for (const std::string_view value : enumeration->values) values.push(Value::string(value));
    return make_position_iterator(arena, values.finish(), enumeration);
  }
  return nullptr;
}

}  // namespace

IteratorObject* make_iterator(Arena& arena, Value iterable) {
  switch (iterable.kind()) {
    case ValueKind::kArray:
    case ValueKind::kHash:
      return make_position_iterator(arena, iterable, nullptr);
    case ValueKind::kString:
      return make_character_iterator(arena, iterable.as_string());
    case ValueKind::kInteger:
      if (iterable.as_integer() < 0) return nullptr;
      if (iterable.as_integer() == 0) {
        return make_position_iterator(arena, Value::array({}), types::kUnit);
      }
      return make_range_iterator(arena, 0, iterable.as_integer() - 1);
    case ValueKind::kType:
      return make_type_iterator(arena, iterable.as_type());
    case ValueKind::kIterator:
      return iterable.as_iterator().rewound(arena);
    default:
      return nullptr;
  }
}

IteratorObject* make_step_iterator(Arena& arena, IteratorObject* iterator, int64_t step) {
  if (step == 1) return iterator;
  if (auto* sequence = dynamic_cast<Sequence*>(iterator)) return sequence->stepped(arena, step);
  return new (arena.allocate(sizeof(StepIterator), alignof(StepIterator)))
      StepIterator(iterator, step);
}

IteratorObject* make_reverse_iterator(Arena& arena, IteratorObject* iterator) {
  if (auto* sequence = dynamic_cast<Sequence*>(iterator)) return sequence->reversed(arena);
  ArrayBuilder all(arena);
  for (Value element; iterator->next(arena, element);) all.push(element);
  return make_position_iterator(arena, all.finish(), iterator->element_type())->reversed(arena);
}

}  // namespace bunraku

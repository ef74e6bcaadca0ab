// Methods of all objects, of nil, booleans, symbols, ranges, regular expressions and matches.
#include "base/regex/regex.h"
#include "base/text/utf8.h"
#include "conversion/ruby_string.h"
#include "ruby/erb/interpreter.h"

namespace bunraku::erb {

namespace {

using enum BlockUse;

Object is_a(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (!arguments[0].is(Class::kClass)) ruby.fail("class or module required");
  return ruby.boolean(ruby.is_instance(self, arguments[0].named));
}

Object instance_of(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (!arguments[0].is(Class::kClass)) ruby.fail("class or module required");
  const Class named = arguments[0].named;
  const bool is_module = named == Class::kAny || named == Class::kNumeric ||
                         named == Class::kEnumerable || named == Class::kComparable;
  return ruby.boolean(!is_module && ruby.is_instance(self, named));
}

Object class_of(Interpreter& ruby, Object self, const Arguments&) {
  if (self.is(Class::kForeign) || self.is(Class::kTemplate) || self.is(Class::kError)) {
    ruby.fail_with("the class of such an object");
  }
  if (self.is(Class::kBoolean)) return ruby.constant(self.boolean ? Class::kTrue : Class::kFalse);
  return ruby.constant(self.type);
}

// Object#respond_to?: known only for methods in the table.
Object respond_to(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (!arguments[0].is(Class::kSymbol) && !arguments[0].is(Class::kString)) {
    ruby.fail_with("'respond_to?' of such an object");
  }
  const MethodSet* methods = find_methods(arguments[0].string->text);
  if (methods == nullptr) ruby.fail_with("'respond_to?' of a method that is not known");
  if (methods->of(self.type) != nullptr) return ruby.boolean(true);
  if (!self.is_nil() || methods->of(Class::kTemplate) != nullptr) {
    ruby.fail_with("'respond_to?' of a method that is not known");
  }
  return ruby.boolean(false);
}

Object to_s(Interpreter& ruby, Object self, const Arguments&) {
  if (self.is(Class::kTemplate)) ruby.fail_with("the text of the template");
  const Object text = ruby.string(ruby.to_s(self));
  // The texts of these objects are frozen.
  text.string->is_fixed = self.is_nil() || self.is(Class::kBoolean);
  return text;
}

Object inspect(Interpreter& ruby, Object self, const Arguments&) {
  std::string text;
  ruby.append_inspect(text, self);
  ruby.check_size(text.size());
  return ruby.string(text);
}

// is_a, a typo of is_a?: no object has such a method.
Object no_such_method(Interpreter& ruby, Object self, const Arguments&) {
  ruby.fail("undefined method `is_a' for " + std::string(class_name(self)), false, "NoMethodError");
}

// Object#=~, which Ruby 3.1 has and 3.2 has not.
Object matches_nothing(Interpreter& ruby, Object, const Arguments&) {
  return ruby.nil();
}

Object compare(Interpreter& ruby, Object self, const Arguments& arguments) {
  int order = 0;
  if (!ruby.compare(self, arguments[0], order)) return ruby.nil();
  return ruby.integer(order);
}

Object to_yaml(Interpreter& ruby, Object self, const Arguments&) {
  const std::optional<std::string> text = ruby.scope().yaml_of(ruby.to_value(self));
  if (!text) ruby.fail_with("the method 'to_yaml' of such a value");
  return ruby.string(*text);
}

Object to_json(Interpreter& ruby, Object self, const Arguments&) {
  const std::optional<std::string> text = ruby.scope().json_of(ruby.to_value(self));
  if (!text) ruby.fail_with("the method 'to_json' of such a value");
  return ruby.string(*text);
}

// Objects that never change are their own copies.
Object copy(Interpreter& ruby, Object self, const Arguments&) {
  const bool is_fixed = self.is_nil() || self.is(Class::kBoolean) || self.is_numeric() ||
                        self.is(Class::kSymbol) || self.is(Class::kForeign);
  if (!is_fixed) ruby.fail_with("a copy of such an object");
  return self;
}

constexpr Method kObject[] = {
    {Class::kAny, "to_yaml", 0, 0, kNever, to_yaml},
    {Class::kAny, "to_json", 0, 0, kNever, to_json},
    {Class::kAny, "nil?", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) { return ruby.boolean(self.is_nil()); }},
    {Class::kAny, "is_a?", 1, 1, kNever, is_a},
    {Class::kAny, "kind_of?", 1, 1, kNever, is_a},
    {Class::kAny, "is_a", 1, 1, kNever, no_such_method},
    {Class::kAny, "instance_of?", 1, 1, kNever, instance_of},
    {Class::kAny, "class", 0, 0, kNever, class_of},
    {Class::kAny, "respond_to?", 1, 1, kNever, respond_to},
    {Class::kAny, "to_s", 0, 0, kNever, to_s},
    {Class::kAny, "inspect", 0, 0, kNever, inspect},
    {Class::kAny, "==", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return ruby.boolean(ruby.equal(self, arguments[0]));
     }},
    {Class::kAny, "===", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return ruby.boolean(ruby.case_equal(self, arguments[0]));
     }},
    {Class::kAny, "eql?", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return ruby.boolean(ruby.identical(self, arguments[0]));
     }},
    {Class::kAny, "equal?", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return ruby.boolean(ruby.same(self, arguments[0]));
     }},
    {Class::kAny, "<=>", 1, 1, kNever, compare},
    {Class::kAny, kConstantMethod, 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       ruby.freeze_all(self);
       return self;
     }},
    {Class::kAny, "dup", 0, 0, kNever, copy},
    {Class::kAny, "clone", 0, 0, kNever, copy},
    {Class::kAny, "freeze", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       ruby.freeze(self);
       return self;
     }},
    {Class::kAny, "then", 0, 0, kMust,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return ruby.yield(*arguments.block, self);
     }},
    {Class::kAny, "tap", 0, 0, kMust,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       ruby.yield(*arguments.block, self);
       return self;
     }},

    {Class::kNil, "to_a", 0, 0, kNever,
     [](Interpreter& ruby, Object, const Arguments&) { return ruby.array({}); }},
    {Class::kNil, "to_h", 0, 0, kNever,
     [](Interpreter& ruby, Object, const Arguments&) { return Object::of(ruby.new_hash()); }},
    {Class::kNil, "to_i", 0, 0, kNever,
     [](Interpreter& ruby, Object, const Arguments&) { return ruby.integer(0); }},
    {Class::kNil, "to_f", 0, 0, kNever,
     [](Interpreter&, Object, const Arguments&) { return Object::of(0.0); }},
    {Class::kNil, "=~", 1, 1, kNever, matches_nothing},
    {Class::kBoolean, "=~", 1, 1, kNever, matches_nothing},
    {Class::kInteger, "=~", 1, 1, kNever, matches_nothing},
    {Class::kFloat, "=~", 1, 1, kNever, matches_nothing},
    {Class::kArray, "=~", 1, 1, kNever, matches_nothing},
    {Class::kHash, "=~", 1, 1, kNever, matches_nothing},
    {Class::kNil, "&", 1, 1, kNever,
     [](Interpreter& ruby, Object, const Arguments&) { return ruby.boolean(false); }},
    {Class::kNil, "|", 1, 1, kNever,
     [](Interpreter& ruby, Object, const Arguments& arguments) {
       return ruby.boolean(arguments[0].is_true());
     }},
    {Class::kNil, "^", 1, 1, kNever,
     [](Interpreter& ruby, Object, const Arguments& arguments) {
       return ruby.boolean(arguments[0].is_true());
     }},
    {Class::kBoolean, "&", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return ruby.boolean(self.boolean && arguments[0].is_true());
     }},
    {Class::kBoolean, "|", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return ruby.boolean(self.boolean || arguments[0].is_true());
     }},
    {Class::kBoolean, "^", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return ruby.boolean(self.boolean != arguments[0].is_true());
     }},
};

// --- symbols ------------------------------------------------------------------------------------

template <std::string (*kChange)(std::string_view)>
Object changed_symbol(Interpreter& ruby, Object self, const Arguments&) {
  return ruby.symbol(ruby.arena().copy(kChange(self.string->text)));
}

constexpr Method kSymbol[] = {
    {Class::kSymbol, "to_sym", 0, 0, kNever,
     [](Interpreter&, Object self, const Arguments&) { return self; }},
    {Class::kSymbol, "length", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.integer(static_cast<int64_t>(character_count(self.string->text)));
     }},
    {Class::kSymbol, "upcase", 0, 0, kNever, changed_symbol<upcase>},
    {Class::kSymbol, "downcase", 0, 0, kNever, changed_symbol<downcase>},
    {Class::kSymbol, "capitalize", 0, 0, kNever, changed_symbol<capitalize>},
};

// --- ranges -------------------------------------------------------------------------------------

Object range_includes(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (self.range->first.is(Class::kString)) ruby.fail_with("'include?' of a range of strings");
  return ruby.boolean(ruby.range_includes(*self.range, arguments[0]));
}

Object range_first(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments.size() == 0) return self.range->first;
  static const MethodSet& first = *find_methods("first");
  return ruby.send(Object::of(&ruby.to_array(self)), first, arguments);
}

Object range_last(Interpreter& ruby, Object self, const Arguments&) {
  if (self.range->last.is_nil()) ruby.fail("cannot get the last element of endless range");
  return self.range->last;
}

Object range_each(Interpreter& ruby, Object self, const Arguments& arguments) {
  const ArrayObject& items = ruby.to_array(self);
  for (size_t i = 0; i < items.size; ++i) ruby.yield(*arguments.block, items.items[i]);
  return self;
}

constexpr Method kRange[] = {
    {Class::kRange, "each", 0, 0, kMust, range_each},
    {Class::kRange, "include?", 1, 1, kNever, range_includes},
    {Class::kRange, "member?", 1, 1, kNever, range_includes},
    {Class::kRange, "cover?", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       if (arguments[0].is(Class::kRange)) ruby.fail_with("'cover?' of a range");
       return ruby.boolean(ruby.range_includes(*self.range, arguments[0]));
     }},
    {Class::kRange, "first", 0, 1, kNever, range_first},
    {Class::kRange, "begin", 0, 0, kNever,
     [](Interpreter&, Object self, const Arguments&) { return self.range->first; }},
    {Class::kRange, "end", 0, 0, kNever,
     [](Interpreter&, Object self, const Arguments&) { return self.range->last; }},
    {Class::kRange, "last", 0, 0, kNever, range_last},
};

// --- regular expressions ------------------------------------------------------------------------

Object match_object(Interpreter& ruby, const MatchObject* match) {
  if (match == nullptr) return ruby.nil();
  Object object(Class::kMatch);
  object.match = match;
  return object;
}

std::string_view searched_text(Interpreter& ruby, Object object) {
  if (object.is(Class::kSymbol)) ruby.fail_with("a match of a Symbol");
  return ruby.text_of(object);
}

Object regexp_match(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments[0].is_nil()) {
    ruby.set_match(nullptr);
    return ruby.nil();
  }
  return match_object(ruby, ruby.match(*self.regexp->regex, searched_text(ruby, arguments[0])));
}

Object regexp_matches(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments[0].is_nil()) return ruby.boolean(false);
  try {
    return ruby.boolean(self.regexp->regex->matches(searched_text(ruby, arguments[0])));
  } catch (const RegexError& error) {
    ruby.fail_with("a search: " + std::string(error.what()));
  }
}

Object regexp_position(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments[0].is_nil()) {
    ruby.set_match(nullptr);
    return ruby.nil();
  }
  const std::string_view text = searched_text(ruby, arguments[0]);
  const MatchObject* match = ruby.match(*self.regexp->regex, text);
  if (match == nullptr) return ruby.nil();
  const size_t offset = static_cast<size_t>(match->groups[0].data() - text.data());
  return ruby.integer(static_cast<int64_t>(character_count(text.substr(0, offset))));
}

Object group(Interpreter& ruby, const MatchObject& match, size_t number) {
  if (number >= match.groups.size() || match.groups[number].data() == nullptr) return ruby.nil();
  return ruby.borrowed(match.groups[number]);
}

template <size_t kFirst>
Object match_groups(Interpreter& ruby, Object self, const Arguments&) {
  ArrayObject* groups = ruby.new_array();
  for (size_t i = kFirst; i < self.match->groups.size(); ++i) {
    ruby.push(*groups, group(ruby, *self.match, i));
  }
  return Object::of(groups);
}

Object match_group(Interpreter& ruby, Object self, const Arguments& arguments) {
  const MatchObject& match = *self.match;
  if (arguments.size() > 1 || arguments[0].is(Class::kRange)) {
    static const MethodSet& slice = *find_methods("[]");
    return ruby.send(match_groups<0>(ruby, self, {}), slice, arguments);
  }
  if (arguments[0].is(Class::kInteger)) {
    int64_t number = arguments[0].integer;
    auto count = static_cast<int64_t>(match.groups.size());
    if (number < 0) number += count;
    if (number < 0 || number >= count) return ruby.nil();
    return group(ruby, match, static_cast<size_t>(number));
  }
  if (!arguments[0].is(Class::kString) && !arguments[0].is(Class::kSymbol)) {
    ruby.fail_with("the groups of a match in this form");
  }
  const std::string_view name = arguments[0].string->text;
  for (const Regex::NamedGroup& named : match.regex->named_groups()) {
    if (named.name == name && named.groups.size() == 1) {
      return group(ruby, match, static_cast<size_t>(named.groups[0]));
    }
  }
  ruby.fail("undefined group name reference: " + std::string(name));
}

Object group_names(Interpreter& ruby, Object self, const Arguments&) {
  ArrayObject* names = ruby.new_array();
  for (const Regex::NamedGroup& named : self.match->regex->named_groups()) {
    ruby.push(*names, ruby.string(named.name));
  }
  return Object::of(names);
}

Object group_count(Interpreter& ruby, Object self, const Arguments&) {
  return ruby.integer(static_cast<int64_t>(self.match->groups.size()));
}

Object text_before(Interpreter& ruby, Object self, const Arguments&) {
  const MatchObject& match = *self.match;
  auto begin = static_cast<size_t>(match.groups[0].data() - match.text.data());
  return ruby.borrowed(match.text.substr(0, begin));
}

Object text_behind(Interpreter& ruby, Object self, const Arguments&) {
  const MatchObject& match = *self.match;
  auto begin = static_cast<size_t>(match.groups[0].data() - match.text.data());
  return ruby.borrowed(match.text.substr(begin + match.groups[0].size()));
}

constexpr Method kRegexp[] = {
    {Class::kRegexp, "match", 1, 1, kNever, regexp_match},
    {Class::kRegexp, "match?", 1, 1, kNever, regexp_matches},
    {Class::kRegexp, "=~", 1, 1, kNever, regexp_position},
    {Class::kRegexp, "source", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.borrowed(self.regexp->source);
     }},
    {Class::kMatch, "[]", 1, 2, kNever, match_group},
    {Class::kMatch, "names", 0, 0, kNever, group_names},
    {Class::kMatch, "length", 0, 0, kNever, group_count},
    {Class::kMatch, "size", 0, 0, kNever, group_count},
    {Class::kMatch, "captures", 0, 0, kNever, match_groups<1>},
    {Class::kMatch, "to_a", 0, 0, kNever, match_groups<0>},
    {Class::kMatch, "pre_match", 0, 0, kNever, text_before},
    {Class::kMatch, "post_match", 0, 0, kNever, text_behind},
    {Class::kClass, "name", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.borrowed(class_name(self.named));
     }},
    {Class::kForeign, "unwrap", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       if (!self.foreign->is_sensitive()) ruby.fail_with("the method 'unwrap' of such a value");
       return ruby.bring_over(*ruby.arena().make<Value>(self.foreign->as_sensitive()));
     }},
};

// All families of methods in one list.
struct All {
  std::vector<Method> methods;
  All() {
    for (const std::span<const Method> family :
         {std::span<const Method>(kObject), std::span<const Method>(kSymbol),
          std::span<const Method>(kRange), std::span<const Method>(kRegexp)}) {
      methods.insert(methods.end(), family.begin(), family.end());
    }
  }
};

}  // namespace

std::span<const Method> object_methods() {
  static const All all;
  return all.methods;
}

}  // namespace bunraku::erb

// The methods of a template itself and of its scope.
#include "ruby/erb/interpreter.h"

namespace bunraku::erb {

namespace {

using enum BlockUse;

// The name of a variable or function, copied so that it outlives the rendering.
std::string_view name_of(Interpreter& ruby, const Object& object) {
  if (!object.is(Class::kString)) ruby.fail_with("such a name");
  return ruby.scope().arena().copy(object.string->text);
}

Object kept(Interpreter& ruby, Value value) {
  Value* copy = ruby.scope().arena().make_array<Value>(1);
  *copy = value;
  return ruby.bring_over(*copy);
}

Object look_up(Interpreter& ruby, Object, const Arguments& arguments) {
  return ruby.look_up(name_of(ruby, arguments[0]));
}

Object set_variable(Interpreter& ruby, Object, const Arguments& arguments) {
  return ruby.set_variable(name_of(ruby, arguments[0]), arguments[1]);
}

Object has_variable(Interpreter& ruby, Object, const Arguments& arguments) {
  if (!arguments[0].is(Class::kString) && !arguments[0].is(Class::kSymbol)) {
    ruby.fail_with("such a name");
  }
  return ruby.boolean(
      ruby.scope().has_variable(ruby.scope().arena().copy(arguments[0].string->text)));
}

// The arguments are spread as Ruby's splat does it. Functions of the older interface, whose names
// have no module, take none but an array.
Object call_function(Interpreter& ruby, Object, const Arguments& arguments) {
  const std::string_view name = name_of(ruby, arguments[0]);
  const Object& given = arguments[1];
  if (!given.is(Class::kArray) && name.find("::") == name.npos) {
    ruby.fail_with("'call_function' in this form");
  }
  std::vector<Value> values;
  if (given.is(Class::kArray) || given.is(Class::kHash) || given.is(Class::kRange)) {
    for (const Object& argument : ruby.items(ruby.to_array(given))) {
      values.push_back(ruby.to_value(argument));
    }
  } else if (!given.is_nil()) {
    values.push_back(ruby.to_value(given));
  }
  return kept(ruby, ruby.call_function(name, values));
}

// Arguments: a message, and optionally the name of a class.
Object raise(Interpreter& ruby, Object, const Arguments& arguments) {
  const std::string_view error_class =
      arguments.size() > 1 ? ruby.text_of(arguments[1]) : std::string_view("RuntimeError");
  ruby.fail(std::string(ruby.text_of(arguments[0])), true, error_class);
}

// A proc is known only at run time, so its arguments are not checked before.
Object call_proc(Interpreter& ruby, Object self, const Arguments& arguments) {
  return ruby.yield(*self.block, arguments.values);
}

Object error_message(Interpreter& ruby, Object self, const Arguments&) {
  if (!self.error->is_certain) ruby.fail_with("the message of an error");
  return ruby.borrowed(self.error->message);
}

Object instance_variable_get(Interpreter& ruby, Object, const Arguments& arguments) {
  if (!arguments[0].is(Class::kString) && !arguments[0].is(Class::kSymbol)) {
    ruby.fail_with("such a name");
  }
  return ruby.instance_variable(arguments[0].string->text);
}

// --- the context of a data function ---

Object call_context(Interpreter& ruby, Object self, std::string_view method,
                    const Arguments& arguments) {
  std::vector<Value> values;
  for (const Object& argument : arguments.values) values.push_back(ruby.to_value(argument));
  if (arguments.block == nullptr) {
    return kept(ruby, ruby.scope().call_context(*self.foreign, method, values, nullptr));
  }
  const ContextBlock block = [&](std::span<const Value> given) {
    std::vector<Object> objects;
    for (const Value& value : given) objects.push_back(kept(ruby, value));
    return ruby.to_value(ruby.yield(*arguments.block, objects));
  };
  return kept(ruby, ruby.scope().call_context(*self.foreign, method, values, &block));
}

template <const char* kName>
Object context_method(Interpreter& ruby, Object self, const Arguments& arguments) {
  return call_context(ruby, self, kName, arguments);
}

constexpr char kNotFound[] = "not_found", kExplain[] = "explain", kInterpolate[] = "interpolate",
               kCache[] = "cache", kCacheAll[] = "cache_all", kCacheHasKey[] = "cache_has_key",
               kCachedValue[] = "cached_value", kCachedFileData[] = "cached_file_data";

constexpr Method kTemplateMethods[] = {
    {Class::kContext, kNotFound, 0, 0, kNever, context_method<kNotFound>},
    {Class::kContext, kExplain, 0, 0, kMust, context_method<kExplain>},
    {Class::kContext, kInterpolate, 1, 1, kNever, context_method<kInterpolate>},
    {Class::kContext, kCache, 2, 2, kNever, context_method<kCache>},
    {Class::kContext, kCacheAll, 1, 1, kNever, context_method<kCacheAll>},
    {Class::kContext, kCacheHasKey, 1, 1, kNever, context_method<kCacheHasKey>},
    {Class::kContext, kCachedValue, 1, 1, kNever, context_method<kCachedValue>},
    {Class::kContext, kCachedFileData, 1, 1, kMay, context_method<kCachedFileData>},
    {Class::kScope, "[]=", 2, 2, kNever, set_variable},
    {Class::kTemplate, "scope", 0, 0, kNever,
     [](Interpreter&, Object, const Arguments&) { return Object(Class::kScope); }},
    {Class::kTemplate, "has_variable?", 1, 1, kNever, has_variable},
    {Class::kTemplate, "raise", 1, 2, kNever, raise},
    {Class::kTemplate, "instance_variables", 0, 0, kNever,
     [](Interpreter& ruby, Object, const Arguments&) { return ruby.instance_variable_names(); }},
    {Class::kTemplate, "instance_variable_get", 1, 1, kNever, instance_variable_get},
    {Class::kScope, "[]", 1, 1, kNever, look_up},
    {Class::kScope, "lookupvar", 1, 1, kNever, look_up},
    {Class::kScope, "include?", 1, 1, kNever, has_variable},
    {Class::kScope, "call_function", 2, 2, kNever, call_function},
    {Class::kScope, "setvar", 2, 2, kNever, set_variable},
    {Class::kScope, "to_hash", 0, 0, kNever,
     [](Interpreter& ruby, Object, const Arguments&) { return ruby.all_variables(); }},
    {Class::kProc, "call", 0, kAnyCount, kNever, call_proc},
    {Class::kProc, "[]", 0, kAnyCount, kNever, call_proc},
    {Class::kError, "message", 0, 0, kNever, error_message},
    {Class::kError, "to_s", 0, 0, kNever, error_message},
};

}  // namespace

std::span<const Method> template_methods() {
  return kTemplateMethods;
}

}  // namespace bunraku::erb

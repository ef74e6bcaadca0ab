#include "ruby/erb/template.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "ruby/erb/script.h"

using namespace bunraku;
using namespace bunraku::erb;

namespace {

class Variables final : public TemplateScope {
 public:
  Arena& arena() override { return arena_; }
  const Value* find_instance_variable(std::string_view name) override {
    auto found = values.find(name);
    return found == values.end() ? nullptr : &found->second;
  }
  bool is_frozen(std::string_view name) override { return name == "frozen"; }
  void change_objects(std::span<const ObjectChange> changed) override {
    ChangedObjects objects(arena_, changed);
    for (const auto& [name, value] : values) {
      const Value after = objects.updated(value);
      if (!identical(after, value)) changes[name] = after;
    }
  }
  Value look_up(std::string_view name) override {
    const Value* found = find_instance_variable(name);
    return found == nullptr ? Value() : *found;
  }
  bool has_variable(std::string_view name) override { return values.contains(name); }
  Value call_function(std::string_view, std::span<const Value> arguments) override {
    return arguments.empty() ? Value() : arguments[0];
  }
  std::optional<std::string> yaml_of(Value value) override {
    return value.is_array() ? std::nullopt : std::optional<std::string>("--- yaml\n");
  }
  std::optional<std::string> json_of(Value) override { return "json"; }
  std::optional<std::string> pretty_json_of(Value, std::string_view) override {
    return std::nullopt;
  }
  bool has_older_function(std::string_view name) override { return name == "same"; }
  Value all_variables() override {
    HashBuilder all(arena_);
    for (const auto& [name, value] : values) all.set(Value::string(arena_, name), value);
    return all.finish();
  }
  bool set_variable(std::string_view name, Value value) override {
    values.insert_or_assign(std::string(name), value);
    return true;
  }
  std::optional<Value> parse_json(std::string_view) override { return std::nullopt; }
  TemplateMemory& memory() override { return memory_; }

  std::map<std::string, Value, std::less<>> values;
  std::map<std::string, Value> changes;

 private:
  Arena arena_;
  TemplateMemory memory_;
};

std::string rendered(std::string_view source, Variables& variables) {
  Template compiled(source);
  REQUIRE_MESSAGE(compiled.obstacle() == nullptr, source << ": " << compiled.obstacle()->construct);
  std::string text;
  int line = 0;
  compiled.render(variables, text, line);
  return text;
}

std::string rendered(std::string_view source) {
  Variables variables;
  return rendered(source, variables);
}

// "line: construct" of the obstacle, found before or during the rendering.
std::string obstacle(std::string_view source) {
  const Template compiled(source);
  if (const Obstacle* known = compiled.obstacle()) {
    return std::to_string(known->line) + ": " + known->construct;
  }
  Variables variables;
  std::string text;
  int line = 0;
  try {
    compiled.render(variables, text, line);
  } catch (const Obstacle& met) {
    return std::to_string(met.line) + ": " + met.construct;
  } catch (const Failure& failure) {
    return "raises " + failure.message;
  }
  return "rendered";
}

std::string repeated(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace

TEST_CASE("a script keeps the lines of its template") {
  Script script = make_script("a\nb<% if x -%>\nc\n<% end %>d");
  CHECK(script.texts == std::vector<std::string>{"a\nb", "c\n", "d"});
  CHECK(std::ranges::count(script.code, '\n') == 4);
}

TEST_CASE("functions by their older interface") {
  CHECK(rendered("<%= scope.function_same([[1, 'a']]) %>") == "[1, \"a\"]");
  CHECK(obstacle("<%= scope.function_other([1]) %>") == "1: the method 'function_other'");
}

TEST_CASE("YAML is written of what the manifest gave, as long as nothing looked into it") {
  Variables variables;
  Arena arena;
  HashBuilder hash(arena);
  hash.set("a", Value::integer(1));
  variables.values["hash"] = hash.finish();
  CHECK(rendered("<%= @hash.to_yaml %><%= @hash.to_json %>", variables) == "--- yaml\njson");
  CHECK(obstacle("<%= [1].to_yaml %>") == "1: the method 'to_yaml' of such a value");
  CHECK(obstacle("<%= :a.to_json %>") == "1: a Symbol as a value of the language");
}

TEST_CASE("a value of the manifest is one object, however it is asked for") {
  Variables variables;
  Arena arena;
  variables.values["list"] = Value::array(arena, {Value::string("a")});
  CHECK(rendered("<% @list << 'b' %><%= @list.size %><%= scope['list'].size %>", variables) ==
        "22");
  CHECK(variables.values["list"].as_array().size() == 1);
  CHECK(variables.changes["list"].as_array().size() == 2);
}

TEST_CASE(
    "only changes of the manifest's own objects are reported, and only by a whole rendering") {
  Variables variables;
  Arena arena;
  variables.values["list"] = Value::array(arena, {Value::string("a")});
  rendered("<% @list = @list.dup; @list << 'b'; @other ||= []; @other << 1 %>", variables);
  rendered("<% @list << 'b'; @list.pop %>", variables);
  CHECK(variables.changes.empty());
  const Template compiled("<% @list << 'b' %><%= [@list].pack(@list) %>");
  std::string text;
  int line = 0;
  if (compiled.obstacle() == nullptr) CHECK_THROWS(compiled.render(variables, text, line));
  CHECK(variables.changes.empty());
}

TEST_CASE("enumerators that are walked at once") {
  CHECK(rendered("<%= %w[a b].each_with_index.map { |x, i| [i, x] }.inspect %>") ==
        "[[0, \"a\"], [1, \"b\"]]");
  CHECK(rendered("<%= %w[a b].map.with_index(1) { |x, i| x * i }.join(',') %>") == "a,bb");
  CHECK(obstacle("<%= [1].map %>") == "1: the method 'map' in this form");
}

TEST_CASE("texts of the manifest are not changed") {
  Variables variables;
  variables.values["text"] = Value::string("a");
  const Template compiled("<% @text << 'b' %>");
  std::string text;
  int line = 0;
  CHECK_THROWS_AS(compiled.render(variables, text, line), Obstacle);
}

TEST_CASE("what needs Ruby is known with its line") {
  CHECK(obstacle("a\n<%= [1].pack('C') %>") == "2: the method 'pack'");
  CHECK(obstacle("<% while true %>x<% end %>") == "1: so many steps");
  CHECK(obstacle("\n\n<%= Dir.pwd %>") == "3: the constant 'Dir'");
  CHECK(obstacle("<%= `ls` %>") == "1: a command in backquotes");
  CHECK(obstacle("<%= x = ->(a) { a } %>") == "1: the text of such an object");
  CHECK(obstacle("<% [1].each { x = lambda { 1 } } %>") == "1: a proc at this place");
  CHECK(obstacle("<% a = <<~X\n   a\n  \n  b\nX\n%>") ==
        "1: a here document with a line of blanks");
  CHECK(obstacle("<% a = <<X\n\\\nX\n%>") == "1: an escaped line end in a here document");
  CHECK(obstacle("<% a = <<X\n%>X\n") == "1: a here document that does not end in its tag");
  CHECK(obstacle("<% def self.a; end %>") == "1: the definition of such a method");
  CHECK(obstacle("<%= _erbout %>") == "1: '_erbout'");
  CHECK(obstacle("<%= $stdout %>") == "1: a global variable");
  CHECK(obstacle("<% next %>").starts_with("1: "));
  CHECK(obstacle("<%= 1.join %>") == "1: the method 'join' of Integer");
  CHECK(obstacle("<%= 2 ** 64 %>") == "1: an integer of more than 64 bits");
  CHECK(obstacle("\xff") == "1: text that is not UTF-8");
}

TEST_CASE("broken code is for Ruby to report") {
  for (std::string source : {"<% if %>", "<% end %>", "<%= ( %>", "<%= 'a %>", "<%= \"#{ %>",
                             "<% [1 %>", "<% a.each do |x| %>", "<% } %>", "<%= a. %>",
                             "<%= 1 + %>", "<% case 1 %>x<% when 1 %>y<% end %>", "<%= { 1 } %>",
                             "<%= %w[a %>", "<%= /a %>", "<%= :\" %>", "<% x = %>", "<%= 1 2 %>"}) {
    CAPTURE(source);
    CHECK(obstacle(source) != "rendered");
  }
}

TEST_CASE("nothing goes on for ever or too deep") {
  CHECK(obstacle("<% a = [1]; a.each { |x| a << x } %>") != "rendered");
  CHECK(obstacle("<% (1..9).each { |a| (1..9999).each { |b| (1..9999).each { |c| c } } } %>") ==
        "1: so many steps");
  CHECK(obstacle("<% s = 'x' * 1000; 99.times { s = s + s } %>") == "1: so long a text");
  CHECK(obstacle("<% a = []; 9.times { |i| a << a }; a.inspect %>") ==
        "1: objects or code nested so deeply");
  CHECK(obstacle("<%= " + repeated("(", 100'000) + " %>") != "rendered");
  CHECK(obstacle("<%= " + repeated("[", 100'000) + " %>") != "rendered");
  CHECK(obstacle("<%= " + repeated("!", 100'000) + "1 %>") != "rendered");
  CHECK(obstacle("<%= 1" + repeated(" + 1", 100'000) + " %>") != "rendered");
  CHECK(obstacle("<%= [1]" + repeated(".compact", 100'000) + " %>") != "rendered");
  CHECK(obstacle(repeated("<% if true %>", 10'000)) != "rendered");
  CHECK(obstacle("<% if true %>" + repeated("<% elsif true %>", 10'000) + "<% end %>") !=
        "rendered");
  CHECK(obstacle("<%= \"" + repeated("#{\"", 10'000) + " %>") != "rendered");
}

TEST_CASE("what nil has not is reported as Ruby does") {
  const Template compiled("a\n\n<%= @x.join(',') %>");
  Variables variables;
  std::string text;
  int line = 0;
  try {
    compiled.render(variables, text, line);
    FAIL("it was rendered");
  } catch (const Failure& failure) {
    CHECK(failure.line == 3);
    CHECK(failure.message == "undefined method `join' for nil:NilClass");
    CHECK(failure.is_certain);
  }
}

TEST_CASE("the same source is compiled once") {
  CHECK(compiled_template("<%= 1 %>") == compiled_template(std::string("<%= 1 %>")));
  CHECK(compiled_template("<%= 1 %>") != compiled_template("<%= 2 %>"));
}

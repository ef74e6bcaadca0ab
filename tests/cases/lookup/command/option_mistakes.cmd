# Values of lookup_options.
# case: timeout=120
mkdir -p production/data
cat > production/hiera.yaml <<'YAML'
version: 5
hierarchy:
  - {name: one, path: one.yaml}
  - {name: two, path: two.yaml}
YAML
echo 'a: [b]' > production/data/two.yaml
while read -r options; do
  echo "## $options"
  cat > production/data/one.yaml <<YAML
lookup_options: $options
lo: {a: {merge: unique}}
m: unique
a: "1a"
YAML
  bunraku lookup a --no-facts --environmentpath . --hiera_config /nonexistent --node n.example.com --render-as s 2>&1 | sed "s,$PWD,<folder>,"
done <<'OPTIONS'
5
x
[]
[a]
{a: x}
{a: {}}
{a: }
{a: {nope: 1}}
{a: {merge: nope}}
{a: {merge: 5}}
{a: {merge: []}}
{a: {merge: }}
{a: {merge: {}}}
{a: {merge: {strategy: nope}}}
{a: {merge: {strategy: deep, nope: 1}}}
{a: {merge: {strategy: deep, knockout_prefix: 5}}}
{a: {merge: {strategy: deep, sort_merged_arrays: x}}}
{a: {merge: {nope: 1}}}
{a: {merge: unique}}
{a: {merge: hash}}
{a: {merge: deep}}
{a: {merge: first}}
{a: {convert_to: }}
{a: {convert_to: 5}}
{a: {convert_to: []}}
{a: {convert_to: {}}}
{a: {convert_to: Nope}}
{a: {convert_to: "Integer["}}
{a: {convert_to: String}}
{a: {convert_to: Sensitive}}
{a: {convert_to: [Sensitive]}}
{a: {convert_to: [Integer, 16]}}
{a: {convert_to: [Integer, 16, true]}}
{a: {convert_to: [[Integer, 16], String]}}
{a: {convert_to: [5]}}
{a: {convert_to: Boolean}}
{a: {convert_to: "Array[Integer]"}}
{a: {convert_to: ["Array", true]}}
{a: {convert_to: Timestamp}}
{a: {convert_to: "Struct[{x => Integer}]"}}
{a: {convert_to: Class}}
{a: {convert_to: Any}}
{a: {convert_to: Numeric}}
{a: {convert_to: [String, "%#x"]}}
{"^a": {merge: unique}}
{"^": {merge: unique}}
{"^(": {merge: unique}}
{"^b": {merge: unique}, "^a": {merge: hash}, a: {merge: unique}}
{"a": {merge: unique, convert_to: String}}
{"a.b": {merge: unique}}
"%{alias('lo')}"
{a: {merge: "%{lookup('m')}"}}
OPTIONS

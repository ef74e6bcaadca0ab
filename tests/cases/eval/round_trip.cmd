# Every kind of value is written, read back by --vars, compared with the original, and written again the same.
cat > values <<'VALUES'
undef
true
false
0
-9223372036854775807
9223372036854775807
1.5
1.0e300
-1.0e-300
0.0
''
'text'
"quotes ' \" and \\ back"
"lines\nand\ttabs\u{0}\u{7f}"
'é日本'
"\u{1F600}"
'__ptype'
default
[]
[1, [2, []], undef, default]
{}
{ 'a' => 1, 'b' => { 'c' => [1] } }
{ 'z' => 1, 'a' => 2, 'm' => 3 }
{ 1 => 'a', undef => 'b', default => 'c', [1] => 'd', 2.5 => 'e' }
{ '__ptype' => 'x', '__pvalue' => 1 }
{ { 'a' => 1 } => { 'b' => 2 } }
{ '' => 1 }
/a/
/a\/b(?<n>c)\n"/
//
Binary('aGVsbG8=')
Binary('')
SemVer('1.2.3-rc.1+b.2')
SemVerRange('>=1.0.0 <2.0.0')
SemVerRange('1.x || 3.x')
Timestamp('2020-01-02T03:04:05.678901234 UTC')
Timestamp('1969-12-31T23:59:59.5 UTC')
Timespan(90061.5)
Timespan('-1-02:03:04')
URI('http://user@example.com:80/a/b?c=d#e')
URI('urn:a:b')
[Binary('aGk='), { 'r' => /x/, 's' => SemVer('1.0.0') }]
Any
Undef
Default
Scalar
ScalarData
Numeric
Integer
Integer[1, 5]
Integer[default, 5]
Float[1.5]
Boolean[true]
String[1, 3]
Enum['a', 'b', true]
Pattern[/a/, /b'c/]
Regexp[/a/]
Collection[1]
Array[Integer, 1, 2]
Array[0, 0]
Hash[String, Integer, 1]
Tuple[Integer, String, 1, 4]
Struct[{ 'a' => Integer, Optional['b'] => String, NotUndef['c'] => Any }]
Variant[Integer, String]
Optional['x']
Optional[Integer]
NotUndef[Integer]
Iterable[Integer]
Iterator[Integer]
Callable[[Integer, String, 1, 2, Callable[String]], Integer]
Callable[0, 0]
Type[Integer]
Init[Integer, 16]
Sensitive[String]
Binary
SemVer['1.x', '3.x']
SemVerRange
Timespan[1, 2]
Timestamp['2020-01-01', '2021-01-01']
URI['http://a']
URI[{ 'scheme' => 'http' }]
CatalogEntry
Class
Class['a::b']
Resource
File
File['/a b']
Resource['exec', 'x']
Resource['my::type', 'x']
Resource['my::type']
Runtime['ruby', 'X']
Data
RichData
Object[{ name => 'My::Thing', attributes => { 'a' => Integer } }]
Deferred
Error
Deferred('join', [[1, /a/], Deferred('$x')])
Error('message', 'kind', { 'a' => 1 }, 'CODE')
[1, 2].reverse_each.map |$x| { $x }
VALUES
all="[$(paste -sd, values)]"
for format in json rich-json; do
  bunraku eval --format "$format" -e "$all" > first.json
  bunraku eval --vars first.json --format "$format" -e '$value' > second.json
  cmp first.json second.json && echo "$format: $(wc -l < values) values are written the same again"
  bunraku eval --vars first.json --format text -e "\$original = $all
    \$equal = \$original.map |\$i, \$v| { \$value[\$i] == \$v }
    \$equal.filter |\$equal| { \$equal }.length"
  # The following values differ from the preceding ones, to show that the test can fail.
  bunraku eval --vars first.json --format text -e "\$original = $all
    \$equal = \$original.map |\$i, \$v| { \$value[\$i + 1] == \$v }
    \$equal.filter |\$equal| { \$equal }.length"
done
# Sensitive values are equal only to themselves, so their contents are compared.
bunraku eval --format json -e '[Sensitive(1), { a => Sensitive(["x"]) }]' > sensitive.json
bunraku eval --vars sensitive.json --format json -e '[$value[0].unwrap, $value[1]["a"].unwrap, $value]'
# Iterators are written as lists of their items.
bunraku eval --format json -e '[1, 2, 3].reverse_each' > iterator.json
bunraku eval --vars iterator.json --format text -e '$value'

# Writes src/base/text/unicode_tables.inc: letter case, white space and width of characters in Ruby.
# usage: ruby tools/unicode_tables.rb > src/base/text/unicode_tables.inc
require 'reline'

CODES = ((0..0xD7FF).to_a + (0xE000..0x10FFFF).to_a).freeze

# Ranges of characters that map by the same distance, each or every second one.
def runs(pairs)
  result = []
  pairs.each do |from, to|
    first, last, stride, delta = result.last
    if first && to - from == delta
      step = from - last
      if step <= 2 && (first == last || step == stride)
        result.last[1] = from
        result.last[2] = step
        next
      end
    end
    result << [from, from, 1, to - from]
  end
  result
end

def mapping(name, method)
  single = []
  several = []
  CODES.each do |code|
    next if code < 0x80
    text = [code].pack('U')
    mapped = text.public_send(method)
    next if mapped == text
    mapped.length == 1 ? single << [code, mapped.ord] : several << [code, mapped]
  end
  puts "constexpr CaseRun k#{name}Runs[] = {"
  runs(single).each { |run| puts "    {0x%X, 0x%X, %d, %d}," % run }
  puts '};'
  puts "constexpr SpecialCase k#{name}Special[] = {"
  several.each { |code, mapped| puts "    {0x%X, \"%s\"}," % [code, mapped.bytes.map { |b| format('\\x%02X', b) }.join] }
  puts '};'
end

def ranges(name)
  codes = CODES.select { |code| yield [code].pack('U') }
  puts "constexpr CharacterRange k#{name}[] = {"
  codes.slice_when { |a, b| b != a + 1 }.each { |run| puts "    {0x%X, 0x%X}," % [run.first, run.last] }
  puts '};'
end

puts "// Written by tools/unicode_tables.rb from Unicode #{RbConfig::CONFIG['UNICODE_VERSION']}; do not edit."
mapping('Upper', :upcase)
mapping('Lower', :downcase)
mapping('Title', :capitalize)
mapping('Swap', :swapcase)
ranges('Blank') { |text| text.match?(/[[:blank:]]/) }
ranges('Space') { |text| text.match?(/[[:space:]]/) }
ranges('ZeroWidth') { |text| text.match?(/[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/) && text != "\u00AD" }
wide = Reline::Unicode::EastAsianWidth
ranges('Wide') { |text| text.match?(/\A(?:#{wide::TYPE_F}|#{wide::TYPE_W})/) }

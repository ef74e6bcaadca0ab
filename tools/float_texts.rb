# Rewrites tests/unit/base/data/float_texts.txt: the bits of each number, and its text in Ruby.
# usage: ruby tools/float_texts.rb tests/unit/base/data/float_texts.txt
bits = File.readlines(ARGV[0], chomp: true).map { |line| line.split.first }
File.write(ARGV[0], bits.map { |hex| "#{hex} #{[hex].pack('H*').unpack1('G')}\n" }.join)

# Rewrites tests/unit/base/data/float_texts.txt: beside each number's bits how Ruby prints it.
# usage: ruby tools/float_texts.rb tests/unit/base/data/float_texts.txt
bits = File.readlines(ARGV[0], chomp: true).map { |line| line.split.first }
File.write(ARGV[0], bits.map { |hex| "#{hex} #{[hex].pack('H*').unpack1('G')}\n" }.join)

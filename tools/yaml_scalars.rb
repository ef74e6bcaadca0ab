# Rewrites tests/unit/base/data/yaml_scalars.txt: each scalar, and its value as read by Ruby.
# usage: ruby tools/yaml_scalars.rb tests/unit/base/data/yaml_scalars.txt
require 'yaml'

def meaning(scalar)
  value = YAML.safe_load("- #{scalar}", permitted_classes: [Symbol], filename: 'f')[0]
  case value
  when nil then 'null'
  when true, false then value.to_s
  when Integer then "integer #{value}"
  when Float then "float #{value}"
  when Symbol then "symbol #{value}"
  when String then "string #{value}"
  else value.class.name
  end
rescue Psych::DisallowedClass => e
  "error (f): #{e.message}"
rescue StandardError => e
  "error #{e.message}"
end

scalars = File.readlines(ARGV[0], chomp: true).map { |line| line.split("\t", 2).first }
File.write(ARGV[0], scalars.map { |scalar| "#{scalar}\t#{meaning(scalar)}\n" }.join)

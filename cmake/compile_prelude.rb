# ruby compile_prelude.rb DIRECTORY OUTPUT: the files of the prelude as this Ruby compiles them, a marshalled hash from names to
# instruction sequences. Another Ruby does not load them, and takes the texts.
directory, output = ARGV
files = Dir["#{directory}/**/*.rb"].sort.to_h do |file|
  name = file.delete_prefix("#{directory}/")
  [name, RubyVM::InstructionSequence.compile(File.read(file, encoding: 'UTF-8'), "bunraku/#{name}", nil, 1).to_binary]
end
File.binwrite(output, Marshal.dump(files))

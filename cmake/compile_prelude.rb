# ruby compile_prelude.rb DIRECTORY OUTPUT: compiles the files of the prelude with this Ruby, and writes a marshalled hash from
# names to instruction sequences. Other Ruby versions do not load them, and use the source texts.
directory, output = ARGV
files = Dir["#{directory}/**/*.rb"].sort.to_h do |file|
  name = file.delete_prefix("#{directory}/")
  [name, RubyVM::InstructionSequence.compile(File.read(file, encoding: 'UTF-8'), "bunraku/#{name}", nil, 1).to_binary]
end
File.binwrite(output, Marshal.dump(files))

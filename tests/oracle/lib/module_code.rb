# What modules define, and code that they contain as examples.
module ModuleCode
  module_function

  # The classes, or defined types, of a module's manifests, by the file name that autoloading requires.
  def definitions(module_directory, keyword)
    main = File.basename(module_directory)
    Dir["#{module_directory}/manifests/**/*.pp"].sort.filter_map do |file|
      path = file.delete_prefix("#{module_directory}/manifests/").delete_suffix('.pp')
      name = path == 'init' ? main : [main, *path.split('/')].join('::')
      name if File.binread(file).match?(/^\s*#{keyword}\s+(::)?#{name}\b(?!::)/n)
    end
  end

  # Manifests in examples/, texts of acceptance tests without Ruby interpolation, and blocks of code in the documentation, by the
  # file and number.
  def of(module_directory)
    examples(module_directory).merge(acceptance(module_directory), documented(module_directory))
  end

  def examples(module_directory)
    Dir["#{module_directory}/examples/**/*.pp"].sort.to_h { |file| [file.delete_prefix("#{module_directory}/"), File.read(file)] }
  end

  def acceptance(module_directory)
    Dir["#{module_directory}/spec/acceptance/**/*_spec.rb"].sort.each_with_object({}) do |file, written|
      File.read(file).scan(/<<[~-](?:'|")?([A-Z]+)(?:'|")?[^\n]*\n(.*?)^\s*\1$/m).each_with_index do |(_, text), number|
        is_code = !text.match?(/\#\{/) && text.match?(/^\s*(class|include|\w[\w:]*)\s*\{|include /)
        written["#{file.delete_prefix("#{module_directory}/")}:#{number}"] = text if is_code
      end
    end
  end

  def documented(module_directory)
    Dir["#{module_directory}/{README,REFERENCE}.md"].sort.each_with_object({}) do |file, written|
      blocks = File.read(file, encoding: 'UTF-8').scrub.scan(/^``` ?puppet[^\n]*\n(.*?)^```/m)
      blocks.each_with_index { |(text, *), number| written["#{File.basename(file)}:#{number}"] = text }
    end
  end
end

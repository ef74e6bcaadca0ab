require 'fileutils'
require 'tmpdir'

module Oracle
  # A copy of a control repository as an environment that is complete: modules that the repository does not contain are links to
  # those of another directory.
  class ControlRepository
    attr_reader :environment

    def initialize(directory, modules)
      copy = Dir.mktmpdir('bunraku-repository')
      at_exit { FileUtils.rm_rf(copy) }
      @environment = File.join(copy, 'production')
      FileUtils.cp_r(directory, @environment)
      @own = Dir["#{@environment}/*/*/manifests"].sort.map { |manifests| File.dirname(manifests) }.reject { |path| File.symlink?(path) }
      forget_programs
      link_modules(modules)
    end

    # The directories of the repository's own modules.
    def own_modules
      @own
    end

    private

    # A program that names the version of the code would run for each compilation.
    def forget_programs
      path = File.join(@environment, 'environment.conf')
      File.write(path, File.read(path).gsub(/^\s*config_version.*$/, '')) if File.exist?(path)
    end

    def link_modules(modules)
      FileUtils.mkdir_p("#{@environment}/modules")
      present = @own.map { |path| File.basename(path) }
      Dir["#{modules}/*"].each do |path|
        link = "#{@environment}/modules/#{File.basename(path)}"
        FileUtils.ln_s(File.realpath(path), link) unless present.include?(File.basename(path)) || File.exist?(link)
      end
    end
  end
end

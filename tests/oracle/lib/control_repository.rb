require 'fileutils'
require 'tmpdir'

module Oracle
  # A copy of a control repository as an environment that is complete: modules that the repository does not contain are links to
  # those of another directory.
  class ControlRepository
    # The environment's directory, and the directories of the repository's own modules.
    attr_reader :environment, :own_modules

    def initialize(directory, modules)
      copy = Dir.mktmpdir('bunraku-repository')
      at_exit { FileUtils.rm_rf(copy) }
      @environment = File.join(copy, 'production')
      FileUtils.cp_r(directory, @environment)
      @own_modules = Dir["#{@environment}/*/*/manifests"].sort.map { |manifests| File.dirname(manifests) }.reject { |path| File.symlink?(path) }
      remove_config_version
      link_modules(modules)
    end

    private

    # A program that names the version of the code would run for each compilation.
    def remove_config_version
      path = File.join(@environment, 'environment.conf')
      File.write(path, File.read(path).gsub(/^\s*config_version.*$/, '')) if File.exist?(path)
    end

    def link_modules(modules)
      FileUtils.mkdir_p("#{@environment}/modules")
      present = @own_modules.map { |path| File.basename(path) }
      Dir["#{modules}/*"].each do |path|
        link = "#{@environment}/modules/#{File.basename(path)}"
        FileUtils.ln_s(File.realpath(path), link) unless present.include?(File.basename(path)) || File.exist?(link)
      end
    end
  end
end

module Oracle
  # Two answers for one catalog: the results, and their differences.
  class Comparison
    # Fields that differ between any two compilations.
    MASKED = %w[version catalog_uuid].freeze
    # Types that are built into the program, and that the reference has only with a module:
    # docs/differences.md.
    D180_TYPES = %w[augeas cron host mailalias mount scheduled_task selboolean selmodule ssh_authorized_key sshkey yumrepo zfs zone
                    zpool].freeze
    D180 = /(?:Resource type (?:not found: )?|Unknown resource type: ')(?:#{D180_TYPES.join('|')})\b/i
    # The signatures of split and regsubst in version 8, and the message of older versions.
    D76 = /The function 'split' was called .*\(Sensitive\[String\] sensitive|'regsubst' .*Sensitive\[String\]/m
    # The reference's own file, in an error within a template.
    D150 = %r{^  Filepath: \S+/lib/puppet/(?:parser|util)/\w+\.rb$}
    # A Ruby library that Debian no longer packages.
    D79 = /cannot load such file -- scanf/
    # Names of attributes, resource types and templates that are no texts, and templates by a full path that does not exist.
    D65 = %r{undefined method [`'](?:intern|sub|split)' for |Failed to parse template /.*\n  Filepath: \S+/file_impl\.rb}
    # An error of Ruby that is not a StandardError has a place only here.
    D343 = /\A(cannot load such file -- \S+)(?:\nDid you mean\?.*)?\z/m
    # Files of modules that Ruby code of modules requires.
    D193 = %r{cannot load such file -- (?:puppet_?x?/|ruby-pwsh\b)}
    # Queries without a store: the reference has the function only with PuppetDB's termini.
    D652 = /Unknown function: 'puppetdb_query'/
    ALIKE = %i[equal both_fail_alike explained_by_D65 explained_by_D76 explained_by_D79 explained_by_D150 explained_by_D180 explained_by_D193 explained_by_D343
               explained_by_D652].freeze

    attr_reader :outcome, :details

    def initialize(ours, theirs)
      @ours = ours
      @theirs = theirs
      @outcome, @details = compare
    end

    def alike?
      ALIKE.include?(outcome)
    end

    def ours_unsupported?
      @ours['message']&.match?(/ is not supported yet\b/)
    end

    private

    # The reference's error about a file that cannot be loaded, without Ruby's suggestions.
    def load_error
      @theirs['message']&.slice(D343, 1)
    end

    def compare
      return [:explained_by_D180, []] if @theirs['message']&.match?(D180) && shown(@ours) != shown(@theirs)
      return [:explained_by_D193, []] if @theirs['message']&.match?(D193) && !@ours['message']&.match?(D193)
      return [:explained_by_D79, []] if @theirs['message']&.match?(D79) && !@ours['message']&.match?(D79)
      return [:explained_by_D65, []] if @theirs['message']&.match?(D65) && @ours['message']
      return [:explained_by_D76, []] if @theirs['message']&.match?(D76) && @ours['message']&.match?(/'(?:split|regsubst)' /)
      return [:explained_by_D343, []] if load_error && @ours['message']&.include?(", #{load_error} (")
      return [:explained_by_D652, []] if @theirs['message']&.match?(D652) && @ours['message']&.include?('puppetdb_query needs a store')
      return compare_catalogs if @ours['catalog'] && @theirs['catalog']
      # The module may report it, too.
      return [:both_fail_alike, []] if @theirs['message'] && shown(@ours) == shown(@theirs)
      return [:explained_by_D150, []] if @theirs['message']&.match?(D150) && shown_without_places(@ours) == shown_without_places(@theirs)
      return [@theirs['catalog'] ? :not_supported_yet : :both_fail_ours_unsupported, [@ours['message']]] if ours_unsupported?
      return [:only_reference_compiles, [@ours['message']]] if @theirs['catalog']
      return [:only_we_compile, [@theirs['message']]] if @ours['catalog']
      [:both_fail_otherwise, ["ours:   #{@ours['message']}", "theirs: #{@theirs['message']}"]]
    end

    def compare_catalogs
      ours = @ours['catalog'].except(*MASKED)
      theirs = @theirs['catalog'].except(*MASKED)
      return [:equal, []] if JSON.generate(ours) == JSON.generate(theirs)
      [:different, differences(ours, theirs)]
    end

    def shown(answer)
      answer['message'].to_s.sub(/ on node \S+\z/, '')
    end

    def shown_without_places(answer)
      shown(answer).gsub(/^  (?:Filepath|Line): .*\n/, '')
    end

    def differences(ours, theirs, path = '')
      if ours.is_a?(Hash) && theirs.is_a?(Hash)
        key_differences(ours, theirs, path) +
          (ours.keys & theirs.keys).flat_map { |key| differences(ours[key], theirs[key], "#{path}/#{key}") }
      elsif ours.is_a?(Array) && theirs.is_a?(Array)
        element_differences(ours, theirs, path)
      else
        ours.eql?(theirs) ? [] : ["#{path}: #{ours.inspect[0, 300]} in place of #{theirs.inspect[0, 300]}"]
      end
    end

    def key_differences(ours, theirs, path)
      return [] if ours.keys == theirs.keys
      ["#{path}: #{(ours.keys - theirs.keys).inspect} too many, #{(theirs.keys - ours.keys).inspect} missing, or another order"]
    end

    def element_differences(ours, theirs, path)
      size = ours.size == theirs.size ? [] : ["#{path}: #{ours.size} elements in place of #{theirs.size}"]
      size + ours.zip(theirs).first(theirs.size).each_with_index.flat_map do |(mine, other), index|
        name = mine.is_a?(Hash) && mine['title'] ? "#{mine['type']}[#{mine['title']}]" : index
        differences(mine, other, "#{path}/#{name}")
      end
    end
  end
end

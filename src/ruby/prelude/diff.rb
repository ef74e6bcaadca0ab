# Differences of files and texts for types and providers; loaded when code names the module.

# frozen_string_literal: true

module Puppet
  module Util
    # Both methods return the output of the program in the setting `diff`, or of diff where it is
    # not set.
    module Diff
      def diff(old, new)
        command = Puppet[:diff].to_s
        return '' if command.empty?

        words = [command, *Puppet[:diff_args].to_s.split(' '), old, new]
        Puppet::Util::Execution.execute(words, failonfail: false, combine: false).force_encoding(Encoding.default_external)
      end
      module_function :diff

      # The hunks of a unified difference of two texts, without the names of files.
      def lcs_diff(data_old, data_new, format = :unified, context_lines = 3)
        Diff.with_file(data_old) do |old|
          Diff.with_file(data_new) do |new|
            shape = format == :context ? '-C' : '-U'
            words = ['diff', shape, context_lines.to_s, old, new]
            hunks = Puppet::Util::Execution.execute(words, failonfail: false, combine: false).lines.drop(2)
            hunks.empty? ? '' : "\n#{hunks.join}"
          end
        end
      end

      def string_file_diff(path, string)
        Diff.with_file(string, ended: false) { |file| notice("\n#{diff(path, file)}") }
      end

      def self.with_file(text, ended: true)
        Tempfile.create('puppet-diffing') do |file|
          file.write(ended && !text.end_with?("\n") ? "#{text}\n" : text)
          file.close
          yield file.path
        end
      end
    end
  end
end

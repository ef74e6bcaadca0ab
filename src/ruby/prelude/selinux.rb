# SELinux contexts for types and providers; loaded when code names the module.

# frozen_string_literal: true

module Puppet
  module Util
    # Reads and changes the labels of files with the system's programs, so Ruby bindings are not
    # needed.
    module SELinux
      COMPONENTS = %i[seluser selrole seltype selrange].freeze
      LABELLED_FILE_SYSTEMS = %w[ext2 ext3 ext4 gfs gfs2 xfs jfs btrfs tmpfs zfs].freeze
      # The names that matchpathcon has for kinds of files that do not exist yet.
      MODES = { present: 'file', file: 'file', directory: 'dir', link: 'symlink' }.freeze

      def self.selinux_support?
        File.exist?('/sys/fs/selinux/enforce')
      end

      # The output of a program without its line end; nil when the program fails or is missing.
      def self.answer(*words)
        output = Puppet::Util::Execution.execute(words, failonfail: false, combine: false)
        output.exitstatus.zero? ? output.chomp : nil
      rescue Puppet::ExecutionFailure
        nil
      end

      def selinux_support?
        SELinux.selinux_support?
      end

      def get_selinux_current_context(file)
        return unless selinux_support?

        context = SELinux.answer('stat', '-c', '%C', '--', file)
        context unless context == '?'
      end

      def get_selinux_default_context(file, resource_ensure = nil)
        return unless selinux_support? && selinux_label_support?(file)

        kind = MODES[resource_ensure&.to_sym] unless File.symlink?(file) || File.exist?(file)
        context = SELinux.answer('matchpathcon', '-n', *(kind ? ['-m', kind] : []), file)
        context unless context == '<<none>>'
      end

      def get_selinux_default_context_with_handle(file, handle, resource_ensure = nil)
        return unless selinux_support? && selinux_label_support?(file)
        raise ArgumentError, 'Cannot get default context with nil handle' unless handle

        get_selinux_default_context(file, resource_ensure)
      end

      def parse_selinux_context(component, context)
        return if context.nil? || context == 'unlabeled'

        parts = /^([^\s:]+):([^\s:]+):([^\s:]+)(?::([\sa-zA-Z0-9:,._-]+))?$/.match(context)
        raise Puppet::Error, "Invalid context to parse: #{context}" unless parts

        number = COMPONENTS.index(component) or raise Puppet::Error, 'Invalid SELinux parameter type'
        parts[number + 1]
      end

      # Sets a whole context, or one component of it.
      def set_selinux_context(file, value, component = false)
        return unless selinux_support? && selinux_label_support?(file)

        value = component ? with_component(file, value, component) : value
        return if value.nil?
        return true if SELinux.answer('chcon', '--no-dereference', value, '--', file)

        Puppet.warning("Failed to set SELinux context #{value} on #{file}")
        false
      end

      def set_selinux_default_context(file, resource_ensure = nil)
        wanted = get_selinux_default_context(file, resource_ensure)
        return if wanted.nil? || wanted == get_selinux_current_context(file)

        set_selinux_context(file, wanted)
        wanted
      end

      private

      def with_component(file, value, component)
        context = get_selinux_current_context(file)
        if context.nil?
          Puppet.warning("Can't set SELinux context on file unless the file already has some kind of context")
          return
        end
        number = COMPONENTS.index(component)
        raise ArgumentError, "set_selinux_context component must be one of #{COMPONENTS[0, 3].map(&:inspect).join(', ')}, or :selrange" unless number

        parts = context.split(':', 4)
        parts[number] = value
        parts.join(':')
      end

      def selinux_label_support?(file)
        LABELLED_FILE_SYSTEMS.include?(find_fs(file))
      end

      # The file system of the longest mount point above the path.
      def find_fs(path)
        mounts = read_mounts or return
        path = Pathname.new(path).cleanpath
        raise Puppet::DevError, "got a relative path in SELinux find_fs: #{path}" unless path.absolute?

        path.ascend { |above| return mounts[above.to_s] if mounts.key?(above.to_s) }
        nil
      end

      def read_mounts
        File.foreach('/proc/mounts').map { |line| line.split(' ') }.reject { |words| words[2] == 'rootfs' }
            .to_h { |words| [words[1], words[2]] }
      rescue SystemCallError
        nil
      end
    end
  end
end

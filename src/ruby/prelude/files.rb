# Files for module code that uses Puppet::FileSystem.

# frozen_string_literal: true

module Puppet
  # Files by path, text or Pathname.
  module FileSystem
    class << self
      # Names of methods here and in File.
      { exist?: :exist?, file?: :file?, directory?: :directory?, dir_exist?: :directory?, executable?: :executable?,
        writable?: :writable?, symlink?: :symlink?, readlink: :readlink, stat: :stat, lstat: :lstat, size: :size,
        basename: :basename, dir: :dirname, expand_path: :expand_path, binread: :binread, unlink: :unlink }
        .each { |name, method| define_method(name) { |path, *more| File.public_send(method, path_string(path), *more) } }

      def path_string(path)
        path.respond_to?(:to_path) ? path.to_path : path.to_s
      end

      def pathname(path)
        require 'pathname'
        Pathname.new(path)
      end

      def basename_string(path)
        basename(path)
      end

      def dir_string(path)
        dir(path)
      end

      def read(path, options = {})
        File.read(path_string(path), **{ encoding: 'UTF-8' }.merge(options))
      end

      def read_preserve_line_endings(path)
        read(path, newline: nil).delete_prefix("\uFEFF")
      end

      def each_line(path, &block)
        File.foreach(path_string(path), &block)
      end

      def children(path)
        Dir.children(path_string(path)).map { |name| File.join(path_string(path), name) }
      end

      def mkpath(path)
        require 'fileutils'
        FileUtils.mkdir_p(path_string(path))
      end

      def open(path, mode, options, &block)
        File.open(path_string(path), options, mode, &block)
      end

      def touch(path, **)
        require 'fileutils'
        FileUtils.touch(path_string(path))
      end

      def compare_stream(path, stream)
        binread(path) == stream.read
      end
    end
  end

  # Files by the names that the file server uses: of modules ("puppet:///modules/m/path") and by
  # path.
  module FileServing
    # The content of a file.
    class Content
      attr_reader :path

      def self.indirection
        self
      end

      def self.find(address, *)
        path = address.to_s.sub(%r{\Afile://(?=/)}, '')
        if (match = %r{\Apuppet://[^/]*/modules/(.+)\z}.match(path))
          path = Bunraku.ask('file.find', 'files', match[1])
        end
        path && File.file?(path) ? new(path) : nil
      end

      def initialize(path)
        @path = path
      end
      alias full_path path

      def content
        @content ||= File.binread(@path)
      end

      def checksum
        "{sha256}#{Util::Checksums.sha256(content)}"
      end

      def ftype
        'file'
      end
    end
    Metadata = Class.new(Content)
  end
end

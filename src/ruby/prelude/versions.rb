# Versions and version ranges, under the names that module code uses.

# frozen_string_literal: true

module SemanticPuppet
  # major.minor.patch-prerelease+build
  class Version
    include Comparable
    attr_reader :major, :minor, :patch, :prerelease, :build

    # The error for a malformed version.
    class ValidationFailure < ArgumentError; end

    PATTERN = /\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?\z/.freeze

    def self._load(content)
      parse(content)
    end

    def self.parse(text)
      match = PATTERN.match(text) or raise ValidationFailure, "Unable to parse '#{text}' as a semantic version identifier"
      new(match[1].to_i, match[2].to_i, match[3].to_i, match[4]&.split('.'), match[5]&.split('.'))
    end

    def self.valid?(text)
      PATTERN.match?(text)
    end

    def initialize(major, minor, patch, prerelease = nil, build = nil)
      @major = major
      @minor = minor
      @patch = patch
      @prerelease_parts = prerelease&.map { |part| part.to_s =~ /\A\d+\z/ ? part.to_i : part }
      @prerelease = prerelease&.join('.')
      @build = build&.join('.')
    end

    def _dump(_level)
      to_s
    end

    def stable?
      @prerelease.nil?
    end

    def next(part)
      case part
      when :major then self.class.new(@major + 1, 0, 0)
      when :minor then self.class.new(@major, @minor + 1, 0)
      when :patch then self.class.new(@major, @minor, @patch + 1)
      end
    end

    def to_s
      text = "#{@major}.#{@minor}.#{@patch}"
      text += "-#{@prerelease}" if @prerelease
      text += "+#{@build}" if @build
      text
    end
    alias inspect to_s

    def <=>(other)
      return nil unless other.is_a?(Version)

      order = [@major, @minor, @patch] <=> [other.major, other.minor, other.patch]
      order.zero? ? compare_prerelease(other) : order
    end

    def ==(other)
      other.is_a?(Version) && other.to_s == to_s
    end
    alias eql? ==

    def hash
      to_s.hash
    end

    protected

    attr_reader :prerelease_parts

    private

    # Numbers sort before words, and a prerelease before its release.
    def compare_prerelease(other)
      mine = @prerelease_parts
      theirs = other.prerelease_parts
      return (mine.nil? ? 1 : 0) <=> (theirs.nil? ? 1 : 0) if mine.nil? || theirs.nil?

      rank = ->(parts) { parts.map { |part| part.is_a?(Integer) ? [0, part, ''] : [1, 0, part] } }
      rank[mine] <=> rank[theirs]
    end
  end

  # A range of versions; the compiler decides which versions it includes.
  class VersionRange
    attr_reader :text

    def self._load(content)
      new(content)
    end

    def self.parse(text)
      new(text)
    end

    def initialize(text)
      @text = text
    end

    def _dump(_level)
      @text
    end

    # The lower and upper bound of a range, where it has them.
    def begin
      bound = @text[/(?:\A|\s)(?:>=?|=)?\s*(\d+\.\d+\.\d+[^\s<]*)/, 1]
      bound && Version.parse(bound)
    end

    def end
      bound = @text[/<=?\s*(\d+\.\d+\.\d+\S*)/, 1]
      bound && Version.parse(bound)
    end

    def include?(version)
      type = Puppet::Pops::Types::TypeParser.singleton.parse("SemVer['#{@text}']")
      type.instance?(version.is_a?(Version) ? version : Version.parse(version))
    end
    alias === include?
    alias member? include?
    alias cover? include?

    def to_s
      @text
    end
    alias inspect to_s

    def ==(other)
      other.is_a?(VersionRange) && other.text == @text
    end
    alias eql? ==

    def hash
      @text.hash
    end
  end
end

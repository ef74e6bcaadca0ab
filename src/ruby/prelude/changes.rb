# Finds the arrays and hashes of the compiler that Ruby code has changed in place.

# frozen_string_literal: true

module Bunraku
  # The arrays and hashes within some values, as they are before code runs.
  class Snapshot
    # Code that may change arrays and hashes.
    CHANGING = /<<|\w!|\]\s*\S{0,2}=[^=~>]|\.(?:append|clear|compare_by_identity|concat|default|delete|delete_at|delete_if|
                fill|insert|keep_if|pop|prepend|push|replace|shift|store|unshift|update)\b/x.freeze

    def self.needed_for?(source)
      CHANGING.match?(source)
    end

    # `values` are the values by the beginnings of their paths.
    def initialize(values)
      @known = {}.compare_by_identity
      values.each { |start, value| keep(value, [start]) }
    end

    # The changed objects, and the known objects within them, which the compiler cannot recognise in the new content: each
    # as the path by which it was found, and its content. An object of which only a part has changed is none of them.
    def changes
      changed = @known.filter_map { |object, (_, before)| object unless same?(object, before) }
      within = {}.compare_by_identity
      changed.each { |object| reach(object, within) }
      within.each_key.filter_map { |object| [@known[object][0], object] if @known.key?(object) }
    end

    private

    def reach(value, found)
      return unless (value.is_a?(Array) || value.is_a?(Hash)) && !found.key?(value)

      found[value] = true
      (value.is_a?(Hash) ? value.values : value).each { |item| reach(item, found) }
    end

    def keep(value, path)
      return unless (value.is_a?(Array) || value.is_a?(Hash)) && !@known.key?(value)

      @known[value] = [path, value.to_a.dup]
      if value.is_a?(Array)
        value.each_with_index { |item, index| keep(item, path + [index]) }
      else
        value.each { |key, item| keep(item, path + [key]) }
      end
    end

    def same?(object, before)
      now = object.to_a
      now.size == before.size && now.each_with_index.all? do |item, index|
        object.is_a?(Array) ? item.equal?(before[index]) : item.each_with_index.all? { |part, at| part.equal?(before[index][at]) }
      end
    end
  end
end

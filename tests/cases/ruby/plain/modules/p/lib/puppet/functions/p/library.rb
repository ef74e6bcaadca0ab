# Ruby's own library.
require 'base64'
require 'cgi'
require 'digest'
Puppet::Functions.create_function(:'p::library') do
  require 'json'
  def library(text)
    found = %r{(?<word>[a-z]+)-(?<number>\d+)}.match(text)
    named = found.names.zip(found.captures).to_h
    kind = case text
           when %r{^(b+)} then Regexp.last_match(1)
           when %r{^(a+)(\d)?} then "#{other(text)}#{Regexp.last_match(1)}"
           end
    changed = text.dup
    [named, found[1, 2], kind, changed.delete!('z'), changed.delete!('a'), changed.tr!('b-y', 'X'), changed,
     Digest::MD5.hexdigest(text), Digest::SHA256.hexdigest(text), Digest::SHA1.base64digest(text),
     Base64.strict_encode64(text), Base64.encode64(text), CGI.escape("#{text} /ä~"),
     Regexp.new('a+').match?(text), Regexp.compile(%r{^x}).match?(text),
     %w[a1 b a2].grep(%r{^a}), %w[a1 b a2].grep_v(%r{^a}) { |x| x.upcase }, [3, 1, 2].minmax,
     '%{a}-%<b>03d' % { a: text, b: 7 }, Hash[[[1, 2], ['x', nil]]], (1..5).first, (1..5).first(2),
     _('text %{x}') % { x: 1 }, [nil.dup, 1.dup, :a.dup.to_s], %w[f r].freeze, { 'a' => 1 }.freeze.merge('b' => 2)]
  end

  def other(text)
    text =~ %r{(\d+)}
    Regexp.last_match(1)
  end
end

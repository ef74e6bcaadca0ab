# Hiera 3 is a separate library, and so are the files that it loads later.
mkdir -p lib/hiera/backend none/hiera
cat > lib/hiera.rb <<'RUBY'
class Hiera
  class Config
    def self.load(file)
      { file: File.basename(file) }
    end
  end

  def initialize(options = {})
    @options = options[:config]
  end

  def lookup(key, default, scope, override, kind)
    require 'hiera/backend/some_backend'
    return default if key == 'missing'

    "#{Backend.name} #{@options} #{key} #{scope['x']} #{scope.class} #{override.inspect} #{kind}"
  end
end
RUBY
echo 'class Hiera; module Backend; end; end' > lib/hiera/backend/some_backend.rb
echo 'raise LoadError, "no library"' > none/hiera.rb
touch hiera.yaml
ask() {
  bunraku eval --environmentpath "$CASE" --environment environment --hiera_config "$PWD/hiera.yaml" \
    -e "\$x = 'y' notice(api::ask('$1'))" 2>&1 | grep -v '^[{}]\|"value"'
}
RUBYLIB=$PWD/lib ask 'Hiera.new(config: "a").lookup("k", nil, Hiera::Scope.new(closure_scope), nil, :array)'
RUBYLIB=$PWD/lib ask 'require "hiera_puppet"; HieraPuppet.lookup("k", nil, closure_scope, "o", :priority)'
RUBYLIB=$PWD/lib ask 'require "hiera_puppet"; HieraPuppet.lookup("missing", nil, closure_scope, nil, :hash)'
RUBYLIB=$PWD/none ask 'Hiera.new'

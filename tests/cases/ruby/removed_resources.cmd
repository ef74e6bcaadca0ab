# Functions in Ruby that remove resources from the catalog, as extlib::remove_resource does.
# case: timeout=120
mkdir -p modules/m/lib/puppet/functions/m
cat > modules/m/lib/puppet/functions/m/remove.rb <<'RUBY'
Puppet::Functions.create_function(:'m::remove', Puppet::Functions::InternalFunction) do
  dispatch :remove do
    scope_param
    repeated_param 'Type[Resource]', :references
  end
  def remove(scope, *references)
    references.map do |reference|
      type = Puppet::Pops::Evaluator::Runtime3ResourceSupport.find_resource_type(scope, reference.type_name)
      found = scope.compiler.findresource(type, reference.title)
      next false unless found

      scope.catalog.remove_resource(found)
      scope.compiler.resources.delete(found)
      scope.compiler.findresource(type, reference.title).nil?
    end
  end
end
RUBY
compile() {
  echo "## $1"
  printf 'define d() { notify { "in ${name}": } }\nclass c { notify { "in c": } }\n%s\n' "$1" > site.pp
  bunraku catalog compile n --no-facts --modulepath modules --manifest site.pp --hiera_config /nonexistent 2> err > out.json &&
    ruby -rjson -e '
      catalog = JSON.parse(File.read("out.json"))
      puts catalog["resources"].map { |one| "#{one["type"]}[#{one["title"]}]#{" virtual" if one["virtual"]}" }.join(" ")
      puts catalog["edges"].map { |edge| edge.values_at("source", "target").join(" -> ") }.join(", ")' || sed "s,$PWD,<here>,g" err
  grep '^Notice: Scope' err || true
}
compile 'notify { "a": } notify { "b": } notice(m::remove(Notify["a"], Notify["z"]))'
compile 'notify { "a": } m::remove(Notify["a"]) notify { "a": message => again }'
compile 'file { "/tmp/": alias => "tmp" } m::remove(File["/tmp"]) file { "/tmp": } notify { "tmp": alias => "x" }'
compile 'd { "x": } d { "y": } m::remove(D["x"]) notify { "z": }'
compile 'include c m::remove(Notify["in c"]) notify { "z": require => Class["c"] }'
compile 'notify { "a": } m::remove(Notify["a"]) notify { "b": require => Notify["a"] }'
compile 'notify { "a": } notify { "b": } Notify["a"] -> Notify["b"] m::remove(Notify["a"])'
compile '@notify { "a": } m::remove(Notify["a"]) Notify <| |> notice(defined(Notify["a"]))'
compile 'notify { ["a", "b", "c", "d"]: } m::remove(Notify["b"]) Notify <| title == "c" |> { message => "of the collector" } Notify["a"] -> Notify["d"]'
compile 'd { "x": } notify { "last": } D <| |> -> Notify["last"] m::remove(D["x"])'
compile 'notify { "a": } Notify["a"] { message => "m" } m::remove(Notify["a"])'

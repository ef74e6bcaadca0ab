# Exported resources of a node are collected by others through a store, and queried with puppetdb_query.
# case: oracle=no
S="--store sqlite:nodes.db"
cat > site.pp <<'END'
define greeting($text) { notify { "${title}: ${text}": } }
node a {
  @@notify { 'from a': tag => 't', message => 'hello' }
  @@greeting { 'defined by a': text => 'good day' }
}
node b { Notify <<| tag == 'T' |>> { withpath => true } }
node c { Greeting <<| |>> }
node d { Notify <<| message == 'hello' and title != 'other' |>> Notify <<| title == 'from a' |>> }
node e { Notify <<| tag != 't' |>> Notify <<| message == 'no such' |>> }
node own { @@notify { 'mine': tag => 'mine' } Notify <<| tag == 'mine' |>> }
node twice { notify { 'from a': } Notify <<| tag == 't' |>> }
node other { @@notify { 'from a': tag => 't', message => 'not hello' } }
node asks {
  $rows = puppetdb_query('nodes[certname] { certname in ["a", "b"] order by certname }')
  $tree = puppetdb_query(['from', 'resources', ['extract', ['certname', 'exported'], ['=', 'title', 'from a']],
    ['order_by', ['certname']]])
  notify { "${rows} ${tree}": }
}
node mistaken { puppetdb_query('nodes[certname] {') }
END
compile() {
  node=$1
  shift
  echo "--- $node"
  bunraku catalog compile "$node" site.pp --no-facts "$@" > catalog.json || echo "exit $?"
  sed -n '/"type": "\(Notify\|Greeting\)"/,/^    }/p' catalog.json | sed -n '/"\(title\|message\|withpath\|text\)"/p'
}
compile b $S
compile a $S
compile b $S
compile c $S
compile d $S
compile e $S
echo "=== the own node's are not those of others"
compile own $S
compile own $S
echo "=== duplicates"
compile twice $S
compile other $S
compile b $S
echo "=== questions"
compile asks $S
compile mistaken $S
bunraku query 'resources[certname, title, exported] { type = "Notify" order by certname, title }' $S
bunraku query 'factsets[certname, environment] { order by certname limit 2 }' $S
echo "=== without a store"
compile b
compile asks
echo "=== what does not go together"
echo '{}' > a.json
bunraku fleet compile a.json --cache cache $S || echo "exit $?"
bunraku apply --catalog catalog.json $S || echo "exit $?"

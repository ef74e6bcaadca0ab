# Functions for the comments above blocks of commands; ./run documents where they are called. Every command of a page can use
# them.
# shellcheck shell=bash disable=SC2016 # code of other languages

# wait_until COMMAND...: waits up to a minute until the command succeeds.
wait_until() {
  local left
  for ((left = 600; left > 0; left--)); do
    "$@" > /dev/null 2>&1 && return
    sleep 0.1
  done
  echo "it does not come true: $*" >&2
  return 1
}

# directories_of HOST: prints options for a separate host below the home directory.
directories_of() {
  local name
  for name in conf code var run log public; do printf -- '--%sdir\n%s\n' "$name" "$HOME/$1/$name"; done
  printf -- '--ssldir\n%s\n' "$HOME/$1/ssl"
}

# start_server LOG OPTION...: starts a server in the background and waits until it is ready.
start_server() {
  local log=$1
  shift
  bunraku server --listen 0.0.0.0:8140 "$@" > "$log" 2>&1 &
  echo $! > "$log.pid"
  wait_until grep -q 'listening on' "$log" || { cat "$log" >&2; return 1; }
}

# Processes that the shells of other commands have started are not waited for.
has_ended() { [[ ! -d /proc/$1 ]] || grep -q '^State:[[:space:]]*Z' "/proc/$1/status"; }

end_process() {
  local id
  id=$(cat "$1")
  kill "$id"
  wait_until has_ended "$id"
}

# Starts the server puppet.example.com with directories separate from those of this host; it signs requests of
# hosts in example.com.
serve_agents() {
  local manifests=$HOME/server/code/environments/production/manifests options
  mkdir -p "$manifests" ~/server/conf
  echo '*.example.com' > ~/server/conf/autosign.conf
  printf 'file { "/etc/motd": content => "Managed\\n" }\n' > "$manifests/site.pp"
  printf '[main]\ncertname = puppet.example.com\nbasemodulepath = $confdir/none\n[server]\nautosign = $confdir/autosign.conf\nkeylength = 2048\n' > ~/server/conf/puppet.conf
  mapfile -t options < <(directories_of server)
  start_server ~/server/log "${options[@]}"
  make_keys_quickly
}

make_keys_quickly() {
  local confdir
  confdir=$(bunraku config print confdir --section agent)
  mkdir -p "$confdir"
  [[ -e $confdir/puppet.conf ]] || printf '[main]\nkeylength = 2048\n' > "$confdir/puppet.conf"
}

# Starts the server in the directories of this host, with an authority that does not sign automatically, and a request of
# another host.
serve_here() {
  local confdir options
  confdir=$(bunraku config print confdir --section server)
  mkdir -p "$confdir"
  printf '[main]\nkeylength = 2048\n[server]\ncertname = puppet.example.com\nautosign = false\n' > "$confdir/puppet.conf"
  start_server ~/here.log
  mapfile -t options < <(directories_of other)
  bunraku ssl submit_request --certname web01.example.com --server puppet.example.com "${options[@]}"
}

stop_agents_server() { end_process ~/server/log.pid; }
stop_here() { end_process ~/here.log.pid; }

# make_request CERTNAME: adds a pending request to the authority of this host.
make_request() {
  local requests
  requests=$(bunraku config print csrdir --section server)
  mkdir -p "$requests"
  openssl req -new -newkey rsa:2048 -nodes -keyout /dev/null -subj "/CN=$1" -out "$requests/$1.pem" 2> /dev/null
}

# Equips this host with a certificate to administer the authority of puppet.example.com, which has a pending request.
administer_agents() {
  local ssldir options
  forget_certificates
  rm -f "$(bunraku config print confdir --section agent)/puppet.conf"
  make_keys_quickly
  mapfile -t options < <(directories_of server)
  bunraku ca generate --ca-client --certname web01.example.com "${options[@]}"
  ssldir=$(bunraku config print ssldir --section agent)
  mkdir -p "$ssldir"
  cp -r ~/server/ssl/. "$ssldir"
  mapfile -t options < <(directories_of waiting)
  bunraku ssl submit_request --server puppet.example.com --certname waiting.example.org "${options[@]}"
}

# Equips this host with a certificate of puppet.example.com, replacing any earlier authority.
join_agents() {
  without_authority
  forget_certificates
  bunraku ssl bootstrap --server puppet.example.com
}

# Moves the authority to the location of older servers.
authority_below_ssldir() {
  local ssldir cadir
  ssldir=$(bunraku config print ssldir --section server)
  cadir=$(bunraku config print cadir --section server)
  mkdir -p "$ssldir"
  mv "$cadir" "$ssldir/ca"
}

# Writes code that may be applied on any host.
make_manifest() {
  printf "file { '/tmp/planned': content => \"planned\\n\" }\n-> service { 'ntp': ensure => stopped, noop => true }\n" > site.pp
}

# Writes the template that examples refer to.
ntp_template() {
  mkdir -p ~/templates
  cp web01.yaml ~/templates
  cd ~/templates || return
  mkdir -p modules/ntp/templates
  touch environment.conf
  printf '<%%- | Array $servers | -%%>\n<%% $servers.each |$s| { %%>server <%%= $s %%>\n<%% } %%>' > modules/ntp/templates/ntp.conf.epp
  printf 'servers: [a.example.com]\n' > ntp.yaml
}

# Starts a store without a certificate, on the port of PuppetDB.
serve_plain_store() {
  bunraku store import "$TESTS/cases/store/fleet" --store sqlite:plain.db
  bunraku store serve --listen 127.0.0.1:8080 --store sqlite:plain.db > ~/plain.log 2>&1 &
  echo $! > ~/plain.pid
  wait_until grep -q 'listening' ~/plain.log || { cat ~/plain.log >&2; return 1; }
}

# Removes a server's authority and certificates.
without_authority() {
  rm -rf "$(bunraku config print cadir --section server)" "$(bunraku config print ssldir --section server)"
}

# Creates an authority in the form that an organisation distributes, and removes the local one.
make_foreign_authority() {
  without_authority
  bunraku ca setup --cadir "$HOME/foreign" --ssldir "$HOME/foreign-ssl"
  cp ~/foreign/ca_key.pem ca.key
  cp ~/foreign/ca_crt.pem ca.pem
  cp ~/foreign/ca_crl.pem crls.pem
}

# Removes the certificates of this host, and ignores those that puppet.example.com has for it.
forget_certificates() {
  local options
  rm -rf "$(bunraku config print ssldir --section agent)"
  [[ -d ~/server/ssl ]] || return 0
  mapfile -t options < <(directories_of server)
  bunraku ca clean --certname web01.example.com "${options[@]}"
}

# Whether the most recently started agent is running.
agent_runs() { kill -0 "$(cat "$(bunraku config print pidfile --section agent)")"; }
ends_agent() { kill "$(cat "$(bunraku config print pidfile --section agent)")"; }

# Runs an unprivileged agent against the running demonstration, as its output recommends.
demonstration_answers() {
  local command
  command=$(sed -n '/^Try it/{n;p}' "$OUTPUT")
  eval "$command --no-splay"
  [[ $? == [02] ]]
}

# Copies a server's facts and environments to the locations of the reference's packages.
fill_puppetserver() {
  local data=/opt/puppetlabs/server/data/puppetserver
  mkdir -p "$data/yaml" /etc/puppetlabs/puppet /etc/puppetlabs/code /opt/puppetlabs/puppet
  ln -s /usr/share/puppet/modules /opt/puppetlabs/puppet/modules
  cp -r facts "$data/yaml/facts"
  cp -rL ~/examples/environments /etc/puppetlabs/code/environments
  printf '[main]\nkeylength = 2048\n' > /etc/puppetlabs/puppet/puppet.conf
}

# Starts a store at puppetdb.example.com, and equips this host with a certificate of the same
# authority.
serve_store() {
  local options
  serve_agents
  mapfile -t options < <(directories_of store)
  bunraku ssl bootstrap --server puppet.example.com
  bunraku ssl bootstrap --server puppet.example.com --certname puppetdb.example.com "${options[@]}"
  printf '[access]\nqueries = web01.example.com\n' > ~/store.ini
  bunraku store serve --ssl --listen 0.0.0.0:8081 --certname puppetdb.example.com "${options[@]}" --store sqlite:nodes.db --store-config ~/store.ini > ~/store.log 2>&1 &
  wait_until grep -q 'listening' ~/store.log || { cat ~/store.log >&2; return 1; }
  rm -r facts
}

# make_suite DIRECTORY: writes a module with a suite that passes, without files that earlier runs left in the
# checkout. An existing one is left as it is.
make_suite() {
  [[ ! -d $1 ]] || return 0
  cp -r "$TESTS/rspec/motd" "$1"
  rm -rf "$1/spec/fixtures/modules"
  find "$1/spec" -name '*_spec.rb' ! -name config_spec.rb -delete
}

make_archive() {
  bunraku store import "$TESTS/cases/store/fleet" --store sqlite:archived.db
  bunraku store export pdb.tgz --store sqlite:archived.db
}

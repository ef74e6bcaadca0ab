# case: oracle=no
# The server's facts in a hierarchy and in data, as in version 8.8 and later; version 7 has none in this command.
mkdir -p envs/production/data
cat > envs/production/hiera.yaml <<'YAML'
version: 5
hierarchy:
  - name: a
    path: "%{server_facts.environment}.yaml"
defaults: {data_hash: yaml_data, datadir: data}
YAML
cat > envs/production/data/production.yaml <<'YAML'
of_hash: "%{server_facts.environment} of %{server_facts.servername}"
of_variables: "%{environment} of %{servername}"
of_facts: "[%{facts.servername}]"
function: "%{lookup('of_hash')}"
YAML
echo '{"a": 1}' > facts.json
echo '{"servername": "server.example", "serverversion": "8.10.0", "serverip": "192.0.2.1"}' > server.json
for key in of_hash of_variables of_facts function; do
  bunraku lookup "$key" --node n --facts facts.json --server-facts server.json --environmentpath envs --hiera_config none.yaml 2>&1
done

node 'rich.test' { include demo::rich }
node 'broken.test' { fail('broken on purpose') }
node 'agent1.test' { include demo }
node default { notify { 'default node': } }

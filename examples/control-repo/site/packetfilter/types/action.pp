type Packetfilter::Action = Enum['accept', 'drop', 'reject']

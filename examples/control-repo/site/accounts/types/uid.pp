# The range that is left to people; below are the system's own accounts, above those of containers.
type Accounts::Uid = Integer[1000, 59999]

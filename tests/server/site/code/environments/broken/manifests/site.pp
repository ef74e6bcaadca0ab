node default { include bad }

"""Other engines: the tables a plan reads copied row for row, and the exported statement run there."""

-- Whether stating another value can end an earlier one: it is no bounded exception (W3), and one of the two has no stated start (K3).
CREATE OR REPLACE MACRO cb.can_end(timeless, new_bounded, new_dated, old_dated) AS
  timeless OR (NOT new_bounded AND NOT (new_dated AND old_dated))

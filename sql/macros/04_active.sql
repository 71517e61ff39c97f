-- THE definition of active: visible versions that hold at valid_at, certainly or possibly (T2). Arguments are TIMESTAMPTZ.
CREATE OR REPLACE MACRO cb.active(valid_at, observed_by, recorded_by) AS TABLE
  SELECT c.*,
    (c.from_latest IS NOT NULL AND c.from_latest <= valid_at
      AND (c.until_earliest IS NULL OR c.until_earliest > valid_at)) AS certain
  FROM cb.visible(observed_by, recorded_by) AS c
  WHERE (c.from_earliest IS NULL OR c.from_earliest <= valid_at)
    AND (c.until_latest IS NULL OR c.until_latest > valid_at)

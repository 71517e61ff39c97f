-- What a world is made of: versions, and of a hundred how many have an imprecise or unknown bound, a closed observed interval, a scope, a retraction.
SELECT count(*) AS versions, count(DISTINCT subject_id) AS subjects, count(DISTINCT source_id) AS sources,
  round(100 * avg((from_earliest IS DISTINCT FROM from_latest OR until_earliest IS DISTINCT FROM until_latest)::INTEGER), 1) AS imprecise,
  round(100 * avg((observed_until IS NOT NULL)::INTEGER), 1) AS closed,
  round(100 * avg((scope_id <> 0)::INTEGER), 1) AS scoped,
  round(100 * avg((retracted_at IS NOT NULL)::INTEGER), 1) AS retracted
FROM cb.claim

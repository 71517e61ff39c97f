-- What a reading says of its source.
INSERT INTO cb.source_attribute (source_id, observed_at, title, publisher, published_at, source_type, authority, derived_from, recorded_at)
VALUES ($source_id, $observed_at, $title, $publisher, $published_at, $source_type, $authority, $derived_from, $recorded_at)

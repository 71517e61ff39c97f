-- The distinct descriptions of sources, in the reader's order.
SELECT source_ref, source_url, source_title, source_publisher, source_type, source_authority, source_derived_from
FROM source_text ORDER BY source_ref

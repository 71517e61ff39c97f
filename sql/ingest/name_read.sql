-- Names as read, or why not.
CREATE OR REPLACE TEMP TABLE name_read (text VARCHAR, name VARCHAR, name_key VARCHAR, code VARCHAR, message VARCHAR)

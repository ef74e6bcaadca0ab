// bk_at, bk_contains and the others, written in SQL.
#include "store/schema/postgres_functions.h"

namespace bunraku::store {

std::string_view postgres_functions() {
  return R"sql(
CREATE OR REPLACE FUNCTION bk_at(v jsonb, p jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS
  $$ SELECT v #> ARRAY(SELECT jsonb_array_elements_text(p)) $$;
CREATE OR REPLACE FUNCTION bk_json(v jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS
  $$ SELECT v $$;
CREATE OR REPLACE FUNCTION bk_json(t text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS
  $$ SELECT t::jsonb $$;
CREATE OR REPLACE FUNCTION bk_equal(v jsonb, w jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS
  $$ SELECT v = w $$;
CREATE OR REPLACE FUNCTION bk_contains(v jsonb, w jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS
  $$ SELECT v @> w AND (jsonb_typeof(v) <> 'array' OR jsonb_typeof(w) = 'array') $$;
CREATE OR REPLACE FUNCTION bk_number(v jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE AS
  $$ SELECT CASE WHEN jsonb_typeof(v) = 'number' THEN (v #>> '{}')::numeric END $$;
CREATE OR REPLACE FUNCTION bk_numeric(v jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE AS
  $$ SELECT (v #>> '{}')::numeric $$;
CREATE OR REPLACE FUNCTION bk_text(v jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT CASE WHEN jsonb_typeof(v) = 'null' THEN 'null' ELSE v #>> '{}' END $$;
CREATE OR REPLACE FUNCTION bk_exact(v jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT v::text $$;
CREATE OR REPLACE FUNCTION bk_matches(t text, p text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
  $$ SELECT t ~ p $$;
CREATE OR REPLACE FUNCTION bk_has(v jsonb, t text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
  $$ SELECT v ? t $$;
CREATE OR REPLACE FUNCTION bk_has_match(v jsonb, p text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
  $$ SELECT CASE WHEN v IS NULL THEN NULL
       ELSE EXISTS (SELECT 1 FROM jsonb_array_elements_text(v) e WHERE e ~ p) END $$;
CREATE OR REPLACE FUNCTION bk_order(v jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS
  $$ SELECT v $$;
CREATE OR REPLACE FUNCTION bk_path_text(v jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT string_agg(e, '#~' ORDER BY n) COLLATE "C"
       FROM jsonb_array_elements_text(v) WITH ORDINALITY a(e, n) $$;
CREATE OR REPLACE FUNCTION bk_path_matches(v jsonb, p jsonb, whole boolean) RETURNS boolean
  LANGUAGE sql IMMUTABLE AS
  $$ SELECT jsonb_array_length(v) = jsonb_array_length(p) AND NOT EXISTS (
       SELECT 1 FROM generate_series(0, jsonb_array_length(p) - 1) i WHERE NOT
         CASE WHEN jsonb_typeof(p -> i) = 'string'
           THEN (jsonb_typeof(v -> i) = 'string' OR (p ->> i) !~ '^[0-9]*$') AND
                (v ->> i) ~ (CASE WHEN whole THEN '^(?:' || (p ->> i) || ')$' ELSE p ->> i END)
           ELSE (v -> i) = (p -> i) END) $$;
CREATE OR REPLACE FUNCTION bk_pack(t text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT t $$;
CREATE OR REPLACE FUNCTION bk_unpack(t text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT t $$;
CREATE OR REPLACE FUNCTION bk_time(t bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT to_char(timestamp 'epoch' + t * interval '1 microsecond',
                    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
CREATE OR REPLACE FUNCTION bk_time_format(t bigint, f text) RETURNS text LANGUAGE sql IMMUTABLE
  SET timezone = 'UTC' AS
  $$ SELECT to_char(timestamptz 'epoch' + t * interval '1 microsecond', f) $$;
CREATE OR REPLACE FUNCTION bk_leaves(n text, v jsonb) RETURNS TABLE(path jsonb, value jsonb)
  LANGUAGE sql IMMUTABLE ROWS 20 AS
  $$ WITH RECURSIVE w(path, value) AS (
       SELECT jsonb_build_array(n), v
       UNION ALL
       SELECT w.path || e.k, e.v FROM w CROSS JOIN LATERAL (
         SELECT to_jsonb(o.key) AS k, o.value AS v FROM jsonb_each(
           CASE jsonb_typeof(w.value) WHEN 'object' THEN w.value ELSE '{}' END) o
         UNION ALL
         SELECT to_jsonb(a.n - 1), a.v FROM jsonb_array_elements(
           CASE jsonb_typeof(w.value) WHEN 'array' THEN w.value ELSE '[]' END)
           WITH ORDINALITY a(v, n)) e)
     SELECT w.path, w.value FROM w WHERE jsonb_typeof(w.value) NOT IN ('object', 'array') $$;
CREATE OR REPLACE FUNCTION bk_edges(t text) RETURNS TABLE(relationship text, source_type text,
    source_title text, target_type text, target_title text) LANGUAGE sql IMMUTABLE ROWS 200 AS
  $$ SELECT e ->> 0, e ->> 1, e ->> 2, e ->> 3, e ->> 4 FROM jsonb_array_elements(t::jsonb) e $$;
)sql";
}

}  // namespace bunraku::store

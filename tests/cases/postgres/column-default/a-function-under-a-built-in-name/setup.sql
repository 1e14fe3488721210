CREATE FUNCTION public.gen_random_uuid() RETURNS uuid LANGUAGE sql AS $$ SELECT '00000000-0000-0000-0000-000000000000'::uuid $$;
CREATE FUNCTION public.lower(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'x' $$;
CREATE FUNCTION public.next_tenant() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$;
CREATE TABLE "Clocks" ("Id" uuid PRIMARY KEY, "A" uuid NOT NULL DEFAULT public.gen_random_uuid(), "B" text NOT NULL DEFAULT public.lower('Y'::text),
  "C" integer NOT NULL DEFAULT next_tenant(), "D" uuid NOT NULL DEFAULT gen_random_uuid());

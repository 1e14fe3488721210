-- after: asset
CREATE SCHEMA trap;
CREATE TABLE trap.pg_class (oid oid, relname name, relnamespace oid, relkind "char");
CREATE TABLE trap.pg_attribute (attrelid oid);
CREATE FUNCTION trap.pg_get_expr(pg_node_tree, oid) RETURNS text LANGUAGE sql AS $$ SELECT 'trapped' $$;
CREATE FUNCTION trap.format_type(oid, integer) RETURNS text LANGUAGE sql AS $$ SELECT 'trapped' $$;
CREATE FUNCTION trap.eq(name, name) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$;
CREATE OPERATOR trap.= (FUNCTION = trap.eq, LEFTARG = name, RIGHTARG = name);
GRANT USAGE ON SCHEMA trap TO PUBLIC;
ALTER DATABASE {database} SET search_path = trap, pg_catalog, public;

-- after: asset
CREATE UNLOGGED TABLE "Cache" (id integer);

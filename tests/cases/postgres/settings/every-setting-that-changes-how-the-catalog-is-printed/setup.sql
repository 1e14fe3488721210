-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "CK_Outcome" CHECK ("Outcome" IN ('Processed', 'Duplicate', 'Stale'));
ALTER DATABASE {database} SET quote_all_identifiers = on;
ALTER DATABASE {database} SET DateStyle = 'German, DMY';
ALTER DATABASE {database} SET IntervalStyle = 'sql_standard';
ALTER DATABASE {database} SET TimeZone = 'Asia/Kathmandu';
ALTER DATABASE {database} SET extra_float_digits = -15;
ALTER DATABASE {database} SET bytea_output = 'escape';
ALTER DATABASE {database} SET standard_conforming_strings = off;
ALTER DATABASE {database} SET search_path = '';
ALTER DATABASE {database} SET default_transaction_isolation = 'serializable';
ALTER DATABASE {database} SET enable_hashjoin = off;

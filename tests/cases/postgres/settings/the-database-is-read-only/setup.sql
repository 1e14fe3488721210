-- after: asset
ALTER DATABASE {database} SET default_transaction_read_only = on;

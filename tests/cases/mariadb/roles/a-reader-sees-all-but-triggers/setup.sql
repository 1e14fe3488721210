-- after: asset
GRANT SELECT ON * TO {role};

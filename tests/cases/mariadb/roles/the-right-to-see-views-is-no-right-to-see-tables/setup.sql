-- after: asset
GRANT SHOW VIEW ON * TO {role};

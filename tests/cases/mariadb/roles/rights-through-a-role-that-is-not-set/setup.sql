-- after: asset
CREATE ROLE {role}_group;
GRANT SELECT ON * TO {role}_group;
GRANT {role}_group TO {role};

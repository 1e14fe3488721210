CREATE TABLE gone (id);
DROP TABLE gone;

CREATE TABLE gone (id int);
DROP TABLE gone;

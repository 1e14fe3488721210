-- after: asset
GRANT SELECT ON mysql.* TO {database};
GRANT SELECT ON `{other}`.* TO {database};
CREATE DATABASE `{other}`;
CREATE TABLE `{other}`.`Kept` (what text);
CREATE PROCEDURE here(x text) SELECT x INTO @x;
CREATE TRIGGER `TR_call` AFTER INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW CALL gone(NEW.`EventType`);
CREATE TRIGGER `TR_elsewhere` AFTER INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW BEGIN
  DECLARE v int;
  SET v = (SELECT count(*) FROM `{other}`.`Gone`);
END;
CREATE TRIGGER `TR_fine` AFTER INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW BEGIN
  CALL here(NEW.`EventType`);
  INSERT INTO `{other}`.`Kept` SELECT what FROM `{other}`.`Kept`;
END;

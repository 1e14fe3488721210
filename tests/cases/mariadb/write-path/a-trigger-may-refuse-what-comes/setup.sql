-- after: asset
CREATE TRIGGER `TR_guard` AFTER INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW BEGIN
  IF NEW.`EventType` = 'X' THEN SIGNAL SQLSTATE '45000'; END IF;
END;

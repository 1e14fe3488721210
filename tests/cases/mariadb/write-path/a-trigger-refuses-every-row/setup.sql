-- after: asset
CREATE TRIGGER `TR_closed` BEFORE INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW
  SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the ledger is closed';
-- next
CREATE TRIGGER `TR_late` AFTER INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW BEGIN
  SET @seen = NEW.`EventId`;
  SIGNAL SQLSTATE '45000';
END;
-- next
CREATE TRIGGER `TR_warns` AFTER INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW SIGNAL SQLSTATE '01000' SET MESSAGE_TEXT = 'seen';

-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD CONSTRAINT `CK_closed` CHECK (1 = 0), ADD CONSTRAINT `CK_if` CHECK (if(`Outcome` = 'stale', 0, 1)),
  ADD CONSTRAINT `CK_like` CHECK (`Outcome` LIKE 'p%'), ADD CONSTRAINT `CK_short` CHECK (char_length(`EventType`) <= 100),
  ADD CONSTRAINT `CK_words` CHECK (trim(`EventType`) <> ''), ADD CONSTRAINT `CK_not_like` CHECK (NOT `Outcome` LIKE '% %');

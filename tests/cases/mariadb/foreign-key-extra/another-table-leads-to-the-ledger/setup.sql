-- after: asset
CREATE TABLE `Effects` (
  `Id` int PRIMARY KEY, `LedgerId` char(36) CHARACTER SET ascii NOT NULL, FOREIGN KEY (`LedgerId`) REFERENCES `ProcessedIntegrationEvents` (`Id`)
);

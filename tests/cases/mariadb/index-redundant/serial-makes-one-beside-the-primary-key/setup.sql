CREATE TABLE `OutboxMessages` (`Seq` SERIAL, `EventId` char(36) CHARACTER SET ascii NOT NULL, PRIMARY KEY (`Seq`), UNIQUE KEY `UX_Outbox_EventId` (`EventId`));

CREATE TABLE `OutboxMessages` (`Seq` bigint PRIMARY KEY, `EventId` char(36) CHARACTER SET ascii NOT NULL, UNIQUE KEY `UX_Outbox_EventId` (`EventId`));

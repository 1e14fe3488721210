CREATE TABLE `OutboxMessages` (`Seq` bigint AUTO_INCREMENT PRIMARY KEY, `EventId` char(36) CHARACTER SET ascii NOT NULL, UNIQUE KEY `UX_Outbox_EventId` (`EventId`));

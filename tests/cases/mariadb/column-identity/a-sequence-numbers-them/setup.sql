CREATE SEQUENCE numbers;
CREATE TABLE `OutboxMessages` (
  `Seq` bigint PRIMARY KEY DEFAULT (NEXT VALUE FOR numbers), `EventId` char(36) CHARACTER SET ascii NOT NULL, UNIQUE KEY `UX_Outbox_EventId` (`EventId`)
);

CREATE TABLE `WebhookLedger` (
  `Id` bigint AUTO_INCREMENT PRIMARY KEY, `EventKey` varchar(200) COLLATE utf8mb4_bin NOT NULL, UNIQUE KEY `UX_WebhookLedger_EventKey` (`EventKey`)
);

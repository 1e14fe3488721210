CREATE TABLE `WebhookLedger` (
  `Id` bigint AUTO_INCREMENT PRIMARY KEY, `EventKey` varchar(200) COLLATE utf8mb4_uca1400_nopad_as_cs NOT NULL,
  UNIQUE KEY `UX_WebhookLedger_EventKey` (`EventKey`)
) CHARACTER SET utf8mb4;

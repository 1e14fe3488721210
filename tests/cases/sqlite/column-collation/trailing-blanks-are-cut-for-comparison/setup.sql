CREATE TABLE "WebhookLedger" ("Id" INTEGER PRIMARY KEY, "EventKey" TEXT NOT NULL COLLATE RTRIM);
CREATE UNIQUE INDEX "UX_WebhookLedger_EventKey" ON "WebhookLedger" ("EventKey");

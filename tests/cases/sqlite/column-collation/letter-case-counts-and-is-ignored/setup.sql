CREATE TABLE "WebhookLedger" ("Id" INTEGER PRIMARY KEY, "EventKey" TEXT NOT NULL COLLATE NOCASE);
CREATE UNIQUE INDEX "UX_WebhookLedger_EventKey" ON "WebhookLedger" ("EventKey");

CREATE SEQUENCE webhook_ids;
CREATE TABLE "WebhookLedger" ("Id" bigint PRIMARY KEY DEFAULT nextval('webhook_ids'), "EventKey" varchar(200) NOT NULL);
CREATE UNIQUE INDEX "UX_WebhookLedger_EventKey" ON "WebhookLedger" ("EventKey");

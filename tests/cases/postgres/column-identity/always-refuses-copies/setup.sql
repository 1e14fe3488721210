CREATE TABLE "OutboxMessages" ("Seq" bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "EventId" uuid NOT NULL);
CREATE UNIQUE INDEX "UX_Outbox_EventId" ON "OutboxMessages" ("EventId");

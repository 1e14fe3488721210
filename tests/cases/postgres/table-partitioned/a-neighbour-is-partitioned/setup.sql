-- after: asset
CREATE TABLE "ProcessedIntegrationEventsByDay" ("Id" uuid, "Day" date) PARTITION BY RANGE ("Day");
CREATE TABLE "PIE_2026" PARTITION OF "ProcessedIntegrationEventsByDay" FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');

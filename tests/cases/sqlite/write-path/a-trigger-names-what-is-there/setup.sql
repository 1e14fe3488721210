-- after: asset
CREATE TABLE "Aside" (what TEXT, "when" TEXT);
CREATE TRIGGER "TR_fine" AFTER INSERT ON "ProcessedIntegrationEvents" BEGIN
  INSERT INTO aside (WHAT, [when]) SELECT value, NEW.rowid FROM json_each('[1]');
  INSERT INTO Aside SELECT name, type FROM sqlite_schema LIMIT 1;
  UPDATE Aside SET what = CASE WHEN what = 'x' THEN 'y' ELSE what END WHERE what IS NOT "z" AND `when` COLLATE NOCASE > lower(what);
END;
CREATE TRIGGER "TR_old" AFTER DELETE ON "ProcessedIntegrationEvents" BEGIN INSERT INTO gone VALUES (1); END;
-- next
INSERT INTO "ProcessedIntegrationEvents" VALUES ('a', 'b', 'e', NULL, NULL, 's', 'Processed', CURRENT_TIMESTAMP);

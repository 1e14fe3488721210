-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "CK_bytes" CHECK (octet_length("EventType") <= 160),
  ADD CONSTRAINT "CK_enough" CHECK (char_length("EventType") <= 160),
  ADD CONSTRAINT "CK_short" CHECK (char_length("SourceService") BETWEEN 1 AND 64) NOT VALID,
  ADD CONSTRAINT "CK_some" CHECK (char_length("SourceService") > 2);

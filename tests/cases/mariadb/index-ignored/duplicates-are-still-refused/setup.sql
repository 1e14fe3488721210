-- after: correlated
ALTER TABLE `Ledger` ALTER INDEX `UX_Ledger_EventId` IGNORED;

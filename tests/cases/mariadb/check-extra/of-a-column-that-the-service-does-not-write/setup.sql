-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD COLUMN `Region` varchar(2) NULL, ADD COLUMN `Shard` int NOT NULL DEFAULT 7, ADD COLUMN `Grade` varchar(1) NOT NULL DEFAULT 'x',
  ADD CONSTRAINT `CK_grade` CHECK (`Grade` IN ('a', 'b')), ADD CONSTRAINT `CK_region` CHECK (`Region` IN ('eu', 'us')),
  ADD CONSTRAINT `CK_shard` CHECK (`Shard` < 16);

CREATE TABLE `Part` (`EventId` varchar(64) NOT NULL, `Outcome` varchar(40) NOT NULL, PRIMARY KEY (`EventId`)) ENGINE=MyISAM;
CREATE TABLE ledger (event_id varchar(64) NOT NULL, outcome varchar(40) NOT NULL, PRIMARY KEY (event_id), CONSTRAINT ck_outcome CHECK (outcome <> ''))
  ENGINE=MRG_MyISAM UNION=(`Part`) INSERT_METHOD=LAST;

-- after: asset
CREATE TABLE `processedintegrationevents` (id int);

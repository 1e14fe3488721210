CREATE TABLE processedintegrationevents (id uuid PRIMARY KEY, eventid uuid NOT NULL UNIQUE);

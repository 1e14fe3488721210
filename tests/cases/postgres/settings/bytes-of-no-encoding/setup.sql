-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "Outcome" SET DEFAULT E'Gr\xf6\xdfe';

DROP TABLE `visit_batches`;--> statement-breakpoint
DROP TABLE `visit_erasures`;--> statement-breakpoint
DROP TABLE `visitor_days`;
CREATE TABLE `second_factor_resets` (
	`user_id` text PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `second_factors` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`last_counter` integer NOT NULL,
	`recovery_codes` text NOT NULL,
	`created_at` text NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`blocked_until` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "second_factors_json" CHECK(json_valid(recovery_codes))
);

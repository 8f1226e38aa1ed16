CREATE TABLE `kept_answers` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`asked` text NOT NULL,
	`began_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`answer` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `kept_answers_expiry` ON `kept_answers` (`expires_at`);--> statement-breakpoint
CREATE INDEX `kept_answers_user` ON `kept_answers` (`user_id`);
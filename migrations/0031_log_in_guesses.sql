CREATE TABLE `log_in_guesses` (
	`id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`hour` integer NOT NULL,
	`day` integer NOT NULL,
	`last_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `log_in_guesses_age` ON `log_in_guesses` (`last_at`);
--> statement-breakpoint
CREATE TABLE `log_in_networks` (
	`user_id` text NOT NULL,
	`network` text NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `network`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `log_in_networks_age` ON `log_in_networks` (`last_at`);

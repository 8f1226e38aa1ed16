CREATE TABLE `stored_files` (
	`file_key` text PRIMARY KEY NOT NULL,
	`edition` integer DEFAULT 0 NOT NULL,
	`overwrites` text DEFAULT '[]' NOT NULL,
	`check_state` text,
	`check_reason` text DEFAULT '' NOT NULL,
	`check_attempts` integer DEFAULT 0 NOT NULL,
	`check_at` text,
	CONSTRAINT "stored_files_overwrites" CHECK(json_valid(overwrites)),
	CONSTRAINT "stored_files_check_state" CHECK(check_state IS NULL OR check_state IN ('waiting', 'rejected'))
);
--> statement-breakpoint
CREATE INDEX `stored_files_edition` ON `stored_files` (`edition`);--> statement-breakpoint
CREATE INDEX `stored_files_check` ON `stored_files` (`check_at`) WHERE check_state = 'waiting';--> statement-breakpoint
-- Files that are there already are looked at by the job, or when somebody asks for them first.
INSERT INTO stored_files (file_key)
  SELECT file_key FROM library_items WHERE file_key IS NOT NULL
  UNION SELECT thumb_key FROM library_items WHERE thumb_key IS NOT NULL;

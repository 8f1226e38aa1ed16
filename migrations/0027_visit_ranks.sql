CREATE TABLE `visit_products` (
	`event_id` text NOT NULL,
	`number` text NOT NULL,
	`lang` text NOT NULL,
	`title` text NOT NULL,
	PRIMARY KEY(`event_id`, `number`, `lang`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `visit_space_live` (
	`space_id` text NOT NULL,
	`minute` integer NOT NULL,
	`visitors` integer NOT NULL,
	PRIMARY KEY(`space_id`, `minute`),
	FOREIGN KEY (`space_id`) REFERENCES `spaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `visit_space_live_minute` ON `visit_space_live` (`minute`);--> statement-breakpoint
ALTER TABLE `visit_totals` ADD `space_id` text;--> statement-breakpoint
-- Before there is an index, which then is made at once.
UPDATE visit_totals SET space_id = (SELECT space_id FROM events WHERE id = event_id AND deleted_at IS NULL) WHERE grain <> 'hour';--> statement-breakpoint
CREATE INDEX `visit_totals_most_visited` ON `visit_totals` (`space_id`,`grain`,`period`,`visits`,`event_id`) WHERE space_id IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER visit_totals_placed AFTER INSERT ON visit_totals WHEN NEW.grain <> 'hour' BEGIN
  UPDATE visit_totals SET space_id = (SELECT space_id FROM events WHERE id = NEW.event_id AND deleted_at IS NULL)
    WHERE event_id = NEW.event_id AND grain = NEW.grain AND period = NEW.period;
END;
--> statement-breakpoint
CREATE TRIGGER events_ranks_moved AFTER UPDATE OF space_id, deleted_at ON events
WHEN OLD.space_id <> NEW.space_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE visit_totals SET space_id = CASE WHEN NEW.deleted_at IS NULL THEN NEW.space_id END
    WHERE event_id = NEW.id AND grain IN ('day', 'month', 'year');
END;
--> statement-breakpoint
CREATE TRIGGER visit_live_added AFTER INSERT ON visit_live BEGIN
  INSERT INTO visit_space_live (space_id, minute, visitors)
    SELECT space_id, NEW.minute, max(NEW.visitors, 0) FROM events WHERE id = NEW.event_id AND deleted_at IS NULL
  ON CONFLICT (space_id, minute) DO UPDATE SET visitors = visitors + excluded.visitors;
END;
--> statement-breakpoint
CREATE TRIGGER visit_live_changed AFTER UPDATE OF visitors ON visit_live BEGIN
  UPDATE visit_space_live SET visitors = visitors + max(NEW.visitors, 0) - max(OLD.visitors, 0)
    WHERE space_id = (SELECT space_id FROM events WHERE id = NEW.event_id AND deleted_at IS NULL) AND minute = NEW.minute;
END;
--> statement-breakpoint
CREATE TRIGGER visit_live_removed AFTER DELETE ON visit_live BEGIN
  UPDATE visit_space_live SET visitors = visitors - max(OLD.visitors, 0)
    WHERE space_id = (SELECT space_id FROM events WHERE id = OLD.event_id AND deleted_at IS NULL) AND minute = OLD.minute;
END;
--> statement-breakpoint
-- Its minutes are those of its space: nobody would find them by the event.
CREATE TRIGGER events_live_moved AFTER UPDATE OF space_id, deleted_at ON events
WHEN OLD.space_id <> NEW.space_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE visit_space_live SET visitors = visit_space_live.visitors - max(v.visitors, 0)
    FROM visit_live v WHERE OLD.deleted_at IS NULL AND visit_space_live.space_id = OLD.space_id
      AND v.minute = visit_space_live.minute AND v.event_id = OLD.id;
  UPDATE visit_space_live SET visitors = visit_space_live.visitors + max(v.visitors, 0)
    FROM visit_live v WHERE NEW.deleted_at IS NULL AND visit_space_live.space_id = NEW.space_id
      AND v.minute = visit_space_live.minute AND v.event_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_live_removed BEFORE DELETE ON events WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE visit_space_live SET visitors = visit_space_live.visitors - max(v.visitors, 0)
    FROM visit_live v WHERE visit_space_live.space_id = OLD.space_id
      AND v.minute = visit_space_live.minute AND v.event_id = OLD.id;
END;
--> statement-breakpoint
INSERT INTO visit_space_live (space_id, minute, visitors)
  SELECT events.space_id, v.minute, sum(max(v.visitors, 0)) FROM visit_live v CROSS JOIN events ON events.id = v.event_id
  WHERE events.deleted_at IS NULL GROUP BY events.space_id, v.minute;

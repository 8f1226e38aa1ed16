CREATE TABLE `visit_account_live` (
	`owner_id` text NOT NULL,
	`minute` integer NOT NULL,
	`visitors` integer NOT NULL,
	PRIMARY KEY(`owner_id`, `minute`),
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `visit_account_live_minute` ON `visit_account_live` (`minute`);
--> statement-breakpoint
CREATE TABLE `visit_account_totals` (
	`owner_id` text NOT NULL,
	`grain` text NOT NULL,
	`period` text NOT NULL,
	`spaces` integer NOT NULL,
	`visits` integer NOT NULL,
	`visitors` integer NOT NULL,
	`seconds` integer NOT NULL,
	`tags` integer NOT NULL,
	`media` integer NOT NULL,
	`products` integer NOT NULL,
	`carts` integer NOT NULL,
	`checkouts` integer NOT NULL,
	`tag_visitors` integer NOT NULL,
	`product_visitors` integer NOT NULL,
	`cart_visitors` integer NOT NULL,
	`checkout_visitors` integer NOT NULL,
	PRIMARY KEY(`owner_id`, `grain`, `period`),
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `visit_account_totals_none` ON `visit_account_totals` (`owner_id`) WHERE spaces = 0;
--> statement-breakpoint
CREATE TABLE `visit_ranks` (
	`event_id` text NOT NULL,
	`grain` text NOT NULL,
	`period` text NOT NULL,
	`visits` integer NOT NULL,
	`space_id` text,
	`owner_id` text,
	PRIMARY KEY(`event_id`, `grain`, `period`)
) WITHOUT ROWID;
--> statement-breakpoint
-- What ranks events has its own table: beside the lists of visit_totals each event that moved would have had all of them written anew.
DROP TRIGGER visit_totals_placed;
--> statement-breakpoint
DROP TRIGGER events_ranks_moved;
--> statement-breakpoint
DROP INDEX `visit_totals_most_visited`;
--> statement-breakpoint
INSERT INTO visit_ranks (event_id, grain, period, visits, space_id, owner_id)
  SELECT t.event_id, t.grain, t.period, t.visits, iif(events.deleted_at IS NULL, spaces.id, NULL),
    iif(events.deleted_at IS NULL AND spaces.deleted_at IS NULL, spaces.owner_id, NULL)
  FROM events CROSS JOIN spaces ON spaces.id = events.space_id
  CROSS JOIN visit_totals t ON t.event_id = events.id AND t.grain IN ('day', 'month', 'year');
--> statement-breakpoint
CREATE INDEX `visit_ranks_of_space` ON `visit_ranks` (`space_id`,`grain`,`period`,`visits`,`event_id`) WHERE space_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `visit_ranks_of_account` ON `visit_ranks` (`owner_id`,`grain`,`period`,`visits`,`event_id`) WHERE owner_id IS NOT NULL;
--> statement-breakpoint
-- One that something else has left is no reason to count nothing.
CREATE TRIGGER visit_totals_ranked AFTER INSERT ON visit_totals WHEN NEW.grain <> 'hour' BEGIN
  INSERT INTO visit_ranks (event_id, grain, period, visits, space_id, owner_id)
    SELECT NEW.event_id, NEW.grain, NEW.period, NEW.visits, iif(events.deleted_at IS NULL, spaces.id, NULL),
      iif(events.deleted_at IS NULL AND spaces.deleted_at IS NULL, spaces.owner_id, NULL)
    FROM events CROSS JOIN spaces ON spaces.id = events.space_id WHERE events.id = NEW.event_id
  ON CONFLICT (event_id, grain, period) DO UPDATE SET visits = excluded.visits, space_id = excluded.space_id, owner_id = excluded.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER visit_totals_reranked AFTER UPDATE OF visits ON visit_totals WHEN NEW.grain <> 'hour' AND NEW.visits <> OLD.visits BEGIN
  UPDATE visit_ranks SET visits = NEW.visits WHERE event_id = NEW.event_id AND grain = NEW.grain AND period = NEW.period;
END;
--> statement-breakpoint
CREATE TRIGGER visit_totals_unranked AFTER DELETE ON visit_totals WHEN OLD.grain <> 'hour' BEGIN
  DELETE FROM visit_ranks WHERE event_id = OLD.event_id AND grain = OLD.grain AND period = OLD.period;
END;
--> statement-breakpoint
CREATE TRIGGER events_ranks_moved AFTER UPDATE OF space_id, deleted_at ON events
WHEN OLD.space_id <> NEW.space_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE visit_ranks SET space_id = iif(NEW.deleted_at IS NULL, NEW.space_id, NULL),
    owner_id = (SELECT owner_id FROM spaces WHERE id = NEW.space_id AND deleted_at IS NULL AND NEW.deleted_at IS NULL)
    WHERE event_id = NEW.id;
END;
--> statement-breakpoint
-- Those of the space's events that are not in the trash.
CREATE TRIGGER spaces_ranks_moved AFTER UPDATE OF owner_id, deleted_at ON spaces
WHEN OLD.owner_id <> NEW.owner_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE visit_ranks SET owner_id = iif(NEW.deleted_at IS NULL, NEW.owner_id, NULL) WHERE space_id = NEW.id;
END;
--> statement-breakpoint
-- What is counted of a space counts for its owner as well, while the space is not in the trash.
CREATE TRIGGER visit_space_totals_added AFTER INSERT ON visit_space_totals BEGIN
  INSERT INTO visit_account_totals (
    owner_id, grain, period, spaces, visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors,
    cart_visitors, checkout_visitors
  ) SELECT owner_id, NEW.grain, NEW.period, 1,
    NEW.visits, NEW.visitors, NEW.seconds, NEW.tags, NEW.media, NEW.products, NEW.carts, NEW.checkouts, NEW.tag_visitors, NEW.product_visitors,
    NEW.cart_visitors, NEW.checkout_visitors
    FROM spaces WHERE id = NEW.space_id AND deleted_at IS NULL
  ON CONFLICT (owner_id, grain, period) DO UPDATE SET
    spaces = spaces + excluded.spaces, visits = visits + excluded.visits, visitors = visitors + excluded.visitors,
    seconds = seconds + excluded.seconds, tags = tags + excluded.tags, media = media + excluded.media, products = products + excluded.products,
    carts = carts + excluded.carts, checkouts = checkouts + excluded.checkouts, tag_visitors = tag_visitors + excluded.tag_visitors,
    product_visitors = product_visitors + excluded.product_visitors, cart_visitors = cart_visitors + excluded.cart_visitors,
    checkout_visitors = checkout_visitors + excluded.checkout_visitors;
END;
--> statement-breakpoint
CREATE TRIGGER visit_space_totals_changed AFTER UPDATE OF
  visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors, cart_visitors, checkout_visitors
ON visit_space_totals BEGIN
  UPDATE visit_account_totals SET
    visits = visits + NEW.visits - OLD.visits, visitors = visitors + NEW.visitors - OLD.visitors, seconds = seconds + NEW.seconds - OLD.seconds,
    tags = tags + NEW.tags - OLD.tags, media = media + NEW.media - OLD.media, products = products + NEW.products - OLD.products,
    carts = carts + NEW.carts - OLD.carts, checkouts = checkouts + NEW.checkouts - OLD.checkouts,
    tag_visitors = tag_visitors + NEW.tag_visitors - OLD.tag_visitors,
    product_visitors = product_visitors + NEW.product_visitors - OLD.product_visitors,
    cart_visitors = cart_visitors + NEW.cart_visitors - OLD.cart_visitors,
    checkout_visitors = checkout_visitors + NEW.checkout_visitors - OLD.checkout_visitors
    WHERE owner_id = (SELECT owner_id FROM spaces WHERE id = NEW.space_id AND deleted_at IS NULL) AND grain = NEW.grain AND period = NEW.period;
END;
--> statement-breakpoint
CREATE TRIGGER visit_space_totals_removed AFTER DELETE ON visit_space_totals BEGIN
  UPDATE visit_account_totals SET
    spaces = spaces - 1, visits = visits - OLD.visits, visitors = visitors - OLD.visitors, seconds = seconds - OLD.seconds,
    tags = tags - OLD.tags, media = media - OLD.media, products = products - OLD.products, carts = carts - OLD.carts,
    checkouts = checkouts - OLD.checkouts, tag_visitors = tag_visitors - OLD.tag_visitors,
    product_visitors = product_visitors - OLD.product_visitors, cart_visitors = cart_visitors - OLD.cart_visitors,
    checkout_visitors = checkout_visitors - OLD.checkout_visitors
    WHERE owner_id = (SELECT owner_id FROM spaces WHERE id = OLD.space_id AND deleted_at IS NULL) AND grain = OLD.grain AND period = OLD.period;
  DELETE FROM visit_account_totals WHERE spaces = 0 AND owner_id = (SELECT owner_id FROM spaces WHERE id = OLD.space_id AND deleted_at IS NULL)
    AND grain = OLD.grain AND period = OLD.period;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_visits_moved AFTER UPDATE OF owner_id, deleted_at ON spaces
WHEN OLD.owner_id <> NEW.owner_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE visit_account_totals SET
    spaces = visit_account_totals.spaces - 1, visits = visit_account_totals.visits - t.visits,
    visitors = visit_account_totals.visitors - t.visitors, seconds = visit_account_totals.seconds - t.seconds,
    tags = visit_account_totals.tags - t.tags, media = visit_account_totals.media - t.media,
    products = visit_account_totals.products - t.products, carts = visit_account_totals.carts - t.carts,
    checkouts = visit_account_totals.checkouts - t.checkouts, tag_visitors = visit_account_totals.tag_visitors - t.tag_visitors,
    product_visitors = visit_account_totals.product_visitors - t.product_visitors,
    cart_visitors = visit_account_totals.cart_visitors - t.cart_visitors,
    checkout_visitors = visit_account_totals.checkout_visitors - t.checkout_visitors
    FROM visit_space_totals t WHERE t.space_id = OLD.id AND OLD.deleted_at IS NULL
      AND visit_account_totals.owner_id = OLD.owner_id AND visit_account_totals.grain = t.grain AND visit_account_totals.period = t.period;
  DELETE FROM visit_account_totals WHERE owner_id = OLD.owner_id AND spaces = 0;
  INSERT INTO visit_account_totals (
    owner_id, grain, period, spaces, visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors,
    cart_visitors, checkout_visitors
  ) SELECT NEW.owner_id, grain, period, 1,
    visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors, cart_visitors, checkout_visitors
    FROM visit_space_totals WHERE space_id = NEW.id AND NEW.deleted_at IS NULL
  ON CONFLICT (owner_id, grain, period) DO UPDATE SET
    spaces = spaces + excluded.spaces, visits = visits + excluded.visits, visitors = visitors + excluded.visitors,
    seconds = seconds + excluded.seconds, tags = tags + excluded.tags, media = media + excluded.media, products = products + excluded.products,
    carts = carts + excluded.carts, checkouts = checkouts + excluded.checkouts, tag_visitors = tag_visitors + excluded.tag_visitors,
    product_visitors = product_visitors + excluded.product_visitors, cart_visitors = cart_visitors + excluded.cart_visitors,
    checkout_visitors = checkout_visitors + excluded.checkout_visitors;
END;
--> statement-breakpoint
-- Before: with the space its numbers go, and they would not know whose they were.
CREATE TRIGGER spaces_visits_removed BEFORE DELETE ON spaces WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE visit_account_totals SET
    spaces = visit_account_totals.spaces - 1, visits = visit_account_totals.visits - t.visits,
    visitors = visit_account_totals.visitors - t.visitors, seconds = visit_account_totals.seconds - t.seconds,
    tags = visit_account_totals.tags - t.tags, media = visit_account_totals.media - t.media,
    products = visit_account_totals.products - t.products, carts = visit_account_totals.carts - t.carts,
    checkouts = visit_account_totals.checkouts - t.checkouts, tag_visitors = visit_account_totals.tag_visitors - t.tag_visitors,
    product_visitors = visit_account_totals.product_visitors - t.product_visitors,
    cart_visitors = visit_account_totals.cart_visitors - t.cart_visitors,
    checkout_visitors = visit_account_totals.checkout_visitors - t.checkout_visitors
    FROM visit_space_totals t WHERE t.space_id = OLD.id AND OLD.deleted_at IS NULL
      AND visit_account_totals.owner_id = OLD.owner_id AND visit_account_totals.grain = t.grain AND visit_account_totals.period = t.period;
  DELETE FROM visit_account_totals WHERE owner_id = OLD.owner_id AND spaces = 0;
END;
--> statement-breakpoint
INSERT INTO visit_account_totals (
    owner_id, grain, period, spaces, visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors,
    cart_visitors, checkout_visitors
) SELECT spaces.owner_id, t.grain, t.period, count(*),
    sum(t.visits), sum(t.visitors), sum(t.seconds), sum(t.tags), sum(t.media), sum(t.products), sum(t.carts), sum(t.checkouts),
    sum(t.tag_visitors), sum(t.product_visitors), sum(t.cart_visitors), sum(t.checkout_visitors)
  FROM spaces CROSS JOIN visit_space_totals t ON t.space_id = spaces.id
  WHERE spaces.deleted_at IS NULL GROUP BY spaces.owner_id, t.grain, t.period;
--> statement-breakpoint
CREATE TRIGGER visit_space_live_added AFTER INSERT ON visit_space_live BEGIN
  INSERT INTO visit_account_live (owner_id, minute, visitors)
    SELECT owner_id, NEW.minute, NEW.visitors FROM spaces WHERE id = NEW.space_id AND deleted_at IS NULL
  ON CONFLICT (owner_id, minute) DO UPDATE SET visitors = visitors + excluded.visitors;
END;
--> statement-breakpoint
CREATE TRIGGER visit_space_live_changed AFTER UPDATE OF visitors ON visit_space_live BEGIN
  UPDATE visit_account_live SET visitors = visitors + NEW.visitors - OLD.visitors
    WHERE owner_id = (SELECT owner_id FROM spaces WHERE id = NEW.space_id AND deleted_at IS NULL) AND minute = NEW.minute;
END;
--> statement-breakpoint
CREATE TRIGGER visit_space_live_removed AFTER DELETE ON visit_space_live BEGIN
  UPDATE visit_account_live SET visitors = visitors - OLD.visitors
    WHERE owner_id = (SELECT owner_id FROM spaces WHERE id = OLD.space_id AND deleted_at IS NULL) AND minute = OLD.minute;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_live_moved AFTER UPDATE OF owner_id, deleted_at ON spaces
WHEN OLD.owner_id <> NEW.owner_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE visit_account_live SET visitors = visit_account_live.visitors - v.visitors
    FROM visit_space_live v WHERE OLD.deleted_at IS NULL AND visit_account_live.owner_id = OLD.owner_id
      AND v.minute = visit_account_live.minute AND v.space_id = OLD.id;
  INSERT INTO visit_account_live (owner_id, minute, visitors)
    SELECT NEW.owner_id, minute, visitors FROM visit_space_live WHERE space_id = NEW.id AND NEW.deleted_at IS NULL
  ON CONFLICT (owner_id, minute) DO UPDATE SET visitors = visitors + excluded.visitors;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_live_removed BEFORE DELETE ON spaces WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE visit_account_live SET visitors = visit_account_live.visitors - v.visitors
    FROM visit_space_live v WHERE OLD.deleted_at IS NULL AND visit_account_live.owner_id = OLD.owner_id
      AND v.minute = visit_account_live.minute AND v.space_id = OLD.id;
END;
--> statement-breakpoint
INSERT INTO visit_account_live (owner_id, minute, visitors)
  SELECT spaces.owner_id, v.minute, sum(v.visitors) FROM spaces CROSS JOIN visit_space_live v ON v.space_id = spaces.id
  WHERE spaces.deleted_at IS NULL GROUP BY spaces.owner_id, v.minute;

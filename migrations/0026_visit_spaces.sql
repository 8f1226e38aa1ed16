CREATE TABLE `visit_space_totals` (
	`space_id` text NOT NULL,
	`grain` text NOT NULL,
	`period` text NOT NULL,
	`events` integer NOT NULL,
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
	PRIMARY KEY(`space_id`, `grain`, `period`),
	FOREIGN KEY (`space_id`) REFERENCES `spaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
-- What is counted of an event counts for its space as well, while the event is not in the trash: kept here, as everything that
-- writes numbers, deletes, restores or moves events would have to know of it.
CREATE TRIGGER visit_totals_added AFTER INSERT ON visit_totals BEGIN
  INSERT INTO visit_space_totals (
      space_id, grain, period, events, visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors,
      cart_visitors, checkout_visitors
  ) SELECT space_id, NEW.grain, NEW.period, 1,
    NEW.visits, NEW.visitors, NEW.seconds, NEW.tags, NEW.media, NEW.products, NEW.carts, NEW.checkouts, NEW.tag_visitors,
    NEW.product_visitors, NEW.cart_visitors, NEW.checkout_visitors
    FROM events WHERE id = NEW.event_id AND deleted_at IS NULL
  ON CONFLICT (space_id, grain, period) DO UPDATE SET
    events = events + excluded.events, visits = visits + excluded.visits, visitors = visitors + excluded.visitors,
    seconds = seconds + excluded.seconds, tags = tags + excluded.tags, media = media + excluded.media,
    products = products + excluded.products, carts = carts + excluded.carts, checkouts = checkouts + excluded.checkouts,
    tag_visitors = tag_visitors + excluded.tag_visitors, product_visitors = product_visitors + excluded.product_visitors,
    cart_visitors = cart_visitors + excluded.cart_visitors, checkout_visitors = checkout_visitors + excluded.checkout_visitors;
END;
--> statement-breakpoint
CREATE TRIGGER visit_totals_changed AFTER UPDATE OF
  visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors, cart_visitors, checkout_visitors
ON visit_totals BEGIN
  UPDATE visit_space_totals SET
    visits = visits + NEW.visits - OLD.visits, visitors = visitors + NEW.visitors - OLD.visitors,
    seconds = seconds + NEW.seconds - OLD.seconds, tags = tags + NEW.tags - OLD.tags, media = media + NEW.media - OLD.media,
    products = products + NEW.products - OLD.products, carts = carts + NEW.carts - OLD.carts,
    checkouts = checkouts + NEW.checkouts - OLD.checkouts, tag_visitors = tag_visitors + NEW.tag_visitors - OLD.tag_visitors,
    product_visitors = product_visitors + NEW.product_visitors - OLD.product_visitors,
    cart_visitors = cart_visitors + NEW.cart_visitors - OLD.cart_visitors,
    checkout_visitors = checkout_visitors + NEW.checkout_visitors - OLD.checkout_visitors
    WHERE space_id = (SELECT space_id FROM events WHERE id = NEW.event_id AND deleted_at IS NULL) AND grain = NEW.grain AND period = NEW.period;
END;
--> statement-breakpoint
CREATE TRIGGER visit_totals_removed AFTER DELETE ON visit_totals BEGIN
  UPDATE visit_space_totals SET
    events = events - 1, visits = visits - OLD.visits, visitors = visitors - OLD.visitors, seconds = seconds - OLD.seconds,
    tags = tags - OLD.tags, media = media - OLD.media, products = products - OLD.products, carts = carts - OLD.carts,
    checkouts = checkouts - OLD.checkouts, tag_visitors = tag_visitors - OLD.tag_visitors,
    product_visitors = product_visitors - OLD.product_visitors, cart_visitors = cart_visitors - OLD.cart_visitors,
    checkout_visitors = checkout_visitors - OLD.checkout_visitors
    WHERE space_id = (SELECT space_id FROM events WHERE id = OLD.event_id AND deleted_at IS NULL) AND grain = OLD.grain AND period = OLD.period;
  DELETE FROM visit_space_totals WHERE events = 0 AND space_id = (SELECT space_id FROM events WHERE id = OLD.event_id AND deleted_at IS NULL) AND grain = OLD.grain AND period = OLD.period;
END;
--> statement-breakpoint
CREATE TRIGGER events_visits_moved AFTER UPDATE OF space_id, deleted_at ON events
WHEN OLD.space_id <> NEW.space_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE visit_space_totals SET
    events = visit_space_totals.events - 1, visits = visit_space_totals.visits - t.visits, visitors = visit_space_totals.visitors - t.visitors,
    seconds = visit_space_totals.seconds - t.seconds, tags = visit_space_totals.tags - t.tags, media = visit_space_totals.media - t.media,
    products = visit_space_totals.products - t.products, carts = visit_space_totals.carts - t.carts,
    checkouts = visit_space_totals.checkouts - t.checkouts, tag_visitors = visit_space_totals.tag_visitors - t.tag_visitors,
    product_visitors = visit_space_totals.product_visitors - t.product_visitors,
    cart_visitors = visit_space_totals.cart_visitors - t.cart_visitors,
    checkout_visitors = visit_space_totals.checkout_visitors - t.checkout_visitors
    FROM visit_totals t WHERE t.event_id = OLD.id AND OLD.deleted_at IS NULL
      AND visit_space_totals.space_id = OLD.space_id AND visit_space_totals.grain = t.grain AND visit_space_totals.period = t.period;
  DELETE FROM visit_space_totals WHERE space_id = OLD.space_id AND events = 0;
  INSERT INTO visit_space_totals (
      space_id, grain, period, events, visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors,
      cart_visitors, checkout_visitors
  ) SELECT NEW.space_id, grain, period, 1, visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors, cart_visitors, checkout_visitors
    FROM visit_totals WHERE event_id = NEW.id AND NEW.deleted_at IS NULL
  ON CONFLICT (space_id, grain, period) DO UPDATE SET
    events = events + excluded.events, visits = visits + excluded.visits, visitors = visitors + excluded.visitors,
    seconds = seconds + excluded.seconds, tags = tags + excluded.tags, media = media + excluded.media,
    products = products + excluded.products, carts = carts + excluded.carts, checkouts = checkouts + excluded.checkouts,
    tag_visitors = tag_visitors + excluded.tag_visitors, product_visitors = product_visitors + excluded.product_visitors,
    cart_visitors = cart_visitors + excluded.cart_visitors, checkout_visitors = checkout_visitors + excluded.checkout_visitors;
END;
--> statement-breakpoint
-- Before: with the event its numbers go, and they would not know of which space they were.
CREATE TRIGGER events_visits_removed BEFORE DELETE ON events WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE visit_space_totals SET
    events = visit_space_totals.events - 1, visits = visit_space_totals.visits - t.visits, visitors = visit_space_totals.visitors - t.visitors,
    seconds = visit_space_totals.seconds - t.seconds, tags = visit_space_totals.tags - t.tags, media = visit_space_totals.media - t.media,
    products = visit_space_totals.products - t.products, carts = visit_space_totals.carts - t.carts,
    checkouts = visit_space_totals.checkouts - t.checkouts, tag_visitors = visit_space_totals.tag_visitors - t.tag_visitors,
    product_visitors = visit_space_totals.product_visitors - t.product_visitors,
    cart_visitors = visit_space_totals.cart_visitors - t.cart_visitors,
    checkout_visitors = visit_space_totals.checkout_visitors - t.checkout_visitors
    FROM visit_totals t WHERE t.event_id = OLD.id AND OLD.deleted_at IS NULL
      AND visit_space_totals.space_id = OLD.space_id AND visit_space_totals.grain = t.grain AND visit_space_totals.period = t.period;
  DELETE FROM visit_space_totals WHERE space_id = OLD.space_id AND events = 0;
END;
--> statement-breakpoint
INSERT INTO visit_space_totals (
      space_id, grain, period, events, visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors,
      cart_visitors, checkout_visitors
) SELECT events.space_id, t.grain, t.period, count(*),
    sum(t.visits), sum(t.visitors), sum(t.seconds), sum(t.tags), sum(t.media), sum(t.products), sum(t.carts), sum(t.checkouts),
    sum(t.tag_visitors), sum(t.product_visitors), sum(t.cart_visitors), sum(t.checkout_visitors)
  FROM visit_totals t CROSS JOIN events ON events.id = t.event_id
  WHERE events.deleted_at IS NULL GROUP BY events.space_id, t.grain, t.period;

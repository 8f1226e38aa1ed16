-- Visitors' pages show an event's dates in its owner's time zone: another zone is another page.
CREATE TRIGGER users_time_zone_changed
AFTER UPDATE OF time_zone ON users
WHEN NEW.time_zone IS NOT OLD.time_zone
BEGIN
  UPDATE events SET revision = revision + 1
  WHERE space_id IN (SELECT id FROM spaces WHERE owner_id = NEW.id);
END;

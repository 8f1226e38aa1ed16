-- The links of an account that is deleted are closed, and open again when it is restored: another state is another page.
CREATE TRIGGER users_closed
AFTER UPDATE OF deleted_at ON users
WHEN (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL)
BEGIN
  UPDATE events SET revision = revision + 1
  WHERE space_id IN (SELECT id FROM spaces WHERE owner_id = NEW.id);
END;

import { StatusBadge } from "~/components/status/status";
import { EVENT_STATUS } from "~/domain/events/status";

/** Badge of a page of a preview link. It is a module of its own because pages of public links do not need the code of statuses. */
export default function PreviewBadge() {
  return <StatusBadge statusId={EVENT_STATUS.preview} />;
}

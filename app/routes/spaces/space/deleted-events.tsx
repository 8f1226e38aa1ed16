import { Form, useNavigation } from "@remix-run/react";
import { Button } from "~/components/button";
import { DateTime } from "~/components/date-time";
import { Table } from "~/components/table";
import { DAY_MS } from "~/domain/shared/day";
import { TRASH_DAYS } from "~/domain/shared/limits";
import { useTranslation } from "~/i18n/translation";

export interface DeletedEventsProps {
  /** Name of the space. */
  readonly name: string;
  readonly rows: readonly { readonly id: string; readonly name: string; readonly deletedAt: string }[];
  readonly timeZone: string;
}

/** Deleted events of a space, latest first, with buttons that restore them. Renders nothing if there are none. */
export function DeletedEvents({ name, rows, timeZone }: DeletedEventsProps) {
  const { t } = useTranslation();
  const busy = useNavigation().formMethod === "POST";
  if (rows.length === 0) return null;
  const until = (deletedAt: string) => new Date(Date.parse(deletedAt) + TRASH_DAYS * DAY_MS).toISOString();
  return (
    <section className="mt-6 grid min-w-0 gap-3">
      <h2 className="text-base font-semibold">{t("events:spaceEvents.trash")}</h2>
      <Table
        caption={t("events:spaceEvents.trashCaption", { name })}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { key: "name", header: t("spaces:detail.colName"), cell: (event) => event.name },
          {
            key: "deleted",
            header: t("events:spaceEvents.colDeleted"),
            cell: (event) => <DateTime instant={event.deletedAt} timeZone={timeZone} />,
          },
          {
            key: "until",
            header: t("events:spaceEvents.colUntil"),
            cell: (event) => <DateTime instant={until(event.deletedAt)} timeZone={timeZone} time={false} />,
          },
        ]}
        actions={(event) => (
          <Form method="post">
            <input type="hidden" name="event" value={event.id} />
            <Button
              type="submit"
              name="intent"
              value="restore-event"
              variant="quiet"
              icon="undo"
              pending={busy}
              aria-label={t("events:spaceEvents.restoreOf", { name: event.name })}
            >
              {t("events:spaceEvents.restore")}
            </Button>
          </Form>
        )}
      />
    </section>
  );
}

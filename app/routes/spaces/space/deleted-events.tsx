import { Form, useNavigation } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { Button } from "~/components/button";
import { DateTime } from "~/components/date-time";
import { Notice } from "~/components/status/notice";
import { Table } from "~/components/table";
import { DAY_MS } from "~/domain/shared/day";
import { TRASH_DAYS } from "~/domain/shared/limits";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import type { EventActionOutcome } from "./event-actions.server";

export interface DeletedEventsProps {
  /** Name of the space that held the events; null for events of several spaces, which the table then names. */
  readonly name: string | null;
  readonly rows: readonly {
    readonly id: string;
    readonly name: string;
    readonly deletedAt: string;
    readonly space: { readonly id: string; readonly name: string };
  }[];
  readonly timeZone: string;
}

/** Deleted events, latest first, with buttons that restore them. Renders nothing if there are none. */
export function DeletedEvents({ name, rows, timeZone }: DeletedEventsProps) {
  const { t } = useTranslation();
  const busy = useNavigation().formMethod === "POST";
  if (rows.length === 0) return null;
  const until = (deletedAt: string) => new Date(Date.parse(deletedAt) + TRASH_DAYS * DAY_MS).toISOString();
  return (
    <section className="mt-6 grid min-w-0 gap-3">
      <h2 className="text-base font-semibold">{t("folders:deletedEvents")}</h2>
      <Table
        caption={name === null ? t("folders:deletedEvents") : t("folders:deletedEventsOf", { name })}
        rows={rows}
        showsActions
        rowKey={({ id }) => id}
        columns={[
          { key: "name", header: t("folders:colName"), cell: (event) => event.name },
          ...(name === null
            ? [
                {
                  key: "space",
                  header: t("folders:kind.space"),
                  phone: "header-and-value" as const,
                  cell: ({ space }: DeletedEventsProps["rows"][number]) => (
                    <Anchor
                      href={`/space/${space.id}`}
                      className="inline-flex min-h-6 items-center underline"
                    >
                      {space.name}
                    </Anchor>
                  ),
                },
              ]
            : []),
          {
            key: "deleted",
            header: t("folders:colDeleted"),
            phone: "line",
            cell: (event) => <DateTime instant={event.deletedAt} timeZone={timeZone} />,
          },
          {
            key: "until",
            header: t("folders:colUntil"),
            phone: "line",
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
              aria-label={t("folders:restoreOf", { name: event.name })}
            >
              {t("folders:restore")}
            </Button>
          </Form>
        )}
      />
    </section>
  );
}

/** Reason why an event was not restored or deleted. */
export function EventProblem({ outcome }: { readonly outcome: EventActionOutcome | null }) {
  const message = useMessage();
  if (!outcome?.problem) return null;
  return (
    <Notice tone="danger" title={message(outcome.problem)} live>
      {outcome.hint && message(outcome.hint)}
    </Notice>
  );
}

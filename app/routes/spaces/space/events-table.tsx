import { Anchor } from "~/components/anchor";
import { DateTime } from "~/components/date-time";
import { Icon } from "~/components/icon";
import { Menu, MenuDivider, MenuLink } from "~/components/menus/menu";
import { EmptyState } from "~/components/status/states";
import { StatusBadge } from "~/components/status/status";
import { Table } from "~/components/table";
import type { EventStatusId } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import type { EventDialogName } from "./event-acts.server";

export interface EventsTableProps {
  /** Name of the space. */
  readonly name: string;
  readonly rows: readonly {
    readonly id: string;
    readonly name: string;
    readonly statusId: EventStatusId;
    readonly startDate: string | null;
    readonly endDate: string | null;
    readonly updatedAt: string;
  }[];
  readonly timeZone: string;
  /** Query of the page. */
  readonly list: URLSearchParams;
  /** Whether the user may delete and export the events. */
  readonly mayDelete: boolean;
}

/** Address of a dialog about one event. */
function dialogHref(list: URLSearchParams, dialog: EventDialogName, id: string): string {
  const params = new URLSearchParams(list);
  params.set("dialog", dialog);
  params.set("event", id);
  return `?${params}`;
}

/** Events of a space, with the actions on each. */
export function EventsTable({ name, rows, timeZone, list, mayDelete }: EventsTableProps) {
  const { t } = useTranslation();
  return (
    <Table
      caption={t("spaces:detail.eventsCaption", { name })}
      columns={[
        {
          key: "name",
          header: t("spaces:detail.colName"),
          cell: (event) => (
            <Anchor href={`/event/${event.id}`} className="font-semibold underline-offset-4 hover:underline">
              {event.name}
            </Anchor>
          ),
        },
        {
          key: "status",
          header: t("spaces:detail.colStatus"),
          cell: (event) => <StatusBadge statusId={event.statusId} />,
        },
        {
          key: "period",
          header: t("spaces:detail.colPeriod"),
          cell: (event) => <Period {...event} timeZone={timeZone} />,
        },
        {
          key: "updated",
          header: t("spaces:detail.colUpdated"),
          cell: (event) => <DateTime instant={event.updatedAt} timeZone={timeZone} />,
        },
      ]}
      rows={rows}
      rowKey={(event) => event.id}
      actions={(event) => (
        <Menu trigger={<Icon name="more" />} label={t("events:spaceEvents.actions", { name: event.name })}>
          <MenuLink icon="edit" href={`/event/${event.id}`}>
            {t("events:spaceEvents.open")}
          </MenuLink>
          <MenuLink icon="copy" href={dialogHref(list, "copy-event", event.id)} keepScroll>
            {t("events:spaceEvents.copy")}
          </MenuLink>
          {mayDelete && (
            <>
              <MenuLink icon="download" href={`/event/${event.id}/export`} download>
                {t("transfer:export")}
              </MenuLink>
              <MenuDivider />
              <MenuLink icon="trash" href={dialogHref(list, "delete-event", event.id)} keepScroll>
                {t("events:spaceEvents.delete")}
              </MenuLink>
            </>
          )}
        </Menu>
      )}
      empty={<EmptyState title={t("spaces:detail.emptyTitle")}>{t("spaces:detail.emptyText")}</EmptyState>}
    />
  );
}

interface PeriodProps {
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly timeZone: string;
}

function Period({ startDate, endDate, timeZone }: PeriodProps) {
  const { t } = useTranslation();
  if (!startDate && !endDate) return <span className="text-muted">{t("spaces:detail.always")}</span>;
  return (
    <span className="grid text-sm">
      <span>
        {startDate ? <DateTime instant={startDate} timeZone={timeZone} /> : t("spaces:detail.noStart")} –
      </span>
      <span>{endDate ? <DateTime instant={endDate} timeZone={timeZone} /> : t("spaces:detail.noEnd")}</span>
    </span>
  );
}

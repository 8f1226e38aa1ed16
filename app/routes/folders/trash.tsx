import { Form, useNavigation } from "@remix-run/react";
import { Button, DefaultSubmit, LinkButton } from "~/components/button";
import { CursorPager, type CursorPagerProps } from "~/components/cursor-pager";
import { DateTime } from "~/components/date-time";
import { Icon } from "~/components/icon";
import { EmptyState } from "~/components/status/states";
import { Table } from "~/components/table";
import { writeTreeRef } from "~/domain/folders/tree-list.schema";
import { TRASH_DAYS } from "~/domain/shared/limits";
import { useTranslation } from "~/i18n/translation";
import type { TrashedRow } from "./item";
import { ItemTick } from "./item-parts";
import { SelectionBar } from "./selection";

export interface TrashListProps {
  readonly rows: readonly TrashedRow[];
  readonly timeZone: string;
  readonly pager: CursorPagerProps;
}

const ICONS = { folder: "folder", space: "cube", media: "picture" } as const;

/** Deleted items of an owner, newest first, which can be restored one by one or several at once. */
export function TrashList({ rows, timeZone, pager }: TrashListProps) {
  const { t } = useTranslation();
  const busy = useNavigation().formMethod === "POST";
  return (
    <Form
      id="list"
      tabIndex={-1}
      method="post"
      aria-label={t("folders:trash")}
      className="group/list grid grid-cols-1 gap-4"
    >
      {/* Pressing Enter on a checkbox submits nothing, because each button has its own action. */}
      <DefaultSubmit disabled />
      <input type="hidden" name="intent" value="restore" />
      {/* Between phone and desktop widths the columns do not fit, so the table scrolls instead of the page. */}
      <div className="min-w-0 sm:-mx-3 sm:overflow-x-auto sm:px-3">
        <Table
          caption={t("folders:trash")}
          showsActions
          rows={rows}
          rowKey={({ kind, id }) => `${kind} ${id}`}
          empty={
            <EmptyState
              icon="trash"
              title={t("folders:emptyTrash")}
              action={<LinkButton href="?">{t("folders:leaveTrash")}</LinkButton>}
            >
              {t("folders:emptyTrashText", { days: TRASH_DAYS })}
            </EmptyState>
          }
          columns={[
            {
              key: "name",
              header: t("folders:colName"),
              cell: (row) => (
                <span className="flex min-h-10 items-center gap-2">
                  <ItemTick item={row} checked={false} />
                  <Icon name={ICONS[row.kind]} className="text-muted" />
                  <span>{row.name}</span>
                </span>
              ),
            },
            {
              key: "kind",
              header: t("folders:colKind"),
              phone: "value",
              cell: (row) => t(`folders:kind.${row.kind}`),
            },
            {
              key: "holds",
              header: t("folders:colHolds"),
              phone: "header-and-value",
              cell: (row) =>
                row.containedCount > 0 ? t("folders:holds", { count: row.containedCount }) : "",
            },
            {
              key: "deleted",
              header: t("folders:colDeleted"),
              phone: "line",
              cell: (row) => <DateTime instant={row.deletedAt} timeZone={timeZone} />,
            },
            {
              key: "until",
              header: t("folders:colUntil"),
              phone: "line",
              cell: (row) => <DateTime instant={row.restorableUntil} timeZone={timeZone} time={false} />,
            },
          ]}
          actions={(row) => <RestoreOne row={row} busy={busy} />}
        />
      </div>
      {rows.length > 0 && <CursorPager {...pager} />}
      <SelectionBar size={rows.length}>
        <Button type="submit" icon="undo" pending={busy}>
          {t("folders:restoreMany")}
        </Button>
      </SelectionBar>
    </Form>
  );
}

/** Restores one item, regardless of the selection. */
function RestoreOne({ row, busy }: { readonly row: TrashedRow; readonly busy: boolean }) {
  const { t } = useTranslation();
  return (
    <Button
      type="submit"
      name="only"
      value={writeTreeRef(row)}
      variant="quiet"
      icon="undo"
      pending={busy}
      aria-label={t("folders:restoreOf", { name: row.name })}
    >
      {t("folders:restore")}
    </Button>
  );
}

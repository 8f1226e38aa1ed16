import { Form } from "@remix-run/react";
import { type FormEvent, forwardRef } from "react";
import { Button } from "~/components/button";
import { Icon } from "~/components/icon";
import type { PartType } from "~/domain/content/content";
import type { Uuid } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";

export interface RestoreNoticeProps {
  readonly type: PartType;
  /** Ids of the items that were deleted last; empty if `callIds` identifies them. */
  readonly ids: readonly Uuid[];
  /** Ids of the calls of the content service that deleted the items, on pages without scripts; empty if `ids` contains the items. */
  readonly callIds: readonly Uuid[];
  /** Number of deleted items. */
  readonly count: number;
  /** Title of the deleted item if it is the only one; otherwise, or if the title is unknown, null. */
  readonly title: string | null;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/** Reports deleted items and restores them. It is always mounted, so that screen readers announce its text. */
export const RestoreNotice = forwardRef<HTMLDivElement, RestoreNoticeProps>(function RestoreNotice(
  { type, ids, callIds, count, title, onSubmit },
  ref,
) {
  const { t } = useTranslation();
  return (
    <div ref={ref} role="status" className="empty:sr-only">
      {count > 0 && (
        <Form
          method="post"
          onSubmit={onSubmit}
          className="flex flex-wrap items-center gap-x-3 rounded border border-line bg-surface px-3 py-1 text-sm"
        >
          <input type="hidden" name="intent" value="list" />
          <input type="hidden" name="type" value={type} />
          {ids.map((id) => (
            <input key={id} type="hidden" name="item" value={id} />
          ))}
          {callIds.map((callId) => (
            <input key={callId} type="hidden" name="act" value={callId} />
          ))}
          <Icon name="trash" size={16} className="text-muted" />
          <p className="mr-auto wrap-anywhere">
            {title ? t("content:deletedThis", { title }) : t("content:deleted", { count })}
          </p>
          <Button type="submit" variant="quiet" icon="undo" name="do" value="restore">
            {t("content:actions.restore")}
          </Button>
        </Form>
      )}
    </div>
  );
});

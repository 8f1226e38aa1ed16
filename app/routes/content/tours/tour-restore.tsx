import { Form } from "@remix-run/react";
import { type FormEvent, forwardRef } from "react";
import { Button } from "~/components/button";
import { Icon } from "~/components/icon";
import type { Uuid } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";

export interface TourRestoreProps {
  /** Ids of the stops that were deleted last. */
  readonly ids: readonly Uuid[];
  /** Number of the event's last change before the deletion. */
  readonly since: string;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/** Reports deleted stops and restores them. It is always mounted, so that screen readers announce its text. */
export const TourRestore = forwardRef<HTMLDivElement, TourRestoreProps>(function TourRestore(
  { ids, since, onSubmit },
  ref,
) {
  const { t } = useTranslation();
  return (
    <div ref={ref} role="status" className="empty:sr-only">
      {ids.length > 0 && (
        <Form
          method="post"
          onSubmit={onSubmit}
          className="flex flex-wrap items-center gap-x-3 rounded border border-line bg-surface px-3 py-1 text-sm"
        >
          <input type="hidden" name="intent" value="tour" />
          <input type="hidden" name="since" value={since} />
          {ids.map((id) => (
            <input key={id} type="hidden" name="item" value={id} />
          ))}
          <Icon name="trash" size={16} className="text-muted" />
          <p className="mr-auto">{t("content:sceneEditor.tour.deleted", { count: ids.length })}</p>
          <Button type="submit" variant="quiet" icon="undo" name="do" value="restore">
            {t("content:actions.restore")}
          </Button>
        </Form>
      )}
    </div>
  );
});

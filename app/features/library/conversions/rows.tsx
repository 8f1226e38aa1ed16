import { Anchor } from "~/components/anchor";
import { Button, IconButton } from "~/components/button";
import { Icon } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";
import { type ConversionRow, isEnded } from "./model";
import { conversions, useConversions } from "./store";
import { beingConverted, stateText } from "./texts";

/** Progress of all conversions of this tab. Those that are done share one row. */
export function ConversionRows() {
  const { t } = useTranslation();
  const rows = useConversions();
  const done = rows.filter(({ state }) => state === "done");
  const shown = done.length > 1 ? rows.filter(({ state }) => state !== "done") : rows;
  if (rows.length === 0) return null;
  return (
    <ul aria-label={t("library:conversion.list")} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {shown.map((row) => (
        <li key={row.itemId} className="rounded border border-line bg-surface p-3">
          <ConversionProgress row={row} linksToItem />
        </li>
      ))}
      {done.length > 1 && (
        <li className="flex items-center gap-2 rounded border border-line bg-surface p-3 text-xs text-muted">
          <Icon name="check" size={16} className="text-success" />
          <span role="status" className="min-w-0 flex-1 text-phrase">
            {t("library:conversion.doneMany", { count: done.length })}
          </span>
          <IconButton
            icon="close"
            label={t("library:conversion.dismissMany")}
            onClick={() => {
              for (const { itemId } of done) conversions()?.dismiss(itemId);
            }}
          />
        </li>
      )}
    </ul>
  );
}

interface ConversionProgressProps {
  readonly row: ConversionRow;
  /** Whether the request to compare the versions links to the item's page, where they are shown. */
  readonly linksToItem?: boolean;
}

/** Progress of one conversion, with a button to cancel or remove it. */
export function ConversionProgress({ row, linksToItem = false }: ConversionProgressProps) {
  const { t } = useTranslation();
  const { itemId, name, state, share } = row;
  const isOver = isEnded(row);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1">
      <div className="grid min-w-0 gap-1">
        <p className="text-sm font-semibold [overflow-wrap:anywhere]">{name}</p>
        {!isOver && state !== "asking" && (
          <p className="text-sm text-phrase" role="status">
            {beingConverted(name, t)}
          </p>
        )}
        {!isOver && state !== "asking" && (
          <progress
            aria-label={t("library:conversion.progress", { name })}
            value={state === "waiting" || state === "busy" ? 0 : share}
            max={1}
            className="block h-1 w-full appearance-none overflow-hidden rounded-full border-0 bg-ink/12 [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent"
          />
        )}
        <p
          className={`flex items-start gap-2 text-xs tabular-nums text-phrase ${state === "failed" ? "text-danger" : "text-muted"}`}
          role={isOver ? "status" : undefined}
        >
          {state === "done" && <Icon name="check" size={16} className="text-success" />}
          {state === "asking" && linksToItem ? (
            <Anchor href={`/library/items/${itemId}`}>{stateText(row, t)}</Anchor>
          ) : (
            <span>{stateText(row, t)}</span>
          )}
        </p>
      </div>
      {isOver ? (
        <IconButton
          icon="close"
          label={t("library:conversion.dismiss", { name })}
          onClick={() => conversions()?.dismiss(itemId)}
        />
      ) : state === "asking" ? null : (
        <Button variant="quiet" onClick={() => conversions()?.cancel(itemId)}>
          {t("library:conversion.cancel")}
        </Button>
      )}
    </div>
  );
}

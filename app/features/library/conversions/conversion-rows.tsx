import { Anchor } from "~/components/anchor";
import { Button, IconButton } from "~/components/button";
import { Icon } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";
import { type ConversionRow, type ConversionState, isEndedConversionState } from "./conversion-state";
import { currentConversionQueue, useConversions } from "./current-conversion-queue";
import { conversionText, stateText } from "./texts";

/** States whose conversions share one row when there are several of them, because separate rows would push the library further down. */
const GROUPS = [
  { name: "waiting", states: ["waiting", "busy"] },
  { name: "failed", states: ["failed"] },
  { name: "done", states: ["done"] },
] as const satisfies readonly { name: string; states: readonly ConversionState[] }[];

/** Progress of all conversions of this tab. Several conversions of the same group in GROUPS share one row, which can be expanded. */
export function ConversionRows() {
  const { t } = useTranslation();
  const rows = useConversions();
  if (rows.length === 0) return null;
  const groups = GROUPS.map(({ name, states }) => ({
    name,
    members: rows.filter(({ state }) => states.some((candidate) => candidate === state)),
  })).filter(({ members }) => members.length > 1);
  const singleRows = rows.filter((row) => !groups.some(({ members }) => members.includes(row)));
  return (
    <ul aria-label={t("library:conversion.list")} className="grid grid-cols-1 gap-2">
      {singleRows.map((row) => (
        <li key={row.itemId} className="rounded border border-line bg-surface p-3">
          <ConversionProgress row={row} linksToItem />
        </li>
      ))}
      {groups.map((group) => (
        <ConversionGroup key={group.name} {...group} />
      ))}
    </ul>
  );
}

interface ConversionGroupProps {
  readonly name: (typeof GROUPS)[number]["name"];
  readonly members: readonly ConversionRow[];
}

/** One row for several conversions of a group. It shows their number, and their own rows when it is expanded. */
function ConversionGroup({ name, members }: ConversionGroupProps) {
  const { t } = useTranslation();
  const count = members.length;
  return (
    <li className="flex items-start gap-2 rounded border border-line bg-surface p-3">
      <details className="group min-w-0 flex-1">
        <summary className="flex min-h-10 items-center gap-1.5 text-sm text-phrase">
          <Icon name="chevron-right" size={16} className="shrink-0 group-open:rotate-90" />
          <span role="status" className={name === "failed" ? "text-danger" : "text-muted"}>
            {t(`library:conversion.many.${name}`, { count })}
          </span>
        </summary>
        <ul className="grid grid-cols-1 gap-3 pt-2">
          {members.map((row) => (
            <li key={row.itemId}>
              <ConversionProgress row={row} linksToItem />
            </li>
          ))}
        </ul>
      </details>
      {name !== "waiting" && (
        <IconButton
          icon="close"
          label={t(`library:conversion.dismissMany.${name}`)}
          onClick={() => {
            for (const { itemId } of members) currentConversionQueue()?.dismiss(itemId);
          }}
        />
      )}
    </li>
  );
}

interface ConversionProgressProps {
  readonly row: ConversionRow;
  /** Whether the row links to the item's page for the comparison. On the item's page itself, the comparison is shown directly. */
  readonly linksToItem?: boolean;
}

/** Progress of one conversion, with a button to cancel or remove it. */
export function ConversionProgress({ row, linksToItem = false }: ConversionProgressProps) {
  const { t } = useTranslation();
  const { itemId, name, state, share } = row;
  const isOver = isEndedConversionState(state);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1">
      <div className="grid min-w-0 gap-1">
        <p className="text-sm font-semibold wrap-anywhere">{name}</p>
        {!isOver && state !== "asking" && (
          <p className="text-sm text-phrase" role="status">
            {conversionText(name, t)}
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
          onClick={() => currentConversionQueue()?.dismiss(itemId)}
        />
      ) : state === "asking" ? null : (
        <Button variant="quiet" onClick={() => currentConversionQueue()?.cancel(itemId)}>
          {t("library:conversion.cancel")}
        </Button>
      )}
    </div>
  );
}

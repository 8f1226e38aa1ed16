import { memo, useRef } from "react";
import { Button, IconButton } from "~/components/button";
import { cx } from "~/components/cx";
import { formatBytes } from "~/i18n/format";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { currentQueue } from "./current-queue";
import { needsAttention, type UploadRow } from "./upload-state";

/** A thin progress bar: `<Progress label=… value={3} max={10} />`. */
export function Progress({
  label,
  value,
  max,
  className,
}: {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly className?: string;
}) {
  return (
    <progress
      aria-label={label}
      value={max > 0 ? value : 0}
      max={Math.max(max, 1)}
      className={cx(
        "block h-1 w-full appearance-none overflow-hidden rounded-full border-0 bg-ink/12 [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent",
        className,
      )}
    />
  );
}

/** Returns the text for a file's state. */
function stateText({ state, isRetrying, problem, sent, size }: UploadRow, t: Translate): string {
  if (problem) return t(problem.key, problem.values);
  const bytes = { sent: formatBytes(sent), size: formatBytes(size) };
  if (isRetrying && (state === "sending" || state === "waiting"))
    return t("library:uploads.state.troubled", bytes);
  if (state === "rejected" || state === "failed") return "";
  return t(`library:uploads.state.${state}`, bytes);
}

/** The files of a group with their actions. Files that need attention are first. */
export function UploadRows({ rows }: { readonly rows: readonly UploadRow[] }) {
  const { t } = useTranslation();
  const show = (row: UploadRow) => <Row key={row.id} row={row} />;
  return (
    <ul aria-label={t("library:uploads.list")} className="grid grid-cols-1">
      {rows.filter(needsAttention).map(show)}
      {rows.filter((row) => !needsAttention(row)).map(show)}
    </ul>
  );
}

const Row = memo(function Row({ row }: { readonly row: UploadRow }) {
  const { t } = useTranslation();
  const { name, state, sent, size } = row;
  const isBad = state === "failed" || state === "rejected" || row.problem !== null;
  return (
    <li className="flex flex-wrap items-center justify-end gap-x-4 border-b border-line py-2 last:border-b-0">
      <div className="grid min-w-0 flex-1 basis-60 gap-1">
        <p className="flex items-baseline justify-between gap-4 text-sm">
          <span className="line-clamp-2 min-w-0 font-semibold" title={name}>
            {name}
          </span>
          <span className="text-xs whitespace-nowrap text-muted tabular-nums">{formatBytes(size)}</span>
        </p>
        {state !== "rejected" && state !== "done" && <Progress label={name} value={sent} max={size} />}
        <p className={cx("text-xs tabular-nums", isBad ? "text-danger" : "text-muted")}>
          {stateText(row, t)}
        </p>
      </div>
      <Actions row={row} />
    </li>
  );
});

function Actions({ row }: { readonly row: UploadRow }) {
  const { t } = useTranslation();
  const { id, name, state } = row;
  const action = (key: "pause" | "resume" | "tryAgain" | "cancel", onPress: () => void) => (
    <Button
      variant="quiet"
      aria-label={t("library:uploads.actionFor", { action: t(`library:uploads.${key}`), name })}
      onClick={onPress}
    >
      {t(`library:uploads.${key}`)}
    </Button>
  );
  const cancel = action("cancel", () => currentQueue()?.cancel(id));
  const resume = () => currentQueue()?.resume(id);
  return (
    <div className="flex flex-wrap gap-1">
      {(state === "waiting" || state === "sending") && action("pause", () => currentQueue()?.pause(id))}
      {state === "paused" && action("resume", resume)}
      {state === "failed" && action("tryAgain", resume)}
      {/* The browser does not have the file any more, for example after a reload. */}
      {state === "missing" && <ChooseAgain row={row} />}
      {state !== "done" && state !== "rejected" && state !== "finishing" && cancel}
      {(state === "done" || state === "rejected") && (
        <IconButton
          icon="close"
          label={t("library:uploads.actionFor", { action: t("library:uploads.close"), name })}
          onClick={() => currentQueue()?.cancel(id)}
        />
      )}
    </div>
  );
}

function ChooseAgain({ row: { id, name } }: { readonly row: UploadRow }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        variant="quiet"
        aria-label={t("library:uploads.actionFor", { action: t("library:uploads.chooseAgain"), name })}
        onClick={() => input.current?.click()}
      >
        {t("library:uploads.chooseAgain")}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t("library:uploads.actionFor", { action: t("library:uploads.chooseAgain"), name })}
        onChange={({ currentTarget: { files } }) => {
          const file = files?.[0];
          if (file) void currentQueue()?.supply(id, file);
        }}
      />
    </>
  );
}

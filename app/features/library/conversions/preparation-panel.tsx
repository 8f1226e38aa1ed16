import { Form } from "@remix-run/react";
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "~/components/button";
import { Notice } from "~/components/status/notice";
import { useHydrated } from "~/components/use-hydrated";
import {
  DEFAULT_QUALITY,
  NOT_SHOWN,
  type PreparationCode,
  type PreparationLoss,
  type PreparationNote,
  type PreparedMeasurements,
} from "~/domain/library/prepared";
import { useTranslation } from "~/i18n/translation";
import { ConversionProgress } from "./conversion-rows";
import type { VersionComparison } from "./conversion-state";
import { ConvertWaiting, type WaitingItem } from "./convert-waiting";
import { convertItem, currentConversionQueue, useConversions } from "./current-conversion-queue";
import { bytesText, conversionText } from "./texts";

/** Props of the conversion panel on an item's page. */
export interface PreparationPanelProps {
  readonly item: WaitingItem;
  readonly state: "none" | "waiting" | "done" | "failed" | "skipped";
  readonly code: PreparationCode | null;
  readonly quality: number | null;
  readonly before: PreparedMeasurements | null;
  readonly after: PreparedMeasurements | null;
  readonly losses: readonly PreparationLoss[];
  readonly notes: readonly PreparationNote[];
  /** Whether the user may change the item. */
  readonly mayChange: boolean;
  /** Whether the uploaded file can be shown without a conversion. */
  readonly maySkip: boolean;
  /** Whether the file waits for its check. Nothing is converted until then. */
  readonly isAwaitingCheck: boolean;
}

/** Shows the state of a file's conversion and its sizes, with forms to convert the file or to use the original. */
export function PreparationPanel(props: PreparationPanelProps) {
  const { item, state, code, before, after, losses, notes, mayChange, maySkip, isAwaitingCheck } = props;
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const titleId = useId();
  const row = useConversions().find(({ itemId }) => itemId === item.itemId);
  const isActive = row !== undefined && row.state !== "done" && row.state !== "failed";
  const mayConvert = mayChange && !isAwaitingCheck;
  const progress = useRef<HTMLDivElement>(null);
  const wasRequested = useRef(false);
  const rowState = row?.state;
  // The progress replaces the pressed button, so the focus moves to it.
  useEffect(() => {
    if (rowState && wasRequested.current && document.activeElement === document.body)
      progress.current?.focus();
  }, [rowState]);
  return (
    <section aria-labelledby={titleId} className="grid grid-cols-1 gap-4">
      <h2 id={titleId} className="text-base font-semibold">
        {t("library:conversion.title")}
      </h2>
      {state === "waiting" && !row && (
        <Notice tone="info">
          <p>{mayConvert && hydrated ? conversionText(item.name, t) : t("library:conversion.waitingText")}</p>
          {mayConvert && !hydrated && <p>{t("library:conversion.needsScript")}</p>}
        </Notice>
      )}
      {/* The page shows NOT_SHOWN above, because visitors do not see the file. */}
      {code !== null && code !== NOT_SHOWN && !row && (
        <Notice tone={code === "cancelled" ? "info" : "warning"} title={t("library:conversion.failedTitle")}>
          <p>{t(`library:conversion.code.${code}`, { name: item.name })}</p>
        </Notice>
      )}
      {state === "skipped" && (
        <p className="text-sm text-muted text-phrase">{t("library:conversion.skippedText")}</p>
      )}
      {state === "none" && (
        <p className="text-sm text-muted text-phrase">{t("library:conversion.noneText")}</p>
      )}
      {before && after && <SizeTable before={before} after={after} losses={losses} notes={notes} />}
      {row && (
        <div ref={progress} tabIndex={-1} className="rounded border border-line bg-surface p-4">
          <ConversionProgress row={row} />
          {/* In the state "asking", the owner compares the result with the original. */}
          {isActive && row.comparison && (
            <Compare itemId={row.itemId} comparison={row.comparison} isComparing={row.state === "asking"} />
          )}
        </div>
      )}
      {mayConvert && (
        <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
          {hydrated && !isActive && (
            <QualityForm
              initialQuality={props.quality}
              label={t(state === "done" ? "library:conversion.again" : "library:conversion.convert")}
              onSubmit={(quality) => {
                wasRequested.current = true;
                void convertItem({ ...item, file: null, quality, needsComparison: true });
              }}
            />
          )}
          {maySkip && state !== "skipped" && state !== "none" && (
            // Submitting removes the row of the ended conversion, because it would contradict the new state.
            <Form method="post" onSubmit={() => currentConversionQueue()?.dismiss(item.itemId)}>
              <Button type="submit" name="intent" value="skip-preparation">
                {t("library:conversion.skip")}
              </Button>
            </Form>
          )}
        </div>
      )}
      {mayConvert && !hydrated && state !== "waiting" && (
        <p className="text-sm text-muted text-phrase">{t("library:conversion.againNeedsScript")}</p>
      )}
      {mayConvert && <ConvertWaiting items={state === "waiting" ? [item] : []} />}
    </section>
  );
}

interface QualityFormProps {
  /** Quality that is selected first, 0…1; null for the default. */
  readonly initialQuality: number | null;
  /** Label of the button. */
  readonly label: string;
  readonly isPending?: boolean;
  onSubmit(quality: number): void;
}

/** Form that starts a conversion with a chosen quality. The owner compares the result before it is stored. */
function QualityForm({ initialQuality, label, isPending = false, onSubmit }: QualityFormProps) {
  const { t } = useTranslation();
  const [value, setValue] = useState(Math.round((initialQuality ?? DEFAULT_QUALITY) * 100));
  const id = useId();
  return (
    <form
      className="flex flex-wrap items-end gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(value / 100);
      }}
    >
      <label htmlFor={id} className="grid w-56 max-w-full gap-1 text-sm">
        <span className="flex justify-between gap-2">
          <span className="font-semibold">{t("library:conversion.quality")}</span>
          <output htmlFor={id} className="tabular-nums text-muted">
            {value}
          </output>
        </span>
        <input
          id={id}
          type="range"
          min={0}
          max={100}
          step={5}
          value={value}
          onChange={({ currentTarget }) => setValue(currentTarget.valueAsNumber)}
          className="h-10 w-full accent-accent"
        />
      </label>
      <Button type="submit" pending={isPending}>
        {label}
      </Button>
    </form>
  );
}

interface CompareProps {
  readonly itemId: string;
  readonly comparison: VersionComparison;
  /** False after a decision, while the file is converted in another quality or the result is sent. */
  readonly isComparing: boolean;
}

/** Shows the original and the result side by side, with the quality and buttons to keep or discard the result. */
function Compare({ itemId, comparison, isComparing }: CompareProps) {
  const { t } = useTranslation();
  const { original, converted, quality, ...sizes } = comparison;
  const figure = (src: string | null, label: string) => (
    <figure className="grid min-w-0 content-start gap-2">
      {src ? (
        <img src={src} alt={label} className="aspect-video w-full rounded bg-paper object-contain" />
      ) : (
        <p className="grid aspect-video place-items-center rounded bg-paper p-4 text-center text-sm text-muted">
          {t("library:conversion.noImage")}
        </p>
      )}
      <figcaption className="text-xs text-muted">{label}</figcaption>
    </figure>
  );
  return (
    <div className="mt-4 grid grid-cols-1 gap-4">
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {figure(original, t("library:conversion.original"))}
        {figure(converted, t("library:conversion.converted"))}
      </div>
      <SizeTable {...sizes} />
      <QualityForm
        initialQuality={quality}
        label={t("library:conversion.again")}
        isPending={!isComparing}
        onSubmit={(quality) => currentConversionQueue()?.decide(itemId, { quality })}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          pending={!isComparing}
          onClick={() => currentConversionQueue()?.decide(itemId, "keep")}
        >
          {t("library:conversion.keep")}
        </Button>
        <Button
          variant="quiet"
          pending={!isComparing}
          onClick={() => currentConversionQueue()?.decide(itemId, "discard")}
        >
          {t("library:conversion.discard")}
        </Button>
      </div>
    </div>
  );
}

/** Table of the measurements before and after the conversion, with its losses and notes. */
function SizeTable({
  before,
  after,
  losses,
  notes,
}: {
  readonly before: PreparedMeasurements;
  readonly after: PreparedMeasurements;
  readonly losses: readonly PreparationLoss[];
  readonly notes: readonly PreparationNote[];
}) {
  const { t, language } = useTranslation();
  const countNames = ["triangles", "points", "splats"] as const;
  const rows: readonly (readonly [string, string, string])[] = [
    [t("library:conversion.fact.bytes"), bytesText(before.bytes), bytesText(after.bytes)],
    ...countNames.flatMap((name) =>
      before[name] === undefined && after[name] === undefined
        ? []
        : [
            [
              t(`library:conversion.fact.${name}`),
              before[name]?.toLocaleString(language) ?? "–",
              after[name]?.toLocaleString(language) ?? "–",
            ] as const,
          ],
    ),
    ...(before.graphicsBytes === undefined && after.graphicsBytes === undefined
      ? []
      : [
          [
            t("library:conversion.fact.graphics"),
            bytesText(before.graphicsBytes),
            bytesText(after.graphicsBytes),
          ] as const,
        ]),
    ...(after.width && after.height
      ? [
          [
            t("library:conversion.fact.pixels"),
            before.width && before.height ? `${before.width} × ${before.height}` : "–",
            `${after.width} × ${after.height}`,
          ] as const,
        ]
      : []),
  ];
  return (
    <div className="grid gap-2">
      <table className="w-full max-w-xl text-sm tabular-nums">
        <caption className="sr-only">{t("library:conversion.sizes")}</caption>
        <thead>
          <tr className="border-b border-line text-left text-muted">
            <th scope="col" className="py-2 font-normal">
              <span className="sr-only">{t("library:conversion.fact.what")}</span>
            </th>
            <th scope="col" className="py-2 text-right font-normal whitespace-nowrap">
              {t("library:conversion.original")}
            </th>
            <th scope="col" className="py-2 pl-4 text-right font-normal whitespace-nowrap">
              {t("library:conversion.converted")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, originalValue, convertedValue]) => (
            <tr key={label} className="border-b border-line">
              <th scope="row" className="py-2 text-left font-normal text-muted">
                {label}
              </th>
              <td className="py-2 text-right">{originalValue}</td>
              <td className="py-2 pl-4 text-right font-semibold">{convertedValue}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {losses.length > 0 && (
        <p className="text-sm text-phrase">
          {t("library:conversion.losses", {
            losses: losses
              .map((loss) => t(`library:conversion.loss.${loss}`))
              .join(t("shared-owners:listSeparator")),
          })}
        </p>
      )}
      {notes.map(({ key, values }) => (
        <p key={key} className="text-sm text-phrase wrap-anywhere">
          {t(`library:conversion.note.${key}`, formatValues(language, values))}
        </p>
      ))}
    </div>
  );
}

/** Returns the values of a note's text. Numbers are formatted for the language. */
const formatValues = (language: string, values: PreparationNote["values"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "number" ? value.toLocaleString(language) : value,
    ]),
  );

import { Form } from "@remix-run/react";
import { useId, useState } from "react";
import { Button } from "~/components/button";
import { Notice } from "~/components/notice";
import { useHydrated } from "~/components/use-hydrated";
import {
  DEFAULT_QUALITY,
  type PreparationCode,
  type PreparationLoss,
  type PreparationNote,
  type PreparedFacts,
} from "~/domain/prepared";
import { useTranslation } from "~/i18n/use-translation";
import { ConvertWaiting, type WaitingItem } from "./auto";
import { type Comparison, isHarmless } from "./model";
import { ConversionProgress } from "./rows";
import { ConversionSizes } from "./sizes";
import { conversions, convertItem, useConversions } from "./store";
import { beingConverted } from "./texts";

/** Props of the conversion panel on an item's page. */
export interface PreparationPanelProps {
  readonly item: WaitingItem;
  readonly state: "none" | "waiting" | "done" | "failed" | "skipped";
  readonly code: PreparationCode | null;
  readonly quality: number | null;
  readonly before: PreparedFacts | null;
  readonly after: PreparedFacts | null;
  readonly losses: readonly PreparationLoss[];
  readonly notes: readonly PreparationNote[];
  /** The reader may change the item. */
  readonly mayChange: boolean;
  /** The file can be shown as it was uploaded. */
  readonly maySkip: boolean;
  /** A reason for which nothing is converted yet: the file waits for its check. */
  readonly isHeld: boolean;
}

/** The version of a file that visitors receive: its sizes, and what can be done about it. */
export function PreparationPanel(props: PreparationPanelProps) {
  const { item, state, code, before, after, losses, notes, mayChange, maySkip, isHeld } = props;
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const titleId = useId();
  const row = useConversions().find(({ itemId }) => itemId === item.itemId);
  const isActive = row !== undefined && row.state !== "done" && row.state !== "failed";
  const converts = mayChange && !isHeld;
  return (
    <section aria-labelledby={titleId} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id={titleId} className="text-base font-semibold">
        {t("conversion.title")}
      </h2>
      {state === "waiting" && !row && (
        <Notice tone="info">
          <p>{converts && hydrated ? beingConverted(item.name, t) : t("conversion.waitingText")}</p>
          {converts && !hydrated && <p>{t("conversion.needsScript")}</p>}
        </Notice>
      )}
      {code !== null && !isActive && (
        <Notice
          tone={isHarmless(code) ? "info" : "warning"}
          title={t(code === "not_smaller" ? "conversion.notSmallerTitle" : "conversion.failedTitle")}
        >
          <p>{t(`conversion.code.${code}`, { name: item.name })}</p>
        </Notice>
      )}
      {state === "skipped" && <p className="text-sm text-muted text-phrase">{t("conversion.skippedText")}</p>}
      {state === "none" && <p className="text-sm text-muted text-phrase">{t("conversion.noneText")}</p>}
      {before && after && <ConversionSizes before={before} after={after} losses={losses} notes={notes} />}
      {row && (
        <div className="rounded border border-line bg-surface p-4">
          <ConversionProgress row={row} />
          {row.state === "asking" && row.comparison && (
            <Compare itemId={row.itemId} comparison={row.comparison} />
          )}
        </div>
      )}
      {converts && (
        <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
          {hydrated && !isActive && <ConvertForm {...props} />}
          {maySkip && state !== "skipped" && state !== "none" && (
            <Form method="post">
              <Button type="submit" name="intent" value="skip-preparation">
                {t("conversion.skip")}
              </Button>
            </Form>
          )}
        </div>
      )}
      {converts && !hydrated && state !== "waiting" && (
        <p className="text-sm text-muted text-phrase">{t("conversion.againNeedsScript")}</p>
      )}
      {converts && <ConvertWaiting items={state === "waiting" ? [item] : []} />}
    </section>
  );
}

/** Chooses a quality, and converts with it. The result is shown before it is kept. */
function ConvertForm({ item, state, quality }: PreparationPanelProps) {
  const { t } = useTranslation();
  const [value, setValue] = useState(Math.round((quality ?? DEFAULT_QUALITY) * 100));
  const id = useId();
  return (
    <form
      className="flex flex-wrap items-end gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void convertItem({ ...item, file: null, quality: value / 100, asks: true });
      }}
    >
      <label htmlFor={id} className="grid w-56 max-w-full gap-1 text-sm">
        <span className="flex justify-between gap-2">
          <span className="font-semibold">{t("conversion.quality")}</span>
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
      <Button type="submit">{t(state === "done" ? "conversion.again" : "conversion.convert")}</Button>
    </form>
  );
}

/** The original and the result beside each other. */
function Compare({ itemId, comparison }: { readonly itemId: string; readonly comparison: Comparison }) {
  const { t } = useTranslation();
  const { original, converted, before, after, losses, notes } = comparison;
  const figure = (src: string | null, label: string) => (
    <figure className="grid min-w-0 content-start gap-2">
      {src ? (
        <img src={src} alt={label} className="aspect-video w-full rounded bg-paper object-contain" />
      ) : (
        <p className="grid aspect-video place-items-center rounded bg-paper p-4 text-center text-sm text-muted">
          {t("conversion.noPicture")}
        </p>
      )}
      <figcaption className="text-xs text-muted">{label}</figcaption>
    </figure>
  );
  return (
    <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {figure(original, t("conversion.original"))}
        {figure(converted, t("conversion.converted"))}
      </div>
      <ConversionSizes before={before} after={after} losses={losses} notes={notes} />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => conversions()?.decide(itemId, true)}>
          {t("conversion.keep")}
        </Button>
        <Button variant="quiet" onClick={() => conversions()?.decide(itemId, false)}>
          {t("conversion.discard")}
        </Button>
      </div>
    </div>
  );
}

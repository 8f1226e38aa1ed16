import { Form, useSubmit } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Button, LinkButton } from "~/components/button";
import { cx } from "~/components/cx";
import { timeZoneName } from "~/components/date-time";
import type { Option } from "~/components/fields/option";
import { ComboboxField } from "~/components/fields/select-field";
import { setNativeValue } from "~/components/fields/set-native-value";
import { TextField } from "~/components/fields/text-field";
import type { FindMatches } from "~/components/fields/use-matches";
import { useTranslation } from "~/i18n/translation";
import { computeChange, formatAmount, NUMBER_NAMES } from "./charts/amounts";
import { DataTable } from "./charts/data-table";
import type { ComparableEvents } from "./comparable-events.server";
import type { ReportData } from "./read-report.server";
import { reportQuery } from "./report-url";

/** Number of events from which the page has a search form when scripts are off. */
const SEARCH_FROM = 8;

interface CompareProps {
  readonly report: ReportData;
  readonly choices: ComparableEvents;
}

/** Numbers of another event in the same period, beside this one's. */
export function Compare({ report, choices }: CompareProps) {
  const { t } = useTranslation();
  const { comparedEvent, query } = report;
  const submit = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const hasStoppedComparing = useRef(false);
  const comparedId = comparedEvent?.id ?? "";
  // The field is not remounted for another compared event, because it would lose the focus.
  useEffect(() => {
    const select = form.current?.elements.namedItem("with");
    if (select instanceof HTMLSelectElement && select.value !== comparedId)
      setNativeValue(select, comparedId);
    // "Stop comparing" disappears when it is pressed, and its focus with it. The combobox replaces the select when it is first used.
    const field = form.current?.querySelector<HTMLElement>("[role='combobox']") ?? select;
    if (hasStoppedComparing.current && !comparedId && field instanceof HTMLElement) field.focus();
    hasStoppedComparing.current = false;
  }, [comparedId]);
  const findEvents: FindMatches<Option> = async (text, signal) => {
    const response = await fetch(
      `/event/${report.scope.id}/report/events?${new URLSearchParams({ find: text })}`,
      { signal, redirect: "error" },
    );
    if (!response.ok) throw new Error(`The search returned ${response.status}.`);
    const events = (await response.json()) as ComparableEvents;
    return { options: events.map(({ id, name }) => ({ value: id, label: name })), hasMore: false };
  };
  // The event that is being compared can always be chosen, even if the search does not match it.
  const options =
    comparedEvent && !choices.some(({ id }) => id === comparedEvent.id)
      ? [comparedEvent, ...choices]
      : choices;
  return (
    <section
      aria-labelledby="compare-title"
      className={cx("grid break-inside-avoid gap-3", !comparedEvent && "print:hidden")}
    >
      <div className="grid gap-1">
        <h2 id="compare-title" className="text-base font-semibold">
          {t("analytics:compare")}
        </h2>
        <p className="text-sm text-muted text-phrase">
          {t(choices.length > 0 || query.find ? "analytics:compareText" : "analytics:compareNone")}
          {comparedEvent?.timeZone &&
            `${t("shared:space")}${t("analytics:compareZone", { name: comparedEvent.name, zone: timeZoneName(comparedEvent.timeZone, t) })}`}
        </p>
      </div>
      {report.isComparedUnavailable && (
        <p role="status" className="text-sm">
          {t("analytics:compareGone")}
        </p>
      )}
      {/* With scripts, the field itself searches, and a choice is shown at once. */}
      {(choices.length >= SEARCH_FROM || query.find !== "") && (
        <noscript>
          <Form method="get" role="search" className="flex max-w-form flex-wrap items-end gap-3 print:hidden">
            <HiddenQueryFields query={query} comparedId={query.comparedEventId} />
            <TextField
              type="search"
              name="find"
              label={t("analytics:compareFind")}
              defaultValue={query.find}
              className="min-w-0 flex-1 basis-60"
            />
            <Button type="submit">{t("analytics:compareSearch")}</Button>
          </Form>
        </noscript>
      )}
      {choices.length === 0 && query.find !== "" && (
        <p role="status" className="text-sm">
          {t("analytics:compareLost", { query: query.find })}
        </p>
      )}
      {options.length > 0 && (
        <Form
          ref={form}
          method="get"
          preventScrollReset
          onChange={({ target, currentTarget }) => {
            if (target instanceof HTMLSelectElement && target.value !== comparedId)
              submit(currentTarget, { preventScrollReset: true });
          }}
          className="flex max-w-form flex-wrap items-end gap-3 print:hidden"
        >
          <HiddenQueryFields query={query} searchText={query.find} />
          <ComboboxField
            key={query.find}
            name="with"
            label={t("analytics:compareWith")}
            placeholder={t("analytics:compareChoose")}
            emptyText={t("analytics:compareNothing")}
            options={options.map(({ id, name }) => ({ value: id, label: name }))}
            defaultValue={comparedId}
            find={findEvents}
            className="min-w-0 flex-1 basis-60"
          />
          <noscript>
            <Button type="submit">{t("analytics:compareShow")}</Button>
          </noscript>
          {comparedEvent && (
            <LinkButton
              variant="quiet"
              href={`?${reportQuery({ ...query, comparedEventId: null, find: "" })}`}
              keepScroll
              onClick={() => {
                hasStoppedComparing.current = true;
              }}
            >
              {t("analytics:compareEnd")}
            </LinkButton>
          )}
        </Form>
      )}
      {comparedEvent && (
        <DataTable
          caption={t("analytics:compare")}
          columns={[
            { key: "number", header: t("analytics:numbers") },
            { key: "own", header: report.scope.name },
            { key: "other", header: comparedEvent.name },
            {
              key: "difference",
              header: <span className="whitespace-nowrap">{t("analytics:difference")}</span>,
            },
          ]}
          rows={NUMBER_NAMES.map((name) => {
            const [value, comparedValue] = [report.numbers[name].value, comparedEvent.numbers[name].value];
            const change = computeChange({
              value,
              before: comparedValue,
              change: comparedValue ? (value - comparedValue) / comparedValue : null,
            });
            return {
              key: name,
              cells: [
                t(`analytics:number.${name}`),
                formatAmount(name, value),
                formatAmount(name, comparedValue),
                change && "share" in change ? t(`analytics:${change.kind}`, { share: change.share }) : "–",
              ],
            };
          })}
        />
      )}
    </section>
  );
}

/** Hidden fields with the parts of the URL that a form keeps. */
function HiddenQueryFields({
  query: { part, period, at },
  comparedId,
  searchText,
}: {
  readonly query: ReportData["query"];
  readonly comparedId?: string | null;
  readonly searchText?: string;
}) {
  return Object.entries({ part, period, at, with: comparedId, find: searchText }).map(
    ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
  );
}

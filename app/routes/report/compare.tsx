import { Form } from "@remix-run/react";
import { Button, LinkButton } from "~/components/button";
import { SelectField } from "~/components/select-field";
import { useTranslation } from "~/i18n/use-translation";
import { reportQuery } from "./address";
import { amountWords, changeOf, SHOWN } from "./amounts";
import type { Comparable } from "./compare.server";
import { DataTable } from "./data-table";
import type { ReportData } from "./page.server";

interface CompareProps {
  readonly report: ReportData;
  readonly choices: Comparable;
}

/** Another event's numbers of the same period, beside this one's. */
export function Compare({ report, choices }: CompareProps) {
  const { t } = useTranslation();
  const { other, asked } = report;
  return (
    <section aria-labelledby="compare-title" className="grid gap-3">
      <div className="grid gap-1">
        <h2 id="compare-title" className="text-base font-semibold">
          {t("report.compare")}
        </h2>
        <p className="text-sm text-muted text-phrase">
          {t(choices.length > 0 ? "report.compareText" : "report.compareNone")}
        </p>
      </div>
      {choices.length > 0 && (
        <Form method="get" preventScrollReset className="flex max-w-form flex-wrap items-end gap-3">
          <input type="hidden" name="period" value={asked.period} />
          {asked.at && <input type="hidden" name="at" value={asked.at} />}
          <SelectField
            key={asked.beside}
            name="with"
            label={t("report.compareWith")}
            options={choices.map(({ id, name }) => ({ value: id, label: name }))}
            defaultValue={asked.beside ?? undefined}
            className="min-w-0 flex-1 basis-60"
          />
          <Button type="submit">{t("report.compareShow")}</Button>
          {other && (
            <LinkButton variant="quiet" href={`?${reportQuery({ ...asked, beside: null })}`} keepScroll>
              {t("report.compareEnd")}
            </LinkButton>
          )}
        </Form>
      )}
      {other && (
        <DataTable
          caption={t("report.compare")}
          columns={[
            { key: "number", header: t("report.numbers") },
            { key: "own", header: report.scope.name },
            { key: "other", header: other.name },
            { key: "difference", header: t("report.difference") },
          ]}
          rows={SHOWN.map((name) => {
            const [own, its] = [report.numbers[name].value, other.numbers[name].value];
            const change = changeOf({ value: own, before: its, change: its ? (own - its) / its : null });
            return {
              key: name,
              cells: [
                t(`report.number.${name}`),
                amountWords(name, own),
                amountWords(name, its),
                change && "share" in change ? t(`report.${change.kind}`, { share: change.share }) : "–",
              ],
            };
          })}
        />
      )}
    </section>
  );
}

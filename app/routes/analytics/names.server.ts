/** Labels of a report's periods, items and traits in the page's language. */
import type { RankedItem, RankedTrait } from "#functions/services/analytics/reports";
import { createDateFormatter } from "~/components/date-time";
import { addDays, type DayRange, type ReportPeriod } from "~/domain/analytics/report-period";
import { OTHERS } from "~/domain/analytics/visit-tally";
import { inLanguage } from "~/domain/shared/localized";
import type { Lang } from "~/domain/shared/model";
import type { Translate } from "~/i18n/messages";

/** Entry of a ranked list, with its name in the page's language. */
export interface NamedRank {
  readonly id: string;
  readonly name: string;
  readonly count: number;
}

type Trait = "languages" | "devices" | "countries" | "referrers";

export function createNameFormatters(lang: Lang, t: Translate) {
  const date = createDateFormatter(t);
  const monthName = (period: string) => t(`shared-owners:months.${Number(period.slice(5, 7)) as 1}`);
  const dayShort = (day: string) =>
    t("analytics:dayShort", { month: monthName(day), day: String(Number(day.slice(8, 10))) });

  const createDisplayName = (type: "language" | "region") => {
    const names = new Intl.DisplayNames([lang], { type, fallback: "code" });
    return (code: string) => {
      try {
        return names.of(code) ?? code;
      } catch {
        return code;
      }
    };
  };
  const nameByTrait: Readonly<Record<Trait, (code: string) => string>> = {
    languages: createDisplayName("language"),
    countries: createDisplayName("region"),
    devices: (code) =>
      code === "phone" || code === "tablet" || code === "computer" ? t(`analytics:device.${code}`) : code,
    referrers: (host) => host,
  };

  return {
    /**
     * Labels of a chart's point: for its table, and for the limited room below a bar. In a report of all time, both labels of a month contain its year.
     * @param period an hour, a day, a month or a year: 2026-11-29T13, 2026-11-29, 2026-11 or 2026
     */
    point(
      period: string,
      reportPeriod: ReportPeriod,
    ): { readonly label: string; readonly shortLabel: string } {
      if (period.length === 13)
        return { label: `${period.slice(11)}:00`, shortLabel: String(Number(period.slice(11))) };
      if (period.length === 10)
        return {
          label: date(`${period}T00:00`, { time: false, weekday: true }),
          shortLabel: dayShort(period),
        };
      if (period.length === 4) return { label: t("analytics:year", { year: period }), shortLabel: period };
      const monthValues = { year: period.slice(0, 4), month: monthName(period) };
      const shortMonth = t("analytics:monthShort", monthValues);
      return {
        label: t("analytics:month", monthValues),
        shortLabel:
          reportPeriod === "all" ? `${shortMonth}\n${t("analytics:year", monthValues)}` : shortMonth,
      };
    },
    /** Formats the days of a report: one, several, a whole month or a whole year. */
    days({ from, to }: DayRange): string {
      if (from === to) return date(`${from}T00:00`, { time: false, weekday: true });
      if (from.endsWith("-01-01") && to.endsWith("-12-31"))
        return t("analytics:year", { year: from.slice(0, 4) });
      if (from.endsWith("-01") && addDays(to, 1).endsWith("-01"))
        return t("analytics:month", { year: from.slice(0, 4), month: monthName(from) });
      const [fromText, toText] = [from, to].map((day) => date(`${day}T00:00`, { time: false }));
      return t("shared-owners:between", { from: fromText ?? "", to: toText ?? "" });
    },
    items: (rankedItems: readonly RankedItem[]): NamedRank[] =>
      rankedItems.map(({ id, name, count }) => ({
        id,
        count,
        name: id === OTHERS ? t("analytics:others") : itemName(name, id),
      })),
    traits: (kind: Trait, traits: readonly RankedTrait[]): NamedRank[] =>
      traits.map(({ code, count }) => ({ id: code, count, name: traitName(kind, code) })),
  };

  function itemName(name: RankedItem["name"], id: string): string {
    if (typeof name === "string") return name;
    if (name)
      return inLanguage({ ja: name.ja ?? "", en: name.en ?? "" }, lang).text || t("analytics:untitled");
    return /^\d+$/.test(id) ? t("analytics:product", { number: id }) : t("analytics:gone");
  }

  function traitName(kind: Trait, code: string): string {
    if (code === OTHERS) return t("analytics:others");
    if (code === "") return t(kind === "referrers" ? "analytics:direct" : "analytics:unknown");
    return nameByTrait[kind](code);
  }
}

import { Icon, type IconName } from "~/components/icon";
import { useMessage } from "~/forms/words";
import type { WordKey } from "~/i18n/i18n";
import { useTranslation } from "~/i18n/use-translation";

/** A line of the file as its report shows it. */
export interface LineRow {
  readonly line: number;
  readonly email: string;
  readonly outcome: "create" | "update" | "unchanged" | "error";
  readonly fields: readonly string[];
  readonly problems: readonly { readonly column: string | null; readonly problem: string }[];
  /** Why it was not written after all. */
  readonly refused: string | null;
  readonly written: boolean;
}

const LOOKS: Record<LineRow["outcome"], readonly [icon: IconName, tone: string]> = {
  create: ["plus", "text-success"],
  update: ["edit", "text-accent"],
  unchanged: ["check", "text-muted"],
  error: ["warning", "text-danger"],
};

/** What the line does, in a word and a sign. */
export function Outcome({ line }: { readonly line: LineRow }) {
  const { t } = useTranslation();
  const [icon, tone] = LOOKS[line.refused ? "error" : line.outcome];
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon name={icon} size={16} className={tone} />
      {t(`admin.csv.outcome.${line.outcome}`)}
    </span>
  );
}

/** Which fields it changes, or what is wrong with it. */
export function LineDetail({ line }: { readonly line: LineRow }) {
  const { t } = useTranslation();
  const message = useMessage();
  if (line.refused) return <>{t("admin.csv.notWritten", { reason: message(line.refused) })}</>;
  if (line.outcome === "error")
    return (
      <ul className="grid gap-1">
        {line.problems.map(({ column, problem }) => (
          <li key={`${column} ${problem}`}>
            {column ? t("admin.csv.in", { column, problem: message(problem) }) : message(problem)}
          </li>
        ))}
      </ul>
    );
  const names = line.fields
    .map((field) => t(`admin.trail.field.${field}` as WordKey))
    .join(t("kit.listSeparator"));
  return (
    <span className="text-muted">
      {line.fields.length > 0 && t("admin.csv.fields", { fields: names })}{" "}
      {line.written && t("admin.csv.written")}
    </span>
  );
}

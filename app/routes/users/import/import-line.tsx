import type { ImportField, ImportLine } from "#functions/services/users/user-import-ports";
import { Icon, type IconName } from "~/components/icon";
import type { Lang, Role, UserStatus } from "~/domain/shared/model";
import { useMessage } from "~/forms/shared/user-message";
import { formatBytes, formatName } from "~/i18n/format";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";

type Value = string | number | undefined;

/** Field that a line sets. */
export interface LineValue {
  readonly field: ImportField | "name";
  readonly from?: Value;
  readonly to: Value;
}

/** Line of the file as its report shows it. */
export interface LineRow {
  readonly line: number;
  readonly email: string;
  readonly outcome: "create" | "update" | "unchanged" | "error";
  /** Fields that the line sets: all fields of a new user, or the changed fields of an existing one with their old values. */
  readonly values: readonly LineValue[];
  /** `problem` is a packed message: its key and values in one string. */
  readonly problems: readonly { readonly column: string | null; readonly problem: string }[];
  /** Packed message with the reason why the line was not applied; null if there is none. */
  readonly rejection: string | null;
  readonly isWritten: boolean;
}

const NEW_USER_FIELDS = [
  ...(["companyName", "role", "status", "spaceLicense", "storageLimit", "language", "timeZone"] as const),
];

/** Lists the values that a line of the checked file sets. */
export function listLineValues({ outcome, values, fields, from }: ImportLine): LineValue[] {
  if (!values) return [];
  if (outcome === "update")
    return fields.map((field) => ({ field, from: from?.[field] ?? "", to: values[field] }));
  if (outcome !== "create") return [];
  const name = formatName({ firstName: "", lastName: "", ...values });
  return [{ field: "name", to: name }, ...NEW_USER_FIELDS.map((field) => ({ field, to: values[field] }))];
}

/** Whether a line has details beyond its outcome. */
export const hasDetail = (line: LineRow) =>
  line.rejection !== null || line.isWritten || line.problems.length > 0 || line.values.length > 0;

const OUTCOME_ICONS: Record<LineRow["outcome"], readonly [icon: IconName, tone: string]> = {
  create: ["plus", "text-success"],
  update: ["edit", "text-accent"],
  unchanged: ["check", "text-muted"],
  error: ["warning", "text-danger"],
};

/** Outcome of a line as a word and an icon. */
export function LineOutcome({ line }: { readonly line: LineRow }) {
  const { t } = useTranslation();
  const [icon, tone] = OUTCOME_ICONS[line.rejection ? "error" : line.outcome];
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon name={icon} size={16} className={tone} />
      {t(`users:csv.outcome.${line.outcome}`)}
    </span>
  );
}

function formatValue(field: LineValue["field"], value: Value, t: Translate): string {
  if (value === undefined || value === "") return t("users:csv.empty");
  if (field === "role") return t(`users:people.role.${value as Role}`);
  if (field === "status") return t(`users:people.status.${value as UserStatus}`);
  if (field === "language") return t(`account:profile.languageName.${value as Lang}`);
  return field === "storageLimit" ? formatBytes(Number(value)) : String(value);
}

/** Rejection, problems or values of a line. */
export function LineDetail({ line }: { readonly line: LineRow }) {
  const { t } = useTranslation();
  const message = useMessage();
  if (line.rejection) return <>{t("users:csv.notWritten", { reason: message(line.rejection) })}</>;
  if (line.outcome === "error")
    return (
      <ul className="grid gap-1">
        {line.problems.map(({ column, problem }) => (
          <li key={`${column} ${problem}`}>
            {column ? t("users:csv.in", { column, problem: message(problem) }) : message(problem)}
          </li>
        ))}
      </ul>
    );
  return (
    <div className="grid gap-1 py-1">
      <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-muted wrap-anywhere">
        {line.values.map(({ field, from, to }) => {
          const name = field === "name" ? t("users:csv.values.name") : t(`users:auditLog.field.${field}`);
          const value = formatValue(field, to, t);
          return (
            <li key={field}>
              {from === undefined
                ? t("users:csv.value", { field: name, value })
                : t("users:csv.change", { field: name, from: formatValue(field, from, t), to: value })}
            </li>
          );
        })}
      </ul>
      {line.isWritten && <p className="text-muted">{t("users:csv.written")}</p>}
    </div>
  );
}

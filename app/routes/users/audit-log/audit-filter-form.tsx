import { Form } from "@remix-run/react";
import { Button, LinkButton } from "~/components/button";
import { controlProps, Field, fieldIds } from "~/components/fields/field";
import { TextField } from "~/components/fields/text-field";
import { Icon } from "~/components/icon";
import { AUDIT_KINDS, listAuditActions } from "~/domain/users/audit";
import type { AuditFilter, AuditFilters } from "~/domain/users/audit-query";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";

export interface AuditFilterFormProps {
  /** Values of the fields. */
  readonly typed: AuditFilters["typed"];
  /** Message keys of the invalid fields. */
  readonly errors: AuditFilters["errors"];
}

/** Filters of the audit log by person, action and time. */
export function AuditFilterForm({ typed, errors }: AuditFilterFormProps) {
  const { t } = useTranslation();
  const isFiltered = Object.values(typed).some((value) => value !== "");
  const message = useMessage();
  const errorOf = (name: AuditFilter) => errors[name] && message(errors[name]);
  const actionIds = fieldIds("action", { error: errorOf("action") });
  const timeField = (name: "from" | "to") => (
    <TextField
      name={name}
      placeholder={t("shared-owners:datePattern")}
      autoComplete="off"
      label={t(`users:auditLog.${name}`)}
      defaultValue={typed[name]}
      error={errorOf(name)}
    />
  );
  return (
    <Form
      method="get"
      role="search"
      key={Object.values(typed).join(" ")}
      className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_13rem_13rem]"
    >
      <TextField
        type="search"
        name="person"
        label={t("users:auditLog.person")}
        placeholder={t("users:auditLog.personHint")}
        defaultValue={typed.person}
        error={errorOf("person")}
      />
      <Field label={t("users:auditLog.action")} ids={actionIds} error={errorOf("action")}>
        <div className="relative">
          <select
            name="action"
            {...controlProps(actionIds, errorOf("action"))}
            defaultValue={typed.action}
            className="control appearance-none pr-10"
          >
            <option value="">{t("users:auditLog.allActions")}</option>
            {AUDIT_KINDS.map((kind) => (
              <optgroup key={kind} label={t(`users:auditLog.kind.${kind}`)}>
                <option value={kind}>
                  {t("users:auditLog.allOf", { kind: t(`users:auditLog.kind.${kind}`) })}
                </option>
                {listAuditActions(kind).map((action) => (
                  <option key={action} value={action}>
                    {t(`users:auditLog.actions.${action}`, { who: "…", what: "…" })}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
          <Icon name="chevron-down" className="pointer-events-none absolute top-2.5 right-2.5 text-muted" />
        </div>
      </Field>
      {timeField("from")}
      {timeField("to")}
      <div className="flex gap-2">
        <Button type="submit" icon="search">
          {t("users:auditLog.apply")}
        </Button>
        {isFiltered && (
          <LinkButton href="/audit" variant="quiet">
            {t("users:auditLog.clear")}
          </LinkButton>
        )}
      </div>
    </Form>
  );
}

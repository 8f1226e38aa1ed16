import { type RefObject, useEffect, useRef, useState } from "react";
import { Button } from "~/components/button";
import { FieldError } from "~/components/fields/field";
import { NumberField } from "~/components/fields/number-field";
import { SelectField } from "~/components/fields/select-field";
import { useHydrated } from "~/components/use-hydrated";
import { DEFAULT_LICENSE, SPACE_LICENSE_MAX, STORAGE_LIMIT_MAX_GB } from "~/domain/shared/limits";
import { BULK_CHANGES } from "~/domain/users/user.schema";
import { USER_STATUSES } from "~/domain/users/user-status";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";

export type BulkErrors = Readonly<Record<string, readonly string[] | undefined>>;

export interface BulkBarProps {
  /** Number of rows of the page. */
  readonly rowCount: number;
  readonly inTrash: boolean;
  /** Values of the submitted form; empty if none was submitted. */
  readonly typed: Readonly<Record<string, string>>;
  readonly errors: BulkErrors;
  readonly pending: boolean;
}

/** Controls that change the selected rows of their form. The style sheet shows them when a row is selected, so they work without scripts. */
export function BulkBar({ rowCount, inTrash, typed, errors, pending }: BulkBarProps) {
  const { t } = useTranslation();
  const message = useMessage();
  const errorOf = (name: string) => errors[name]?.[0] && message(errors[name]?.[0] ?? "");
  const changes = BULK_CHANGES.filter((change) => (change === "restore") === inTrash);
  const selectionError = errorOf("id");
  const bar = useRef<HTMLFieldSetElement>(null);
  const count = useSelectedCount(bar);
  return (
    <fieldset
      ref={bar}
      data-action-bar
      className="sticky bottom-0 z-10 mt-4 hidden gap-x-4 gap-y-2 border-t border-line bg-paper py-3 sm:gap-y-3 sm:py-4 group-has-[input[name=id]:checked]/list:grid data-open:grid"
      data-open={selectionError !== undefined || Object.keys(errors).length > 0 || undefined}
    >
      <legend className="float-left text-sm font-semibold">
        {count > 0 ? t("users:bulk.titleCount", { count }) : t("users:bulk.title")}
      </legend>
      <SelectAll count={rowCount} />
      {selectionError && <FieldError id="bulk-id-error">{selectionError}</FieldError>}
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2 sm:gap-y-3">
        <SelectField
          name="change"
          id="bulk-change"
          label={t("users:bulk.change")}
          defaultValue={typed.change ?? changes[0]}
          error={errorOf("change")}
          options={changes.map((change) => ({ value: change, label: t(`users:bulk.${change}`) }))}
          className="w-full sm:w-72"
        />
        <SelectField
          name="status"
          id="bulk-status"
          label={t("users:bulk.newStatus")}
          defaultValue={typed.status ?? ""}
          error={errorOf("status")}
          options={[
            { value: "", label: t("users:bulk.choose") },
            // No administrator can verify an address in place of its owner.
            ...USER_STATUSES.filter((status) => status !== "EMAIL_VERIFIED").map((status) => ({
              value: status,
              label: t(`users:people.status.${status}`),
            })),
          ]}
          className="hidden min-w-0 flex-1 group-has-[option[value=status]:checked]/list:flex sm:w-48 sm:flex-none"
        />
        <NumberField
          name="spaceLicense"
          id="bulk-spaceLicense"
          label={t("users:bulk.newLicense")}
          defaultValue={typed.spaceLicense ?? DEFAULT_LICENSE.spaces}
          error={errorOf("spaceLicense")}
          min={0}
          max={SPACE_LICENSE_MAX}
          className="hidden min-w-0 flex-1 group-has-[option[value=spaceLicense]:checked]/list:flex sm:w-32 sm:flex-none"
        />
        <NumberField
          name="storageLimit"
          id="bulk-storageLimit"
          label={t("users:bulk.newStorage")}
          defaultValue={typed.storageLimit ?? DEFAULT_LICENSE.gigabytes}
          error={errorOf("storageLimit")}
          min={0}
          max={STORAGE_LIMIT_MAX_GB}
          step="any"
          unit={t("users:bulk.gigabytes")}
          className="hidden min-w-0 flex-1 group-has-[option[value=storageLimit]:checked]/list:flex sm:w-36 sm:flex-none"
        />
        <Button type="submit" variant="secondary" pending={pending}>
          {t("users:bulk.apply")}
        </Button>
      </div>
    </fieldset>
  );
}

/** Counts the selected rows in the form around an element; 0 without scripts. */
function useSelectedCount(element: RefObject<HTMLFieldSetElement>): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const form = element.current?.form;
    const update = () => setCount(form?.querySelectorAll("input[name=id]:checked").length ?? 0);
    update();
    form?.addEventListener("change", update);
    return () => form?.removeEventListener("change", update);
  }, [element]);
  return count;
}

/** Checkbox that selects all rows of the page, or none. It is rendered only with scripts. */
function SelectAll({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const [isAllSelected, setAllSelected] = useState(false);
  if (!hydrated || count < 2) return null;
  return (
    <label className="flex min-h-10 items-center gap-3 text-sm text-muted">
      <input
        type="checkbox"
        checked={isAllSelected}
        onChange={({ currentTarget: { checked, form } }) => {
          setAllSelected(checked);
          for (const checkbox of form?.querySelectorAll<HTMLInputElement>("input[name=id]") ?? [])
            checkbox.checked = checked;
        }}
        className="tick rounded-sm"
      />
      {t("users:bulk.selectAll")}
    </label>
  );
}

import { Anchor } from "~/components/anchor";
import { FormErrorSummary } from "~/components/fields/form-error-summary";
import { Notice } from "~/components/status/notice";
import { packMessage, useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import type { BulkErrors } from "./bulk-bar";
import type { RowResult } from "./row";

/** Errors of the list's form, shown above it because the bar with its fields may be far below. */
export function BulkErrorSummary({ errors }: { readonly errors: BulkErrors }) {
  const message = useMessage();
  const listedErrors = Object.entries(errors).flatMap(([name, texts]) =>
    (texts ?? []).slice(0, 1).map((text) => ({
      // The selection of accounts has no field to link to.
      id: name === "id" ? "" : `bulk-${name}`,
      message: message(text),
    })),
  );
  return <FormErrorSummary errors={listedErrors} hint={null} />;
}

/** Results by account, shown when at least one change failed. */
export function BulkResults({ results }: { readonly results: readonly RowResult[] }) {
  const { t } = useTranslation();
  const message = useMessage();
  const failedResults = results.filter(({ rejection }) => rejection !== null);
  const successfulResults = results.filter(({ rejection }) => rejection === null);
  const nameLink = (result: RowResult) =>
    result.name ? (
      <Anchor href={`/user-list/${result.id}`} className="underline">
        {result.name}
      </Anchor>
    ) : (
      t("users:bulk.unknownUser")
    );
  return (
    <Notice tone="warning" title={t("users:bulk.someFailed", { count: failedResults.length })} live>
      <ul className="mt-1 grid gap-1">
        {failedResults.map((result) => (
          <li key={result.id}>
            {nameLink(result)} – {result.rejection && message(packMessage(result.rejection))}
          </li>
        ))}
      </ul>
      {successfulResults.length > 0 && (
        <p className="mt-3">
          {t("users:bulk.done", { count: successfulResults.length })}
          {t("shared:space")}
          {successfulResults.map((result) => result.name).join(t("shared-owners:listSeparator"))}
        </p>
      )}
    </Notice>
  );
}

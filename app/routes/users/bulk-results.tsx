import { Anchor } from "~/components/anchor";
import { Notice } from "~/components/notice";
import { packWords, useMessage } from "~/forms/words";
import { useTranslation } from "~/i18n/use-translation";
import type { RowResult } from "./row";

/** What became of each user of several, when not all went well. */
export function BulkResults({ results }: { readonly results: readonly RowResult[] }) {
  const { t } = useTranslation();
  const message = useMessage();
  const failed = results.filter(({ refused }) => refused !== null);
  const done = results.filter(({ refused }) => refused === null);
  const name = (result: RowResult) =>
    result.name ? (
      <Anchor href={`/user-list/${result.id}`} className="underline underline-offset-4">
        {result.name}
      </Anchor>
    ) : (
      t("admin.bulk.unknownUser")
    );
  return (
    <Notice tone="warning" title={t("admin.bulk.someFailed", { count: failed.length })} live>
      <ul className="mt-1 grid gap-1">
        {failed.map((result) => (
          <li key={result.id}>
            {name(result)} – {result.refused && message(packWords(result.refused))}
          </li>
        ))}
      </ul>
      {done.length > 0 && (
        <p className="mt-3">
          {t("admin.bulk.done", { count: done.length })}{" "}
          {done.map((result) => result.name).join(t("kit.listSeparator"))}
        </p>
      )}
    </Notice>
  );
}

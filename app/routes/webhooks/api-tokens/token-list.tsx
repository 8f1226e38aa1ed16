import { LinkButton } from "~/components/button";
import { useFormatDate } from "~/components/date-time";
import { StateMark } from "~/components/status/state-mark";
import { EmptyState } from "~/components/status/states";
import type { Scope } from "~/domain/webhooks/scopes";
import { TOKEN_PREFIX, type TokenStatus } from "~/domain/webhooks/tokens";
import { useTranslation } from "~/i18n/translation";

export interface TokenRow {
  readonly id: string;
  readonly name: string;
  /** First characters of the token after its prefix. */
  readonly hint: string;
  readonly scopes: readonly Scope[];
  readonly status: TokenStatus;
  /** Local times in the account's time zone. */
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly usedAt: string | null;
}

const STATE_MARKS = { active: "good", expired: "off", revoked: "off" } as const;

/** Opens the dialog that creates a token. */
export function NewTokenLink() {
  const { t } = useTranslation();
  return (
    <LinkButton href="?dialog=new" variant="primary" icon="plus" keepScroll>
      {t("webhooks:tokens.create")}
    </LinkButton>
  );
}

/** List of the account's API tokens, including expired and revoked ones. */
export function TokenList({ tokens }: { readonly tokens: readonly TokenRow[] }) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  const formatDay = (local: string) => formatDate(local, { time: false });
  if (tokens.length === 0)
    return (
      <EmptyState icon="lock" title={t("webhooks:tokens.empty")} action={<NewTokenLink />}>
        {t("webhooks:tokens.emptyText")}
      </EmptyState>
    );
  return (
    <ul id="list" tabIndex={-1} className="border-t border-line">
      {tokens.map(({ id, name, hint, scopes, status, createdAt, expiresAt, usedAt }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
          <div className="min-w-0 flex-1 basis-48">
            <p className="flex flex-wrap items-center gap-x-3 text-sm font-semibold wrap-anywhere">
              <span>{name}</span>
              <StateMark variant={STATE_MARKS[status]}>{t(`webhooks:tokens.status.${status}`)}</StateMark>
            </p>
            <p className="flex flex-wrap gap-x-3 text-xs text-muted">
              <code>{`${TOKEN_PREFIX}${hint}…`}</code>
              <span>
                {scopes
                  .map((scope) => t(`webhooks:tokens.scope.${scope}`))
                  .join(t("shared-owners:listSeparator"))}
              </span>
            </p>
            <p className="flex flex-wrap gap-x-3 text-xs text-muted">
              <span>{t("webhooks:tokens.created", { date: formatDay(createdAt) })}</span>
              <span>{t("webhooks:tokens.expires", { date: formatDate(expiresAt) })}</span>
              <span>
                {usedAt
                  ? t("webhooks:tokens.lastUsed", { date: formatDate(usedAt) })
                  : t("webhooks:tokens.neverUsed")}
              </span>
            </p>
          </div>
          {status === "active" && (
            <LinkButton
              href={`?dialog=revoke&token=${id}`}
              variant="quiet"
              keepScroll
              aria-label={t("webhooks:tokens.revokeThis", { name })}
            >
              {t("webhooks:tokens.revoke")}
            </LinkButton>
          )}
        </li>
      ))}
    </ul>
  );
}

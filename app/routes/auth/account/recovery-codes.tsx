import { LinkButton } from "~/components/button";
import { Notice } from "~/components/status/notice";
import { useTranslation } from "~/i18n/translation";
import { AccountSection } from "./account-page";

export interface RecoveryCodesProps {
  readonly codes: readonly string[];
  /** URL of the next page. */
  readonly href: string;
}

/** Shows new recovery codes. Only their hashes are stored, so no other page can show them. */
export function RecoveryCodes({ codes, href }: RecoveryCodesProps) {
  const { t } = useTranslation();
  return (
    <AccountSection id="recovery-codes" title={t("account:secondFactor.codesTitle")}>
      <Notice tone="warning" live>
        {t("account:secondFactor.codesLead")}
      </Notice>
      <ul className="grid gap-2 rounded border border-line p-4 font-mono sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div>
        <LinkButton href={href} variant="primary">
          {t("account:secondFactor.codesSaved")}
        </LinkButton>
      </div>
    </AccountSection>
  );
}

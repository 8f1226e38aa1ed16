import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { Anchor } from "~/components/anchor";
import { Button, type ButtonProps, LinkButton } from "~/components/button";
import { Notice } from "~/components/status/notice";
import { useTranslation } from "~/i18n/translation";
import { actionFormId } from "./action-form";

export interface AccountActionsProps {
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly deletionRequestedOn: string | null;
    readonly deletedOn: string | null;
    /** End of the time in which the account can be restored. */
    readonly restorableUntil: string | null;
    readonly isInvitable: boolean;
    /** The account has an authenticator app or a passkey. */
    readonly hasFactor: boolean;
  };
  readonly isOwn: boolean;
}

/** Action on the account: a form with one button, which works without scripts. */
function ActionForm({
  change,
  id,
  children,
  ...buttonProps
}: { readonly change: string; readonly id: string } & ButtonProps) {
  return (
    <Form method="post" id={actionFormId(change)}>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="change" value={change} />
      <Button type="submit" {...buttonProps}>
        {children}
      </Button>
    </Form>
  );
}

/** Notices about an account that need a decision: it is in the trash, or its owner requested its deletion, which `keep` declines. */
export function AccountNotices({ user, isOwn }: AccountActionsProps) {
  const { t } = useTranslation();
  if (user.deletedOn)
    return (
      <Notice tone="warning" title={t("users:user.inTrash", { date: user.deletedOn })}>
        {user.restorableUntil && (
          <div className="mt-1 grid gap-3">
            <p>{t("users:user.inTrashText", { date: user.restorableUntil })}</p>
            <ActionForm change="restore" id={user.id} icon="undo">
              {t("users:user.restore")}
            </ActionForm>
          </div>
        )}
      </Notice>
    );
  if (!user.deletionRequestedOn) return null;
  return (
    <Notice tone="warning" title={t("users:user.deletionRequestedTitle", { date: user.deletionRequestedOn })}>
      <p>{t("users:user.deletionRequestedText")}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <ActionForm change="keep" id={user.id}>
          {t("users:user.keep")}
        </ActionForm>
        {!isOwn && (
          <ActionForm change="delete" id={user.id} icon="trash">
            {t("users:user.delete")}
          </ActionForm>
        )}
      </div>
    </Notice>
  );
}

/** Further actions on an account, below its form. */
export function AccountActions({ user, isOwn }: AccountActionsProps) {
  const { t } = useTranslation();
  return (
    <section className="grid gap-6 border-t border-line pt-6">
      <h2 className="text-lg font-semibold">{t("users:user.actions")}</h2>
      <p>
        <Anchor href={`/audit?person=${user.id}`} className="text-link">
          {t("users:user.history")}
        </Anchor>
      </p>
      {user.isInvitable && (
        <ActionForm change="invite" id={user.id} icon="mail">
          {t("users:user.sendInvitation")}
        </ActionForm>
      )}
      {!isOwn && user.hasFactor && (
        <ActionWithHint hint={t("users:user.factorHint")}>
          <div>
            <LinkButton href="?dialog=reset-factor" icon="key" keepScroll>
              {t("users:user.resetFactor")}
            </LinkButton>
          </div>
        </ActionWithHint>
      )}
      {!isOwn && !user.deletionRequestedOn && (
        <ActionWithHint hint={t("users:user.deleteHint")}>
          <ActionForm change="delete" id={user.id} icon="trash">
            {t("users:user.delete")}
          </ActionForm>
        </ActionWithHint>
      )}
    </section>
  );
}

function ActionWithHint({ hint, children }: { readonly hint: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-2">
      {children}
      <p className="text-xs text-muted text-phrase">{hint}</p>
    </div>
  );
}

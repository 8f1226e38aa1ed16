import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { Container } from "~/components/container";
import { useFormatDate } from "~/components/date-time";
import { PageHeader } from "~/components/page-header";
import { Meter } from "~/components/status/meter";
import { Notice } from "~/components/status/notice";
import { UserStatusBadge } from "~/components/status/user-status";
import { timeZones } from "~/domain/auth/profile.schema";
import { DAY_MS } from "~/domain/shared/day";
import { TRASH_DAYS } from "~/domain/shared/limits";
import { toLocalInput } from "~/domain/shared/time-zone";
import { useMessage } from "~/forms/shared/user-message";
import { UserForm } from "~/forms/users/user-form";
import { formatBytes, formatName } from "~/i18n/format";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { ReauthenticationPrompt } from "../../auth/reauthentication-prompt";
import type { RouteHandle } from "../../shared/handle";
import { namedTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { uuidParam } from "../../shared/uuid-param";
import { requireAdministratorSession } from "../administrator.server";
import { AccountActions, AccountNotices } from "./account-actions";
import { RESET_FACTOR_FORM, ResetFactorDialog } from "./reset-factor";
import { userAction } from "./user-action";
import { UserConflict } from "./user-conflict";
import { toUserInput } from "./user-input";

/** Reasons for which the invitation of a new account was not sent. Others in the page's query are ignored. */
const INVITATION_PROBLEMS = [
  "auth:services.mailNotSent",
  "auth:services.tooManyLinks",
  "users:refused.unexpected",
] as const;

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { actor, user: administrator } = await requireAdministratorSession(context);
  const { users, secondFactor } = context.services;
  const userId = uuidParam(params.userUuid);
  const [user, factors] = await Promise.all([
    users.getUser({ actor, userId }),
    secondFactor.listFactors({ actor, userId }),
  ]);
  const { id, email, status, hasPassword, deletedAt, deletionRequestedAt, createdAt } = user;
  const restorableUntilMs = deletedAt && Date.parse(deletedAt) + TRASH_DAYS * DAY_MS;
  return {
    title: namedTitle(context, formatName(user)),
    name: formatName(user),
    isOwn: id === actor.userId,
    hasFactor: factors.app || factors.passkeys > 0,
    zone: administrator.timeZone,
    timeZones: timeZones(user.timeZone),
    saved: toUserInput(user),
    user: { id, email, status, hasPassword, deletedAt, deletionRequestedAt, createdAt },
    restorableUntil:
      restorableUntilMs && restorableUntilMs > context.now ? new Date(restorableUntilMs).toISOString() : null,
    spaces: { used: user.spaceCount, max: user.spaceLicense },
    storage: {
      used: user.storageUsed,
      max: user.storageLimit,
      text: { used: formatBytes(user.storageUsed), max: formatBytes(user.storageLimit) },
    },
  };
}

export const action = userAction;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["account", "auth", "shared-owners", "users"],
  topBar: (_data, t: Translate) => ({ title: t("users:people.usersTitle") }),
};

export default function EditUser() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const result = useActionResult<typeof action>();
  const [searchParams] = useSearchParams();
  const message = useMessage();
  const formatDate = useFormatDate();
  const { user, isOwn } = page;
  const formatDay = (instant: string | null) =>
    instant && formatDate(toLocalInput(instant, page.zone), { time: false });
  const problem = INVITATION_PROBLEMS.find((key) => key === searchParams.get("problem"));
  const isResetPrompt = result?.prompt?.form === RESET_FACTOR_FORM;
  const account = {
    id: user.id,
    email: user.email,
    deletionRequestedOn: formatDay(user.deletionRequestedAt),
    deletedOn: formatDay(user.deletedAt),
    restorableUntil: formatDay(page.restorableUntil),
    isInvitable: user.status === "EMAIL_UNVERIFIED",
    hasFactor: page.hasFactor,
  };
  return (
    <Container as="main" id="main" width="form" className="grid gap-8 py-8">
      <PageHeader
        title={page.name}
        breadcrumbs={[{ label: t("users:people.usersTitle"), href: "/user-list" }]}
        badge={<UserStatusBadge status={user.status} />}
        description={t("users:user.since", { date: formatDay(user.createdAt) ?? "" })}
      />
      {problem && <Notice tone="warning">{t("users:user.notInvited", { reason: t(problem) })}</Notice>}
      {result?.rejection && (
        <Notice tone="danger" live>
          {message(result.rejection)}
        </Notice>
      )}
      {result?.prompt && !isResetPrompt && <ReauthenticationPrompt {...result.prompt} />}
      <AccountNotices user={account} isOwn={isOwn} />
      <section aria-label={t("users:user.inUse")} className="grid gap-6 sm:grid-cols-2">
        <div className="grid content-start gap-2">
          <Meter label={t("users:people.colSpaces")} value={page.spaces.used} max={page.spaces.max} />
          {!user.deletedAt && (
            <MoreLink href={`/space-list/${user.id}`}>
              {t("users:people.spacesOf", { name: page.name })}
            </MoreLink>
          )}
        </div>
        <div className="grid content-start gap-2">
          <Meter
            label={t("users:people.colLibrary")}
            value={page.storage.used}
            max={page.storage.max}
            text={page.storage.text}
          />
          {!user.deletedAt && (
            <MoreLink href={`/library/${user.id}`}>
              {t("users:people.libraryOf", { name: page.name })}
            </MoreLink>
          )}
        </div>
      </section>
      {(!user.deletedAt || result?.lastResult) && (
        <>
          {result?.conflict && (
            <UserConflict
              rows={result.conflict.rows}
              inTrash={user.deletedAt !== null}
              reloadHref={`/user-list/${user.id}`}
            />
          )}
          <UserForm
            key={page.saved.version}
            saved={page.saved}
            status={user.status}
            hasPassword={user.hasPassword}
            isOwn={isOwn}
            restores={user.deletedAt !== null}
            lastResult={result?.lastResult}
            conflictVersion={result?.conflict?.version ?? result?.version ?? undefined}
            timeZones={page.timeZones}
          />
        </>
      )}
      {!user.deletedAt && <AccountActions user={account} isOwn={isOwn} />}
      {searchParams.get("dialog") === "reset-factor" && page.hasFactor && !isOwn && (
        <ResetFactorDialog
          name={page.name}
          closeHref={`/user-list/${user.id}`}
          reauthentication={isResetPrompt ? (result?.prompt?.reauthentication ?? null) : null}
        />
      )}
    </Container>
  );
}

function MoreLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <Anchor href={href} className="text-link text-sm">
      {children}
    </Anchor>
  );
}

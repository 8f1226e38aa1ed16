import { parseWithZod } from "@conform-to/zod/v4";
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  redirect,
} from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { MessagePage } from "~/components/message-page";
import { Notice } from "~/components/status/notice";
import { VersionText } from "~/components/version-text";
import { LINK_PATHS } from "~/domain/auth/mail-links";
import { createNewPasswordSchema } from "~/domain/auth/password.schema";
import { canLogIn } from "~/domain/users/user-status";
import { NewPasswordForm } from "~/forms/auth/new-password-form";
import { rejectForm } from "~/forms/shared/reject-form";
import { formatName } from "~/i18n/format";
import type { MessageKey } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";
import { useActionResult } from "../shared/unsent-form";
import { PublicLayout } from "./public-layout";
import { readPublicLayoutData } from "./public-layout-data";
import { shouldRevalidateLink } from "./should-revalidate-link";

/** Parses the link that opened this page: a password reset or an invitation. */
function parseLink(request: Request) {
  const url = new URL(request.url);
  const isInvitation = url.pathname.startsWith(LINK_PATHS.invitation);
  const token = url.searchParams.get("token");
  const awaitsApproval = isInvitation && token === null && url.searchParams.has("awaits");
  return { isInvitation, token, awaitsApproval };
}

type LinkProblem = "unknown" | "used" | "expired" | "awaits";
/** Page after accepting an invitation whose account still needs approval. */
const AWAITS_APPROVAL = `${LINK_PATHS.invitation}?awaits`;

/** Reads the account whose password the link sets, or the reason why the link is invalid. */
async function readLinkState(
  context: AppLoadContext,
  { isInvitation, token, awaitsApproval }: ReturnType<typeof parseLink>,
) {
  const { invitations, passwords } = context.services;
  if (awaitsApproval) return { status: 200, problem: "awaits" as LinkProblem, email: "", invitation: null };
  if (isInvitation) {
    const result = await context.attempt(invitations.inspectInvitation({ token }));
    return result.ok
      ? { ...VALID, email: result.value.email, invitation: result.value }
      : invalidLink(result.failure);
  }
  const result = await context.attempt(passwords.inspectReset({ token }));
  return result.ok ? { ...VALID, email: result.value.email, invitation: null } : invalidLink(result.failure);
}

const VALID = { status: 200, problem: null } as const;

function invalidLink({ status, code }: { readonly status: number; readonly code: string }) {
  const problem: LinkProblem =
    code === "link_used" ? "used" : code === "link_expired" ? "expired" : "unknown";
  return { status, problem, email: "", invitation: null };
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const link = parseLink(request);
  const { status, ...page } = await readLinkState(context, link);
  const { isInvitation } = link;
  const key: MessageKey = page.problem
    ? `auth:link.${page.problem}Title`
    : isInvitation
      ? "auth:invitation.title"
      : "auth:newPassword.title";
  const layout = await readPublicLayoutData(request, context);
  return data({ title: pageTitle(context, key), isInvitation, layout, ...page }, { status });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { isInvitation, token } = parseLink(request);
  const submission = parseWithZod(await context.form.read(), { schema: createNewPasswordSchema() });
  if (submission.status !== "success")
    return data(submission.reply({ hideFields: ["password", "passwordConfirmation"] }), { status: 400 });
  const { password } = submission.value;
  const { invitations, passwords } = context.services;
  const result = isInvitation
    ? await context.attempt(invitations.acceptInvitation({ token, password }))
    : await context.attempt(passwords.resetPassword({ token, password }));
  if (!result.ok) {
    const { failure } = result;
    // For other failures, the loader reads the link again and shows its state.
    const lastResult =
      failure.kind === "invalid"
        ? rejectForm(submission, failure, ["password", "passwordConfirmation"])
        : null;
    return data(lastResult, { status: failure.status });
  }
  // Only an accepted invitation has a value: the account with its new status.
  if (!result.value) throw redirect("/login?toast=password-set");
  throw redirect(canLogIn(result.value.status) ? "/login?toast=invitation-accepted" : AWAITS_APPROVAL);
}

export const shouldRevalidate = shouldRevalidateLink;
export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];

export const handle: RouteHandle = { i18n: ["auth", "shared-owners"] };

export default function NewPassword() {
  const { t } = useTranslation();
  const { isInvitation, layout, problem, email, invitation } = useLoaderData<typeof loader>();
  const lastResult = useActionResult<typeof action>();
  if (problem) {
    const isDone = problem === "used" || problem === "awaits";
    return (
      <MessagePage
        icon={isDone ? "check" : "warning"}
        title={t(`auth:link.${problem}Title`)}
        note={<VersionText version={layout.version || null} />}
        link={
          isDone || isInvitation
            ? { href: "/login", label: t("auth:toLogin") }
            : { href: "/retrieve-password", label: t("auth:link.askReset") }
        }
      >
        <p>{t(`auth:link.${problem}Text`)}</p>
        {isInvitation && !isDone && <p>{t("auth:link.askInvitation")}</p>}
      </MessagePage>
    );
  }
  const name = invitation ? formatName(invitation) : "";
  const hasName = name !== email;
  return (
    <PublicLayout
      title={t(invitation ? "auth:invitation.title" : "auth:newPassword.title")}
      lead={
        invitation
          ? t(hasName ? "auth:invitation.lead" : "auth:invitation.leadNameless", { name, email })
          : t("auth:newPassword.lead", { email })
      }
      layout={layout}
    >
      {!invitation && (
        <Notice>
          <p>{t("auth:newPassword.ends")}</p>
          <p className="mt-2">
            {t("auth:newPassword.passkeys")}
            {t("shared:space")}
            <Anchor href="/account/security#passkeys" className="underline">
              {t("auth:newPassword.toPasskeys")}
            </Anchor>
          </p>
        </Notice>
      )}
      {invitation && !invitation.activates && <Notice>{t("auth:invitation.awaits")}</Notice>}
      <NewPasswordForm
        lastResult={lastResult}
        email={email}
        submit={t(invitation ? "auth:invitation.submit" : "auth:newPassword.submit")}
        submitting={t(invitation ? "auth:invitation.submitting" : "auth:newPassword.submitting")}
      />
    </PublicLayout>
  );
}

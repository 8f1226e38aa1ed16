import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { Form, type MetaFunction, useLoaderData, useNavigation } from "@remix-run/react";
import { Button } from "~/components/button";
import { MessagePage } from "~/components/message-page";
import { VersionText } from "~/components/version-text";
import type { MessageKey } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";
import { useActionResult } from "../shared/unsent-form";
import { PublicLayout } from "./public-layout";
import { readPublicLayoutData } from "./public-layout-data";
import { shouldRevalidateLink } from "./should-revalidate-link";

/** Reasons why the link changes nothing. A `foreign` link belongs to another account than the one that is logged in. */
type LinkProblem = "unknown" | "used" | "expired" | "foreign";

const TITLES: Readonly<Record<LinkProblem, MessageKey>> = {
  unknown: "auth:link.unknownTitle",
  used: "auth:link.usedTitle",
  expired: "auth:link.expiredTitle",
  foreign: "account:email.foreignTitle",
};
const TEXTS: Readonly<Record<LinkProblem, MessageKey>> = {
  unknown: "auth:link.unknownText",
  used: "account:email.usedText",
  expired: "account:email.expiredText",
  foreign: "account:email.foreignText",
};

const readToken = (request: Request) => new URL(request.url).searchParams.get("token");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const actor = (await context.session.current())?.actor ?? null;
  const result = await context.attempt(
    context.services.account.inspectEmailLink({ actor, token: readToken(request) }),
  );
  const layout = await readPublicLayoutData(request, context);
  const problemResponse = (problem: LinkProblem, status: number) =>
    data({ layout, title: pageTitle(context, TITLES[problem]), problem, email: "", from: "" }, { status });
  if (!result.ok) {
    const { code, status } = result.failure;
    return problemResponse(
      code === "link_used" ? "used" : code === "link_expired" ? "expired" : "unknown",
      status,
    );
  }
  const { email, from, isForeign } = result.value;
  if (isForeign) return problemResponse("foreign", 403);
  return data({
    layout,
    title: pageTitle(context, "account:email.confirmTitle"),
    problem: null,
    email,
    from,
  });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const actor = (await context.session.current())?.actor ?? null;
  const result = await context.attempt(
    context.services.account.confirmEmailChange({ actor, token: readToken(request) }),
  );
  if (result.ok) throw redirect(`${actor ? "/account/security" : "/login"}?toast=email-confirmed`);
  const { code, status } = result.failure;
  // The loader runs again and shows the state of the link.
  return data({ isTaken: code === "email_taken" }, { status: code === "email_taken" ? 409 : status });
}

export const shouldRevalidate = shouldRevalidateLink;
export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];

export const handle: RouteHandle = { i18n: ["account", "auth"] };

export default function ConfirmEmail() {
  const { t } = useTranslation();
  const { problem, email, from, layout } = useLoaderData<typeof loader>();
  const isTaken = useActionResult<typeof action>()?.isTaken ?? false;
  const busy = useNavigation().formMethod === "POST";
  const note = <VersionText version={layout.version || null} />;
  const link = { href: "/account/security", label: t("account:email.toAccount") };
  if (problem)
    return (
      <MessagePage
        icon={problem === "used" ? "check" : "warning"}
        title={t(TITLES[problem])}
        link={link}
        note={note}
      >
        {t(TEXTS[problem])}
      </MessagePage>
    );
  if (isTaken)
    return (
      <MessagePage icon="warning" title={t("account:email.takenTitle")} link={link} note={note}>
        {t("account:email.takenText", { email })}
      </MessagePage>
    );
  return (
    <PublicLayout
      title={t("account:email.confirmTitle")}
      lead={t("account:email.confirmLead", { from, email })}
      layout={layout}
    >
      <Form method="post" replace className="grid">
        <Button type="submit" variant="primary" pending={busy}>
          {t("account:email.confirmSubmit")}
        </Button>
      </Form>
    </PublicLayout>
  );
}

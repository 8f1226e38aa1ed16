import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Form, type MetaFunction, useLoaderData, useNavigation } from "@remix-run/react";
import { Button } from "~/components/button";
import { MessagePage } from "~/components/message-page";
import { VersionText } from "~/components/version-text";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";
import { useActionResult } from "../shared/unsent-form";
import { PublicLayout } from "./public-layout";
import { readPublicLayoutData } from "./public-layout-data";

const readToken = (request: Request) => new URL(request.url).searchParams.get("token");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const result = await context.attempt(
    context.services.statusMails.inspectStatusMails({ token: readToken(request) }),
  );
  const layout = await readPublicLayoutData(request, context);
  const title = pageTitle(context, "auth:stopMails.title");
  return data(
    { layout, title, isSubscribed: result.ok ? result.value : null },
    { status: result.ok ? 200 : result.failure.status },
  );
}

/** Handles the page's button, and the one-click unsubscribe of mail programs (RFC 8058), which send no cookie and their own request body. */
export async function action({ request, context }: ActionFunctionArgs) {
  const result = await context.attempt(
    context.services.statusMails.stopStatusMails({ token: readToken(request) }),
  );
  return data({ isStopped: result.ok }, { status: result.ok ? 200 : result.failure.status });
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];

export const handle: RouteHandle = { i18n: ["account", "auth"] };

export default function StopMails() {
  const { t } = useTranslation();
  const { isSubscribed, layout } = useLoaderData<typeof loader>();
  const isStopped = useActionResult<typeof action>()?.isStopped ?? false;
  const busy = useNavigation().formMethod === "POST";
  const version = <VersionText version={layout.version || null} />;
  const link = { href: "/account", label: t("account:email.toAccount") };
  if (isSubscribed === null)
    return (
      <MessagePage icon="warning" title={t("auth:link.unknownTitle")} link={link} note={version}>
        {t("auth:link.unknownText")}
      </MessagePage>
    );
  if (isStopped || !isSubscribed)
    return (
      <MessagePage icon="check" title={t("auth:stopMails.doneTitle")} link={link} note={version}>
        {t("auth:stopMails.doneText")}
      </MessagePage>
    );
  return (
    <PublicLayout title={t("auth:stopMails.title")} lead={t("auth:stopMails.lead")} layout={layout}>
      <Form method="post" replace className="grid">
        <Button type="submit" variant="primary" pending={busy}>
          {t("auth:stopMails.submit")}
        </Button>
      </Form>
    </PublicLayout>
  );
}

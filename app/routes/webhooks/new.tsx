import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { PageHeader } from "~/components/page-header";
import { createWebhookSchema } from "~/domain/webhooks/webhook.schema";
import { rejectForm } from "~/forms/shared/reject-form";
import { WebhookForm } from "~/forms/webhooks/webhook-form";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";
import { useActionResult } from "../shared/unsent-form";
import { WEBHOOKS_PATH, webhookPath } from "./paths";
import { listTargetOptions } from "./targets.server";
import { SecretNotice } from "./webhook-parts";

export async function loader({ context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  return {
    title: pageTitle(context, "webhooks:createTitle"),
    newId: crypto.randomUUID() as string,
    options: await listTargetOptions(context, actor, { target: { kind: "all" }, name: null }),
  };
}

export async function action({ context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const isAllowedHost = (host: string) => context.site.storeHosts.includes(host);
  const submission = parseWithZod(await context.form.read(), { schema: createWebhookSchema(isAllowedHost) });
  if (submission.status !== "success")
    return data({ created: null, lastResult: submission.reply() }, { status: 400 });
  const { id, ...values } = submission.value;
  const result = await context.attempt(context.services.webhooks.createWebhook({ actor, id, values }));
  if (result.ok) return data({ created: { id, secret: result.value.secret }, lastResult: null });
  // The form was submitted again by a reload; the secret is not displayed twice.
  if (result.failure.code === "made_before") throw redirect(`${webhookPath(id)}?made`);
  return data(
    { created: null, lastResult: rejectForm(submission as never, result.failure) },
    { status: result.failure.status },
  );
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["account", "shared-owners", "webhooks"],
  topBar: (_data, t: Translate) => ({ title: t("account:title") }),
};

export default function NewWebhookPage() {
  const { t } = useTranslation();
  const { newId, options } = useLoaderData<typeof loader>();
  const { created, lastResult } = useActionResult<typeof action>() ?? {};
  return (
    <Container as="main" id="main" width="form" className="grid gap-8 py-8">
      <PageHeader
        title={t("webhooks:createTitle")}
        breadcrumbs={[{ label: t("webhooks:title"), href: WEBHOOKS_PATH }]}
        description={created ? undefined : t("webhooks:lead")}
      />
      {created ? (
        <div className="grid gap-4">
          <SecretNotice secret={created.secret} />
          <div>
            <LinkButton href={webhookPath(created.id)} variant="primary">
              {t("webhooks:toWebhook")}
            </LinkButton>
          </div>
        </div>
      ) : (
        <WebhookForm
          lastResult={lastResult}
          values={{
            id: newId,
            url: "",
            types: ["event.published", "event.closed"],
            target: "all",
          }}
          {...options}
          submit={t("webhooks:createSubmit")}
          cancelHref={WEBHOOKS_PATH}
        />
      )}
    </Container>
  );
}

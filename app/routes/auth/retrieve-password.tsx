import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { LinkButton } from "~/components/button";
import { createRetrievePasswordSchema } from "~/domain/auth/password.schema";
import { RetrievePasswordForm } from "~/forms/auth/retrieve-password-form";
import { rejectForm } from "~/forms/shared/reject-form";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";
import { useActionResult } from "../shared/unsent-form";
import { PublicLayout } from "./public-layout";
import { readPublicLayoutData } from "./public-layout-data";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const isSent = new URL(request.url).searchParams.has("sent");
  return {
    title: pageTitle(context, isSent ? "auth:retrieve.sentTitle" : "auth:retrieve.title"),
    sent: isSent,
    layout: await readPublicLayoutData(request, context),
  };
}

export async function action({ context }: ActionFunctionArgs) {
  const form = await context.form.read();
  const submission = parseWithZod(form, { schema: createRetrievePasswordSchema() });
  if (submission.status !== "success") return data(submission.reply(), { status: 400 });
  const session = await context.session.current();
  const result = await context.attempt(
    context.services.passwords.requestReset({
      actor: session?.actor ?? null,
      email: submission.value.email,
      network: context.client.network,
    }),
  );
  if (!result.ok) return data(rejectForm(submission, result.failure), { status: result.failure.status });
  throw redirect("/retrieve-password?sent");
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];

export const handle: RouteHandle = { i18n: ["auth", "shared-owners"] };

export default function RetrievePassword() {
  const { t } = useTranslation();
  const { sent, layout } = useLoaderData<typeof loader>();
  const lastResult = useActionResult<typeof action>();
  return sent ? (
    <PublicLayout title={t("auth:retrieve.sentTitle")} lead={t("auth:retrieve.sentText")} layout={layout}>
      <div className="grid gap-2">
        <LinkButton href="/login" variant="primary">
          {t("auth:toLogin")}
        </LinkButton>
        <LinkButton href="/retrieve-password" variant="quiet">
          {t("auth:retrieve.sentAgain")}
        </LinkButton>
      </div>
    </PublicLayout>
  ) : (
    <PublicLayout title={t("auth:retrieve.title")} lead={t("auth:retrieve.lead")} layout={layout}>
      <RetrievePasswordForm lastResult={lastResult} />
    </PublicLayout>
  );
}

import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useFetcher, useLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { Notice } from "~/components/status/notice";
import { createLoginSchema } from "~/domain/auth/login.schema";
import { createPasskeyLoginSchema } from "~/domain/auth/passkey.schema";
import { safeNext } from "~/domain/auth/redirect";
import { SESSION_STORAGE_KEY, startPage } from "~/domain/auth/session";
import { rejectForm } from "~/forms/shared/reject-form";
import { packMessage } from "~/forms/shared/user-message";
import { createLatePart } from "~/i18n/late-part";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";
import { useToastFromUrl } from "../shared/toast-from-url";
import { useActionResult } from "../shared/unsent-form";
import { PublicLayout } from "./public-layout";
import { readPublicLayoutData } from "./public-layout-data";
import { submitSecondStep } from "./second-step.server";

const PasskeyLogin = createLatePart(async () => ({
  default: (await import("./passkeys/passkey-login")).PasskeyLogin,
}));
// Both forms can be submitted before their scripts, which check the input, have arrived.
const LoginForm = createLatePart(async () => ({
  default: (await import("~/forms/auth/login-form")).LoginForm,
}));
const SecondStepForm = createLatePart(async () => ({
  default: (await import("~/forms/auth/second-step-form")).SecondStepForm,
}));

export async function loader({ request, context }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const session = await context.session.current();
  const next = safeNext(url.searchParams.get("next"), "") || null;
  // A rejected log-in attempt must show its error, even if another tab has logged in in the meantime.
  if (session && !context.page.isPosted) throw redirect(next ?? startPage(session.user.role));
  return {
    title: pageTitle(context, "auth:title"),
    next,
    layout: await readPublicLayoutData(request, context),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await context.form.read();
  const userAgent = request.headers.get("user-agent") ?? "";

  // A ticket (a session's secret) that an earlier client left in local storage is exchanged once for the cookie.
  const storedTicket = form.get("stored-ticket");
  if (typeof storedTicket === "string") {
    const issued = await context.services.sessions.exchangeTicket({ ticket: storedTicket, userAgent });
    if (!issued) return data(null, { status: 400 });
    context.session.start(issued);
    throw redirect(safeNext(String(form.get("next") ?? ""), startPage(issued.user.role)));
  }

  if (form.has("credential")) {
    const passkeySubmission = parseWithZod(form, { schema: createPasskeyLoginSchema() });
    const rejectPasskey = (key: string, status: number) =>
      data(passkeySubmission.reply({ formErrors: [key], hideFields: ["credential"] }), { status });
    if (passkeySubmission.status !== "success") return rejectPasskey("auth:errors.passkey.rejected", 400);
    const passkeyResult = await context.attempt(
      context.services.passkeys.logInWithPasskey({
        ...passkeySubmission.value,
        userAgent,
        network: context.client.network,
        ticket: context.session.ticket(),
        browser: context.session.knownBrowser(),
      }),
    );
    if (!passkeyResult.ok)
      return rejectPasskey(
        packMessage(passkeyResult.failure.userMessage),
        passkeyResult.failure.status === 429 ? 429 : 400,
      );
    context.session.start(passkeyResult.value);
    throw redirect(safeNext(String(form.get("next") ?? ""), startPage(passkeyResult.value.user.role)));
  }

  if (form.has("pending")) return submitSecondStep(form, { request, context });

  const submission = parseWithZod(form, { schema: createLoginSchema() });
  if (submission.status !== "success")
    return data(submission.reply({ hideFields: ["password"] }), { status: 400 });
  const { email, password, next } = submission.value;
  const result = await context.attempt(
    context.services.sessions.logIn({
      email,
      password,
      userAgent,
      network: context.client.network,
      ticket: context.session.ticket(),
      browser: context.session.knownBrowser(),
    }),
  );
  // The password was right, and the account has a second factor. `pending` is the sealed (encrypted and signed) first step, which the second form sends back.
  if (!result.ok && result.failure.pending !== undefined)
    return data({
      ...submission.reply({ hideFields: ["password"] }),
      secondStep: { pending: result.failure.pending, next },
    });
  if (!result.ok) {
    const status = result.failure.status === 429 ? 429 : 400;
    return data(rejectForm(submission, result.failure, ["password"]), { status });
  }
  context.session.start(result.value);
  throw redirect(next ?? startPage(result.value.user.role));
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];

export const handle: RouteHandle = { i18n: ["auth", "shared-owners"] };

export default function Login() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const lastResult = useActionResult<typeof action>();
  const isExchangingTicket = useTicketExchange(page.next);
  const toast = useToastFromUrl();
  const { secondStep } = (lastResult ?? {}) as {
    readonly secondStep?: { readonly pending: string; readonly next: string | null };
  };
  if (secondStep)
    return (
      <PublicLayout title={t("auth:secondStep.title")} lead={t("auth:secondStep.lead")} layout={page.layout}>
        <SecondStepForm lastResult={lastResult} pending={secondStep.pending} next={secondStep.next} />
      </PublicLayout>
    );
  return (
    <PublicLayout title={t("auth:title")} lead={t("auth:lead")} layout={page.layout}>
      {isExchangingTicket && (
        <p role="status" className="text-sm text-muted">
          {t("auth:restoring")}
        </p>
      )}
      {toast}
      {page.next && !lastResult && <Notice>{t("auth:toContinue")}</Notice>}
      <LoginForm lastResult={lastResult} next={page.next} />
      <PasskeyLogin next={page.next} />
    </PublicLayout>
  );
}

/** Reads and removes the ticket that an earlier client left in local storage; null if there is none. */
function takeTicket(): string | null {
  try {
    const ticket = localStorage.getItem(SESSION_STORAGE_KEY);
    if (ticket !== null) localStorage.removeItem(SESSION_STORAGE_KEY);
    return ticket;
  } catch {
    // Browsers that block site data throw when local storage is accessed.
    return null;
  }
}

/** Exchanges a ticket in local storage for the cookie, once. Returns true while the exchange is in progress. `next` is the page to open afterwards. */
function useTicketExchange(next: string | null): boolean {
  const { submit, state } = useFetcher();
  useEffect(() => {
    const ticket = takeTicket();
    if (ticket !== null)
      submit({ "stored-ticket": ticket, next: next ?? "" }, { method: "post", action: "/login" });
  }, [submit, next]);
  return state !== "idle";
}

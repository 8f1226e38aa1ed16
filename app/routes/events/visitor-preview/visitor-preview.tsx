import { data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Form, type MetaFunction, useLoaderData } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { Button } from "~/components/button";
import { DateTime } from "~/components/date-time";
import { FieldError } from "~/components/field";
import { Icon } from "~/components/icon";
import { Notice } from "~/components/notice";
import { SelectField } from "~/components/select-field";
import { isLang } from "~/domain/shared/lang";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../../shared/handle";
import { uuidParam } from "../../shared/ids";
import { pageTitle } from "../../shared/title";
import { FrameFields, VisitorFrame } from "./visitor-frame";
import { readAsked } from "./visitor-preview.server";

/** What visitors see of an event, at any moment and in either language (for people who edit it). */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.session.require();
  const eventId = uuidParam(params.uuid);
  const { searchParams } = new URL(request.url);
  const asked = readAsked(searchParams, user.timeZone, context.now);
  const found = await context.services.visitors.readAsVisitor({
    actor,
    eventId,
    mode: asked.mode,
    at: asked.at ?? context.now,
  });
  const shownIn = searchParams.get("in");
  const lang = isLang(shownIn) ? shownIn : context.lang;
  const frame = new URLSearchParams({
    link: asked.mode,
    at: new Date(asked.at ?? context.now).toISOString(),
    lang,
  });
  return data(
    {
      title: pageTitle(context, "events:asVisitor.title"),
      eventId,
      eventName: found.eventName,
      timeZone: user.timeZone,
      asked: { ...asked, lang, isPhone: searchParams.get("size") === "phone" },
      statusId: found.statusId,
      isOpen: found.event !== null,
      opensAt: found.opensAt,
      startsAt: found.startsAt,
      asksPassword: found.asksPassword,
      src: `/event/${eventId}/as-visitor/page?${frame}`,
    },
    { status: asked.at === null ? 400 : 200 },
  );
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];

export const handle: RouteHandle = { i18n: ["events", "shared-owners"] };

export default function AsVisitor() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const { asked, timeZone } = page;
  const status = t(`shared:statuses.${page.statusId}`);
  return (
    <main id="main" tabIndex={-1} className="mx-auto grid w-full max-w-[90rem] gap-4 px-4 py-4 sm:px-6">
      <header className="flex flex-wrap items-baseline gap-x-4">
        <Anchor
          href={`/event/${page.eventId}`}
          className="inline-flex min-h-10 w-fit items-center gap-2 text-sm text-accent underline underline-offset-4"
        >
          <Icon name="arrow-left" size={16} />
          {t("events:asVisitor.back")}
        </Anchor>
        <h1 className="text-xl leading-title font-semibold">{t("events:asVisitor.title")}</h1>
        <p className="text-muted [overflow-wrap:anywhere]">{page.eventName}</p>
      </header>
      <Form method="get" className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <SelectField
          name="link"
          label={t("events:asVisitor.link")}
          defaultValue={asked.mode}
          options={[
            { value: "published", label: t("events:asVisitor.published") },
            { value: "preview", label: t("events:asVisitor.preview") },
          ]}
        />
        <div className="grid gap-1.5">
          <label htmlFor="at" className="text-sm font-semibold">
            {t("events:asVisitor.at")}
          </label>
          <input
            id="at"
            name="at"
            type={asked.at === null ? "text" : "datetime-local"}
            key={asked.typed}
            defaultValue={asked.typed}
            aria-invalid={asked.at === null || undefined}
            aria-describedby={asked.at === null ? "at-error at-hint" : "at-hint"}
            className="control"
          />
          {asked.at === null && <FieldError id="at-error">{t("events:asVisitor.badMoment")}</FieldError>}
          <p id="at-hint" className="text-xs text-muted">
            {t("events:asVisitor.atHint", { zone: timeZone })}
          </p>
        </div>
        <FrameFields {...asked} />
        <div className="grid gap-1.5 max-sm:self-end">
          {/* As high as the labels beside it. */}
          <span aria-hidden="true" className="text-sm max-sm:hidden">
            {"\u00a0"}
          </span>
          <Button type="submit" variant="primary">
            {t("events:asVisitor.show")}
          </Button>
        </div>
      </Form>
      <Notice tone={page.isOpen ? "success" : "warning"} live>
        {asked.at === null && <p>{t("events:asVisitor.nowInstead")}</p>}
        <p>
          {page.isOpen
            ? t("events:asVisitor.isOpen", { status })
            : t("events:asVisitor.isClosed", { status })}
        </p>
        {!page.isOpen && page.opensAt && <At words="opensAt" at={page.opensAt} {...{ timeZone, status }} />}
        {!page.isOpen && !page.opensAt && <p>{t("events:asVisitor.staysClosed")}</p>}
        {page.startsAt && <At words="openByHand" at={page.startsAt} {...{ timeZone, status }} />}
        {page.isOpen && page.asksPassword && <p>{t("events:asVisitor.asksPassword")}</p>}
      </Notice>
      <VisitorFrame src={page.src} isPhone={asked.isPhone} title={t("events:asVisitor.frame")} />
    </main>
  );
}

/** A sentence with a moment in it. */
function At({
  words,
  at,
  timeZone,
  status,
}: {
  readonly words: "opensAt" | "openByHand";
  readonly at: string;
  readonly timeZone: string;
  readonly status: string;
}) {
  const { t } = useTranslation();
  const [before = "", after = ""] = t(`events:asVisitor.${words}`, { date: "\u0000", status }).split(
    "\u0000",
  );
  return (
    <p>
      {before}
      <DateTime instant={at} timeZone={timeZone} /> ({timeZone}){after}
    </p>
  );
}

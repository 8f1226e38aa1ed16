import { data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { DateTime, timeZoneName } from "~/components/date-time";
import { FieldError } from "~/components/fields/field";
import { SelectField } from "~/components/fields/select-field";
import { Icon } from "~/components/icon";
import { Notice } from "~/components/status/notice";
import { isLang } from "~/domain/shared/lang";
import { textIn } from "~/domain/shared/localized";
import { writeLocal } from "~/domain/shared/time-zone";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../../shared/handle";
import { pageTitle } from "../../shared/title";
import { uuidParam } from "../../shared/uuid-param";
import { parsePreviewQuery } from "./preview-query.server";
import { FrameForm, FrameLayout, VisitorFrame } from "./visitor-frame";

/** Shows what visitors see of an event at any point in time and in either language, for its editors. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.session.require();
  const eventId = uuidParam(params.uuid);
  const { searchParams } = new URL(request.url);
  const query = parsePreviewQuery(searchParams, user.timeZone, context.now);
  const preview = await context.services.visitors.readVisitorPreview({
    actor,
    eventId,
    mode: query.mode,
    at: query.at ?? context.now,
  });
  const isPhone = searchParams.get("size") === "phone";
  const langParam = searchParams.get("in");
  const lang = isLang(langParam) ? langParam : context.lang;
  const frameQuery = new URLSearchParams({
    link: query.mode,
    at: new Date(query.at ?? context.now).toISOString(),
    lang,
    ...(isPhone && { size: "phone" }),
  });
  return data(
    {
      title: pageTitle(context, "events:preview.title"),
      eventId,
      eventName: textIn(preview.eventName, context.lang),
      timeZone: user.timeZone,
      query: { ...query, lang, isPhone },
      statusId: preview.statusId,
      isOpen: preview.event !== null,
      opensAt: preview.opensAt,
      startsAt: preview.startsAt,
      requiresPassword: preview.requiresPassword,
      src: `/event/${eventId}/as-visitor/page?${frameQuery}`,
    },
    { status: query.at === null ? 400 : 200 },
  );
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];

export const handle: RouteHandle = { i18n: ["events", "shared-owners"] };

export default function VisitorPreview() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const { query, timeZone } = page;
  const status = t(`shared:statuses.${page.statusId}`);
  return (
    <FrameLayout
      isPhone={query.isPhone}
      head={
        <>
          <header className="flex flex-wrap items-baseline gap-x-4">
            <Anchor href={`/event/${page.eventId}`} className="text-link w-fit text-sm">
              <Icon name="arrow-left" size={16} />
              {t("events:preview.back")}
            </Anchor>
            <h1 className="text-xl leading-title font-semibold">{t("events:preview.title")}</h1>
            <p className="text-muted wrap-anywhere">{page.eventName}</p>
          </header>
          <FrameForm
            {...query}
            timeField={
              <div className="grid gap-1.5">
                <div className="flex flex-wrap items-baseline gap-x-2">
                  <label htmlFor="at" className="text-sm font-semibold">
                    {t("events:preview.at")}
                  </label>
                  <p id="at-hint" className="text-xs text-muted">
                    {t("events:preview.atHint", { zone: timeZoneName(timeZone, t) })}
                  </p>
                </div>
                <input
                  id="at"
                  name="at"
                  type="text"
                  key={query.typedTime}
                  defaultValue={writeLocal(query.typedTime)}
                  placeholder={t("shared-owners:datePattern")}
                  autoComplete="off"
                  aria-invalid={query.at === null || undefined}
                  aria-describedby={query.at === null ? "at-error at-hint" : "at-hint"}
                  className="control"
                />
                {query.at === null && <FieldError id="at-error">{t("events:preview.badMoment")}</FieldError>}
              </div>
            }
          >
            <SelectField
              name="link"
              label={t("events:preview.link")}
              defaultValue={query.mode}
              options={[
                { value: "published", label: t("events:preview.published") },
                { value: "preview", label: t("events:preview.preview") },
              ]}
            />
          </FrameForm>
          <Notice tone={page.isOpen ? "success" : "warning"} live>
            {query.at === null && <p>{t("events:preview.nowInstead")}</p>}
            <p>
              {page.isOpen
                ? t("events:preview.isOpen", { status })
                : t("events:preview.isClosed", { status })}
            </p>
            {!page.isOpen && page.opensAt && (
              <SentenceWithTime messageKey="opensAt" at={page.opensAt} timeZone={timeZone} status={status} />
            )}
            {!page.isOpen && !page.opensAt && <p>{t("events:preview.staysClosed")}</p>}
            {/* The event is published although its start is in the future. */}
            {page.startsAt && (
              <SentenceWithTime
                messageKey="openByHand"
                at={page.startsAt}
                timeZone={timeZone}
                status={status}
              />
            )}
            {page.isOpen && page.requiresPassword && <p>{t("events:preview.requiresPassword")}</p>}
          </Notice>
        </>
      }
    >
      <VisitorFrame src={page.src} isPhone={query.isPhone} title={t("events:preview.frame")} />
    </FrameLayout>
  );
}

/** A sentence that contains a point in time. */
function SentenceWithTime({
  messageKey,
  at,
  timeZone,
  status,
}: {
  readonly messageKey: "opensAt" | "openByHand";
  readonly at: string;
  readonly timeZone: string;
  readonly status: string;
}) {
  const { t } = useTranslation();
  const [textBefore = "", textAfter = ""] = t(`events:preview.${messageKey}`, {
    date: "\u0000",
    status,
  }).split("\u0000");
  return (
    <p>
      {textBefore}
      <DateTime instant={at} timeZone={timeZone} />
      {t("shared-owners:inBrackets", { text: timeZoneName(timeZone, t) })}
      {textAfter}
    </p>
  );
}

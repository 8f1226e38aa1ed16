import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { useFormatDate } from "~/components/date-time";
import { SelectField } from "~/components/fields/select-field";
import { Icon } from "~/components/icon";
import { Notice } from "~/components/status/notice";
import { isLang } from "~/domain/shared/lang";
import { inLanguage, textIn } from "~/domain/shared/localized";
import { toLocalInput } from "~/domain/shared/time-zone";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../../shared/handle";
import { pageTitle } from "../../shared/title";
import { uuidParam } from "../../shared/uuid-param";
import { FrameForm, VisitorFrame } from "../visitor-preview/visitor-frame";
import { readSnapshot, snapshotSearchParams } from "./snapshot.server";

/** Shows a recorded state of an event in its space to its editors, as visitors saw it or with markers on the differences. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.session.require();
  const eventId = uuidParam(params.uuid);
  const { searchParams } = new URL(request.url);
  const langParam = searchParams.get("in");
  const lang = isLang(langParam) ? langParam : context.lang;
  const { options, snapshot, markCounts } = await readSnapshot(context, actor, eventId, searchParams, lang);
  const query = snapshotSearchParams(options);
  const frameQuery = new URLSearchParams(query);
  frameQuery.set("lang", lang);
  const historyQuery = new URLSearchParams(query);
  historyQuery.delete("marks");
  return {
    title: pageTitle(context, "events:history.visit.title"),
    eventName: textIn(snapshot.event.eventName, context.lang),
    at: snapshot.at,
    timeZone: user.timeZone,
    options: { ...options, seq: options.seq ?? 0, lang, isPhone: searchParams.get("size") === "phone" },
    isCompared: snapshot.difference !== null,
    markCounts,
    missing: snapshot.missing.map(({ title, loss }) => ({ title: inLanguage(title, context.lang), loss })),
    historyHref: `/event/${eventId}/history?${historyQuery}`,
    src: `/event/${eventId}/as-visitor/page?${frameQuery}`,
  };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];

export const handle: RouteHandle = { i18n: ["events", "shared-owners"] };

export default function EventSnapshot() {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  const page = useLoaderData<typeof loader>();
  const { options } = page;
  return (
    // The label distinguishes it from the main element of the page in the frame.
    <main
      id="main"
      tabIndex={-1}
      aria-labelledby="snapshot-title"
      className="mx-auto grid w-full max-w-[90rem] gap-4 px-4 py-6 sm:px-6"
    >
      <header className="grid gap-1">
        <Anchor href={page.historyHref} className="text-link w-fit text-sm">
          <Icon name="arrow-left" size={16} />
          {t("events:history.visit.back")}
        </Anchor>
        <h1 id="snapshot-title" className="text-xl leading-title font-semibold">
          {t("events:history.thenAt", { at: formatDate(toLocalInput(page.at, page.timeZone)) })}
        </h1>
        <p className="text-muted wrap-anywhere">{page.eventName}</p>
      </header>
      <FrameForm {...options}>
        <input type="hidden" name="seq" value={options.seq} />
        <input type="hidden" name="with" value={options.comparison} />
        {options.since > 0 && <input type="hidden" name="since" value={options.since} />}
        <SelectField
          name="marks"
          label={t("events:history.visit.what")}
          defaultValue={options.isMarked ? "1" : ""}
          options={[
            { value: "", label: t("events:history.visit.plain") },
            { value: "1", label: t(`events:history.visit.marked.${options.comparison}`) },
          ]}
        />
      </FrameForm>
      {options.isMarked && (
        <section aria-label={t("events:history.visit.legend")}>
          {page.markCounts.length > 0 ? (
            <ul className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
              {page.markCounts.map(({ kind, icon, color, count }) => (
                <li key={kind} className="flex items-center gap-2">
                  <span
                    style={{ background: color }}
                    className="grid size-6 place-items-center rounded-full text-[#fff]"
                  >
                    <Icon name={icon} size={16} />
                  </span>
                  {t(`events:history.marks.${kind}`)} <span className="text-muted tabular-nums">{count}</span>
                </li>
              ))}
            </ul>
          ) : (
            <p className="text-sm text-muted">
              {t(page.isCompared ? "events:history.visit.nothing" : "events:history.neverPublished")}
            </p>
          )}
        </section>
      )}
      {page.missing.length > 0 && (
        <Notice tone="warning" title={t("events:history.visit.missing", { count: page.missing.length })}>
          <ul className="max-h-48 list-disc overflow-y-auto pl-5">
            {page.missing.map(({ title, loss }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: titles may be the same, and the list never changes
              <li key={index} className="wrap-anywhere">
                <span lang={title.lang} className="font-semibold">
                  {title.text || t("events:history.untitled")}
                </span>{" "}
                – {t(`events:history.rejectionReasons.${loss}`)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <VisitorFrame src={page.src} isPhone={options.isPhone} title={t("events:preview.frame")} />
    </main>
  );
}

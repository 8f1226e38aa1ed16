import { Anchor } from "~/components/anchor";
import { useFormatDate } from "~/components/date-time";
import { FieldDetails, FieldDetailsList } from "~/components/fields/field-details";
import { Icon } from "~/components/icon";
import { StatusTimeline } from "~/components/status/status-timeline";
import type { ChecklistItem, MissingText } from "~/domain/events/publish-checklist";
import { EVENT_STATUS } from "~/domain/events/status";
import { toLocalInput } from "~/domain/shared/time-zone";
import type { EventFormEvent } from "~/forms/events/event-form";
import { useTranslation } from "~/i18n/translation";
import { panelHref } from "../../content/editor/panels";
import { tryFormId } from "./link-actions";

export interface PublishPanelProps {
  readonly event: EventFormEvent;
  readonly checklist: readonly ChecklistItem[];
  readonly space: { readonly id: string };
  readonly timeZone: string;
  /** Time of the server's response, in epoch milliseconds. */
  readonly now: number;
}

/** Part of the form that publishes an event: its time line, and what to check before its link is sent. */
export function PublishPanel({ event, checklist, space, timeZone, now }: PublishPanelProps) {
  const { t } = useTranslation();
  const { saved, currentStatus } = event;
  const doneCount = checklist.filter(({ isDone }) => isDone).length;
  return (
    <>
      {(saved.startDate ?? saved.endDate) && (
        <StatusTimeline
          start={saved.startDate}
          end={saved.endDate}
          timeZone={timeZone}
          now={new Date(now).toISOString()}
          statusId={currentStatus}
        />
      )}
      <section aria-label={t("events:checklist.title")}>
        <FieldDetailsList>
          <FieldDetails
            name="publish-checklist"
            title={t("events:checklist.title")}
            summary={t("events:checklist.done", { done: doneCount, count: checklist.length })}
            // Unless the event is published, the checklist starts expanded if it has open items.
            startsOpen={currentStatus !== EVENT_STATUS.published && doneCount < checklist.length}
          >
            <ul className="divide-y divide-line rounded-lg border border-line">
              {checklist.map((item) => (
                <li key={item.name} data-check={item.name} data-done={item.isDone}>
                  <ChecklistRow item={item} eventId={saved.id} spaceId={space.id} timeZone={timeZone} />
                </li>
              ))}
            </ul>
          </FieldDetails>
        </FieldDetailsList>
      </section>
    </>
  );
}

interface ChecklistRowProps {
  readonly item: ChecklistItem;
  readonly eventId: string;
  readonly spaceId: string;
  readonly timeZone: string;
}

const rowClasses = "flex min-h-10 w-full items-center gap-2 px-3 py-1 text-left text-sm no-underline";

/** One item of the checklist. An open item leads to the place where it can be done. */
function ChecklistRow({ item, eventId, spaceId, timeZone }: ChecklistRowProps) {
  const { t, language } = useTranslation();
  const formatLocalDate = useFormatDate();
  const formatDate = (instant: string) => formatLocalDate(toLocalInput(instant, timeZone));
  const { name, isDone } = item;
  const timeValues = "at" in item && item.at !== null ? { at: formatDate(item.at) } : null;
  const getNote = () => {
    switch (item.name) {
      case "texts": {
        if (isDone) return null;
        const names = item.langs.map((lang) => t(`shared-owners:languages.${lang}`));
        const languages = new Intl.ListFormat(language, { type: "disjunction" }).format(names);
        return t("events:checklist.textsMissing", { count: item.missing, languages });
      }
      case "places":
        return isDone ? null : t("events:checklist.placesMissing", { count: item.missing });
      case "links":
        if (isDone) return timeValues && t("events:checklist.opened", timeValues);
        return item.next ? t(`events:checklist.open.${item.next}`) : t("events:checklist.linksClosed");
      case "phone":
        return timeValues ? t("events:checklist.viewed", timeValues) : t("events:checklist.view");
      case "store":
        if (!timeValues) return t("events:checklist.storeNone");
        return t(isDone ? "events:checklist.answered" : "events:checklist.failed", timeValues);
      default:
        return isDone ? null : t(`events:checklist.fix.${item.name}`);
    }
  };
  const content = (
    <>
      <span className={isDone ? "text-success" : "text-muted"}>
        {isDone ? (
          <Icon name="check" size={16} />
        ) : (
          <span aria-hidden="true" className="m-0.5 block size-3 rounded-full border-2 border-current" />
        )}
        <span className="sr-only">{t(isDone ? "events:checklist.isDone" : "events:checklist.isOpen")}</span>
      </span>
      <span className="shrink-0">{t(`events:checklist.items.${name}`)}</span>
      <span className={`ml-auto text-right text-xs tabular-nums ${isDone ? "text-muted" : "text-accent"}`}>
        {getNote()}
      </span>
      {!isDone && <Icon name="chevron-right" size={16} className="text-muted" />}
    </>
  );
  if (isDone) return <p className={rowClasses}>{content}</p>;
  const linkClasses = `${rowClasses} hover:bg-ink/4`;
  // The button submits the form that opens the link.
  if (item.name === "links" && item.next)
    return (
      <button type="submit" form={tryFormId(item.next)} className={linkClasses}>
        {content}
      </button>
    );
  const href = {
    cover: `/space/${spaceId}/picture`,
    texts: item.name === "texts" && item.first ? textHref(item.first) : "",
    start: panelHref("start"),
    places: panelHref("tags", { show: "unplaced" }),
    links: "#event-statusId",
    phone: `/event/${eventId}/as-visitor?size=phone&link=preview`,
    store: panelHref("store"),
  }[name];
  return href.startsWith("#") ? (
    <a href={href} className={linkClasses}>
      {content}
    </a>
  ) : (
    <Anchor href={href} className={linkClasses}>
      {content}
    </Anchor>
  );
}

/** URL of the field of a missing text, or of its section's list if several items lack one. */
function textHref({ section, itemId, field }: MissingText): string {
  if (section === "details") return `${panelHref("event")}#event-${field}`;
  // Names of the URL's parameters, which are also the prefixes of the fields' ids.
  const paramName = ({ tags: "tag", media: "medium", tour: "stop" } as const)[section];
  if (itemId) return `${panelHref(section, { [paramName]: itemId })}#${paramName}-${field}`;
  return panelHref(section, section === "tour" ? {} : { show: "missing" });
}

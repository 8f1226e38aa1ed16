import { Anchor } from "~/components/anchor";
import { IconLink, LinkButton } from "~/components/button";
import { ImageFrame } from "~/components/card";
import { useFormatDate } from "~/components/date-time";
import { Icon } from "~/components/icon";
import { Menu, MenuDivider, MenuLink } from "~/components/menus/menu";
import { EmptyState } from "~/components/status/states";
import { StatusBadge } from "~/components/status/status";
import type { EventStatusId } from "~/domain/shared/model";
import { toLocalInput } from "~/domain/shared/time-zone";
import { useTranslation } from "~/i18n/translation";
import { reportSharedLink } from "../../events/record/report-shared-link";
import { hrefWith } from "../../shared/href-with";
import { frameImage } from "../frame-image";
import { CopyLink } from "./copy-link";
import type { EventDialogName } from "./event-actions.server";

export interface EventListProps {
  /** Name of the space. */
  readonly name: string;
  readonly rows: readonly {
    readonly id: string;
    readonly name: string;
    readonly statusId: EventStatusId;
    readonly startDate: string | null;
    readonly endDate: string | null;
    /** URL of the image without a width; null without one. */
    readonly image: string | null;
    readonly link: { readonly mode: "published" | "preview"; readonly url: string };
    /** Link that is open for visitors; null if none is open. */
    readonly visitorUrl: string | null;
  }[];
  readonly timeZone: string;
  /** Query of the list of events. */
  readonly listParams: URLSearchParams;
  /** Whether the user may delete and export the events. */
  readonly mayDelete: boolean;
}

/** URL of a dialog about one event. */
function eventDialogHref(listParams: URLSearchParams, dialog: EventDialogName, id: string): string {
  const params = new URLSearchParams(listParams);
  params.set("dialog", dialog);
  params.set("event", id);
  return `?${params}`;
}

/** Events of a space: each row opens the event, with its link and the other actions (`data-reveal`: shown while the row has the pointer or the focus) beside it. */
export function EventList({ name, rows, timeZone, listParams, mayDelete }: EventListProps) {
  const { t } = useTranslation();
  if (rows.length === 0)
    return (
      <EmptyState
        title={t("spaces:detail.emptyTitle")}
        action={
          <LinkButton href={hrefWith(listParams, "dialog", "new")} variant="primary" keepScroll>
            {t("spaces:detail.createEvent")}
          </LinkButton>
        }
      >
        {t("spaces:detail.emptyText")}
      </EmptyState>
    );
  return (
    <ul id="list" tabIndex={-1} aria-label={t("spaces:detail.eventsCaption", { name })} className="ruled">
      {rows.map((event) => (
        <li
          key={event.id}
          data-row=""
          className="group/event relative flex gap-2 py-1 hover:bg-ink/3 sm:gap-5 sm:py-3"
        >
          <ImageFrame
            className="mt-1 w-12 shrink-0 self-start rounded sm:mt-0 sm:w-40"
            image={frameImage(event.image, [160, 320], "(min-width: 40rem) 10rem, 3rem")}
          />
          <div className="grid min-w-0 flex-1 grid-cols-1 content-start sm:content-center">
            <div className="flex items-start gap-1">
              <h2
                dir="auto"
                className="min-w-0 flex-1 self-center text-base leading-title font-semibold wrap-anywhere max-sm:truncate"
              >
                <Anchor
                  href={`/event/${event.id}`}
                  className="text-ink no-underline -outline-offset-2 group-hover/event:underline after:absolute after:inset-0"
                >
                  {event.name}
                </Anchor>
              </h2>
              <div
                data-reveal=""
                className="relative z-10 flex shrink-0 items-center has-[details[open]]:z-20"
              >
                <IconLink
                  icon="external"
                  label={t(`events:spaceEvents.${event.visitorUrl ? "openLink" : "preview"}`, {
                    name: event.name,
                  })}
                  href={event.visitorUrl ?? `/event/${event.id}/as-visitor`}
                  target="_blank"
                  className="max-sm:hidden"
                />
                <CopyLink
                  name={event.name}
                  url={event.link.url}
                  mode={event.link.mode}
                  onCopied={() => reportSharedLink(event.id, event.link.mode, "copied")}
                />
                <Menu
                  trigger={<Icon name="more" />}
                  label={t("events:spaceEvents.actions", { name: event.name })}
                >
                  <MenuLink icon="edit" href={`/event/${event.id}`}>
                    {t("events:spaceEvents.open")}
                  </MenuLink>
                  <MenuLink icon="eye" href={`/event/${event.id}/as-visitor`}>
                    {t("events:preview.open")}
                  </MenuLink>
                  <MenuLink icon="chart" href={`/event/${event.id}/report`}>
                    {t("shared-owners:reportTitle")}
                  </MenuLink>
                  <MenuLink icon="copy" href={eventDialogHref(listParams, "copy-event", event.id)} keepScroll>
                    {t("events:spaceEvents.copy")}
                  </MenuLink>
                  {mayDelete && (
                    <>
                      <MenuLink icon="download" href={`/event/${event.id}/export`} download>
                        {t("shared-owners:transfer.export")}
                      </MenuLink>
                      <MenuDivider />
                      <MenuLink
                        icon="trash"
                        href={eventDialogHref(listParams, "delete-event", event.id)}
                        keepScroll
                      >
                        {t("events:spaceEvents.delete")}
                      </MenuLink>
                    </>
                  )}
                </Menu>
              </div>
            </div>
            {/* On a phone, the longest status and period fit in one line. */}
            <p className="flex flex-wrap items-center gap-x-2 pb-1 text-sm text-muted max-sm:text-xs max-sm:*:text-xs sm:gap-x-4 sm:pb-0">
              <StatusBadge statusId={event.statusId} />
              <Period {...event} timeZone={timeZone} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

interface PeriodProps {
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly timeZone: string;
}

/** Period of an event; on a phone without the times of day. */
function Period({ startDate, endDate, timeZone }: PeriodProps) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  if (!startDate && !endDate) return <span>{t("spaces:detail.always")}</span>;
  const [start, end] = [startDate, endDate].map((date) => (date ? toLocalInput(date, timeZone) : ""));
  const isOneDay = start && start.slice(0, 10) === end?.slice(0, 10);
  const period = (time: boolean) => {
    const from = start && formatDate(start, { time });
    if (isOneDay && !time) return from;
    const to = isOneDay ? end?.slice(11, 16) : end && formatDate(end, { time });
    if (!to) return t("spaces:detail.from", { from: from ?? "" });
    if (!from) return t("spaces:detail.until", { to });
    return t("shared-owners:between", { from, to });
  };
  return (
    <span className="tabular-nums">
      <span className="sm:hidden">{period(false)}</span>
      <span className="max-sm:hidden">{period(true)}</span>
    </span>
  );
}

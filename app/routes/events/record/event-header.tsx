import { useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { Anchor } from "~/components/anchor";
import { IconButton } from "~/components/button";
import { Icon } from "~/components/icon";
import { Menu, MenuDivider, MenuLink } from "~/components/menus/menu";
import { Breadcrumbs } from "~/components/page-header";
import { textIn } from "~/domain/shared/localized";
import type { EventFormEvent } from "~/forms/events/event-form";
import { useTranslation } from "~/i18n/translation";
import { opensForm, type Panel, panelHref } from "../../content/editor/panels";
import { OpenItemActions } from "../../content/items/item-form-actions";
import { visitorLink } from "./event-page";

export interface EventHeaderProps {
  readonly event: EventFormEvent;
  readonly space: { readonly id: string; readonly name: string };
  /** Whether the user may export and delete the event. */
  readonly mayExportAndDelete: boolean;
  /** Whether narrow upright screens display the stage, the 3D view of the space. */
  readonly isStageShown: boolean;
  readonly onStageVisibility: (isVisible: boolean) => void;
  /** The open panel, which adds its own entries to the menu. */
  readonly panel: Panel;
  /** Buttons beside the menu. */
  readonly children: ReactNode;
}

/** Head of the editor's panel: the links back and to the visitors' page, and the event's name. */
export function EventHeader(props: EventHeaderProps) {
  const { event, space, mayExportAndDelete, isStageShown, onStageVisibility, panel, children } = props;
  const { t, language } = useTranslation();
  const { id: eventId, eventName } = event.saved;
  const name = textIn(eventName, language);
  // The link that is open for visitors.
  const visitHref = visitorLink(event);
  const spaceHref = `/space/${space.id}`;
  // A form has its own link back, to its list. A second arrow would look like it.
  const isInForm = opensForm(useSearchParams()[0]);
  return (
    <div className="relative px-4 py-1 sm:px-6">
      <div className="flex items-center gap-2">
        {isInForm ? (
          <div className="mr-auto min-w-0">
            <Breadcrumbs items={[{ label: space.name, href: spaceHref }]} />
          </div>
        ) : (
          <Anchor
            href={spaceHref}
            className="mr-auto inline-flex min-h-10 min-w-0 items-center gap-2 text-sm text-muted hover:underline"
          >
            <Icon name="arrow-left" size={16} />
            <span dir="auto" className="truncate">
              {space.name}
            </span>
            <span className="sr-only">{t("events:backToSpace")}</span>
          </Anchor>
        )}
        <div className="needs-script hidden max-lg:portrait:block">
          <IconButton
            icon={isStageShown ? "eye-off" : "eye"}
            label={isStageShown ? t("events:hideStage") : t("events:showStage")}
            onClick={() => onStageVisibility(!isStageShown)}
          />
        </div>
        {children}
        <Menu label={t("events:spaceEvents.actions", { name })} trigger={<Icon name="more" />}>
          <OpenItemActions />
          {panel === "tags" && !isInForm && (
            <>
              <MenuLink icon="rows" href={`/event/${eventId}/tags`}>
                {t("shared-owners:transfer.tags")}
              </MenuLink>
              <MenuDivider />
            </>
          )}
          {visitHref && (
            <MenuLink icon="external" href={visitHref} newTab>
              {t("content:links.open")}
              <span className="sr-only"> ({t("shared:opensNewTab")})</span>
            </MenuLink>
          )}
          <MenuLink icon="eye" href={`/event/${eventId}/as-visitor`}>
            {t("events:preview.open")}
          </MenuLink>
          <MenuLink icon="chart" href={`/event/${eventId}/report`}>
            {t("shared-owners:reportTitle")}
          </MenuLink>
          <MenuLink icon="clock" href={panelHref("history")} keepScroll>
            {t("content:history.title")}
          </MenuLink>
          {mayExportAndDelete && (
            <>
              <MenuDivider />
              <MenuLink icon="download" href={`/event/${eventId}/export`} download>
                {t("shared-owners:transfer.export")}
              </MenuLink>
              <MenuDivider />
              <MenuLink
                icon="trash"
                href={`${spaceHref}?${new URLSearchParams({ dialog: "delete-event", event: eventId })}`}
              >
                {t("events:spaceEvents.deleteEvent")}
              </MenuLink>
            </>
          )}
        </Menu>
      </div>
      {/* The top bar shows the title. */}
      <h1 className="sr-only">{name}</h1>
    </div>
  );
}

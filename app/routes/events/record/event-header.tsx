import { Anchor } from "~/components/anchor";
import { IconButton, LinkButton } from "~/components/button";
import { Icon } from "~/components/icon";
import { Menu, MenuDivider, MenuLink } from "~/components/menus/menu";
import { textIn } from "~/domain/shared/localized";
import type { EventFormEvent } from "~/forms/events/event-form";
import { useTranslation } from "~/i18n/translation";
import { visitorLink } from "./event-page";

export interface EventHeaderProps {
  readonly event: EventFormEvent;
  readonly space: { readonly id: string; readonly name: string };
  /** Whether the user may export the event. */
  readonly mayExport: boolean;
  /** Whether phones display the stage. */
  readonly stageShown: boolean;
  readonly onStage: (shown: boolean) => void;
}

/** Head of the editor's panel: the links back and to the visitors' page, and the event's name. */
export function EventHeader({ event, space, mayExport, stageShown, onStage }: EventHeaderProps) {
  const { t, language } = useTranslation();
  const { id: eventId, eventName } = event.saved;
  const name = textIn(eventName, language);
  // The link that is open for visitors.
  const visitHref = visitorLink(event);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1 px-4 pt-3 pb-2 max-lg:portrait:py-1 sm:px-6">
      <div className="flex items-center gap-2">
        <Anchor
          href={`/space/${space.id}`}
          className="mr-auto inline-flex min-h-10 min-w-0 items-center gap-2 text-sm text-muted underline-offset-4 hover:underline"
        >
          <Icon name="arrow-left" size={16} />
          <span className="truncate">{space.name}</span>
          <span className="sr-only">{t("events:backToSpace")}</span>
        </Anchor>
        <div className="needs-script hidden max-lg:portrait:block">
          <IconButton
            icon={stageShown ? "eye-off" : "eye"}
            label={stageShown ? t("events:hideStage") : t("events:showStage")}
            onClick={() => onStage(!stageShown)}
          />
        </div>
        {visitHref && (
          <LinkButton href={visitHref} variant="quiet" icon="external" target="_blank">
            {t("events:openAsVisitor")}
          </LinkButton>
        )}
        <Menu label={t("events:spaceEvents.actions", { name })} trigger={<Icon name="more" />}>
          <MenuLink icon="chart" href={`/event/${eventId}/report`}>
            {t("shared-owners:reportTitle")}
          </MenuLink>
          <MenuLink icon="eye" href={`/event/${eventId}/as-visitor`}>
            {t("content:links.asVisitor")}
          </MenuLink>
          <MenuLink icon="clock" href={`/event/${eventId}/history`}>
            {t("content:history.all")}
          </MenuLink>
          {mayExport && (
            <>
              <MenuDivider />
              <MenuLink icon="download" href={`/event/${eventId}/export`} download>
                {t("transfer:export")}
              </MenuLink>
            </>
          )}
        </Menu>
      </div>
      {/* On phones the top bar shows the title, and the form needs the room. */}
      <h1 className="max-lg:portrait:sr-only text-lg leading-title font-semibold [overflow-wrap:anywhere]">
        {name}
      </h1>
    </div>
  );
}

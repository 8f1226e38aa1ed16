import { ButtonRow, LinkButton } from "~/components/button";
import { Dialog } from "~/components/dialog";
import { Notice } from "~/components/status/notice";
import { TRASH_DAYS } from "~/domain/shared/limits";
import { EventCopyForm, type FindSpaces } from "~/forms/events/event-copy-form";
import { ConfirmForm } from "~/forms/shared/confirm-form";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import type { FoundSpaces } from "./copy-targets.server";
import type { EventActionOutcome, EventDialogData } from "./event-actions.server";

export interface EventDialogsProps {
  readonly dialog: EventDialogData | null;
  /** Result of the form, if it was submitted. */
  readonly outcome: EventActionOutcome | null;
  /** URL of the page without a dialog. */
  readonly closeHref: string;
}

/** Dialog about an event that the URL opens. */
export function EventDialogs({ dialog, outcome, closeHref }: EventDialogsProps) {
  if (!dialog) return null;
  if (!dialog.event) return <EventNotFound closeHref={closeHref} />;
  return dialog.dialog === "copy-event" ? (
    <Copy dialog={dialog} outcome={outcome} closeHref={closeHref} />
  ) : (
    <Delete dialog={dialog} outcome={outcome} closeHref={closeHref} />
  );
}

type Props<Name> = Omit<EventDialogsProps, "dialog"> & {
  readonly dialog: Extract<EventDialogData, { readonly dialog: Name }>;
};

function Copy({ dialog, outcome, closeHref }: Props<"copy-event">) {
  const { t } = useTranslation();
  if (!dialog.event) return null;
  const { event, q, spaces, hasMore } = dialog;
  const findSpaces: FindSpaces = async (text, signal) => {
    const query = new URLSearchParams({ find: text });
    // A redirect to the login page does not count as a response.
    const response = await fetch(`/space/${event.spaceId}/copy-targets?${query}`, {
      signal,
      redirect: "error",
    });
    if (!response.ok) throw new Error(String(response.status));
    return (await response.json()) as FoundSpaces;
  };
  return (
    <Dialog title={t("events:spaceEvents.copyOf", { name: event.name })} closeHref={closeHref}>
      <div className="grid gap-6">
        <p className="text-muted text-phrase">{t("events:spaceEvents.copyText")}</p>
        <EventCopyForm
          q={q}
          lastResult={outcome?.lastResult}
          event={event}
          spaces={spaces}
          hasMore={hasMore}
          find={findSpaces}
          cancelHref={closeHref}
        />
      </div>
    </Dialog>
  );
}

function Delete({ dialog, outcome, closeHref }: Props<"delete-event">) {
  const { t } = useTranslation();
  const message = useMessage();
  const { event } = dialog;
  if (!event) return null;
  const problem = dialog.isLast
    ? t("events:errors.event.lastOfSpace")
    : outcome?.problem && message(outcome.problem);
  const title = dialog.isLast ? "events:spaceEvents.onlyEvent" : "events:spaceEvents.deleteOf";
  return (
    <Dialog title={t(title, { name: event.name })} closeHref={closeHref} size="small">
      {problem ? (
        <div className="grid gap-6">
          <Notice tone="danger" live>
            <p>{problem}</p>
            {dialog.isLast && <p className="mt-2">{t("events:spaceEvents.onlyEventHelp")}</p>}
          </Notice>
          <ButtonRow>
            {dialog.isLast && (
              <LinkButton variant="primary" href="?dialog=new" keepScroll>
                {t("spaces:detail.createEvent")}
              </LinkButton>
            )}
            <LinkButton href={closeHref} keepScroll>
              {t("folders:close")}
            </LinkButton>
          </ButtonRow>
        </div>
      ) : (
        <ConfirmForm
          id="delete-event"
          intent="delete-event"
          values={{ event: event.id }}
          requiresPassword={false}
          email=""
          submit={t("events:spaceEvents.deleteSubmit")}
          cancelHref={closeHref}
        >
          {t("events:spaceEvents.deleteText", { days: TRASH_DAYS })}
        </ConfirmForm>
      )}
    </Dialog>
  );
}

function EventNotFound({ closeHref }: { readonly closeHref: string }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t("events:spaceEvents.gone")} closeHref={closeHref} size="small">
      <p className="text-muted text-phrase">{t("folders:eventGone")}</p>
      <ButtonRow className="mt-6">
        <LinkButton href={closeHref} keepScroll>
          {t("folders:close")}
        </LinkButton>
      </ButtonRow>
    </Dialog>
  );
}

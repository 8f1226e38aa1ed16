import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import type { ImportReport } from "#functions/services/transfer/transfer-ports";
import { Anchor } from "~/components/anchor";
import { ButtonRow, LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { Fact } from "~/components/fact";
import { PageHeader } from "~/components/page-header";
import { Notice } from "~/components/status/notice";
import { textIn } from "~/domain/shared/localized";
import { packMessage, useMessage } from "~/forms/shared/user-message";
import { formatBytes } from "~/i18n/format";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";
import { uuidParam } from "../shared/uuid-param";

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const packageImport = await context.services.packages.getPackageImport({
    actor,
    importId: uuidParam(params.importUuid),
  });
  const { report } = packageImport;
  // An import that was never completed has no report.
  if (!report) throw new Response(null, { status: 404, statusText: "Not Found" });
  const { kind, spaceId, spaceName, counts } = report;
  const events = report.events.map(({ id, name }) => ({ id, name: textIn(name, context.lang) }));
  const [firstEvent] = events;
  const name = kind === "event" ? (firstEvent?.name ?? "") : spaceName;
  return {
    title: pageTitle(context, `transfer:resultTitle_${kind}`, { name }),
    kind,
    name,
    spaceId,
    spaceName,
    events,
    counts,
    notes: groupNotes({ ...report, events }),
  };
}

/**
 * Lists each note (an omitted or changed part with the reason, or a value that must be entered again) once, in order, with the names of its events;
 * without names for the package of an event.
 */
function groupNotes({
  kind,
  events,
  notes,
}: Pick<ImportReport, "kind" | "notes"> & {
  readonly events: readonly { readonly id: string; readonly name: string }[];
}) {
  const names = new Map<string, string[]>();
  for (const { eventId, ...message } of notes) {
    const packedMessage = packMessage(message);
    const name = kind === "space" ? events.find(({ id }) => id === eventId)?.name : undefined;
    names.set(packedMessage, [...(names.get(packedMessage) ?? []), ...(name === undefined ? [] : [name])]);
  }
  return [...names].map(([packedMessage, eventNames]) => ({ packedMessage, eventNames }));
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["shared-owners", "spaces", "transfer"],
  topBar: (_data, t: Translate) => ({ title: t("spaces:title") }),
};

/** Result of an import: the numbers of imported items, the notes, and links to the imported event, or to the space and its events. */
export default function ImportResult() {
  const { t, language } = useTranslation();
  const { kind, name, spaceId, spaceName, events, counts, notes } = useLoaderData<typeof loader>();
  const message = useMessage();
  const [firstEvent] = events;
  const joinNames = (names: readonly string[]) =>
    new Intl.ListFormat(language, { type: "unit" }).format(names);
  return (
    <Container as="main" id="main" width="form" className="grid gap-8 py-8">
      <PageHeader
        title={t(`transfer:resultTitle_${kind}`, { name })}
        breadcrumbs={kind === "event" ? [{ label: spaceName, href: `/space/${spaceId}` }] : []}
      />
      {notes.length === 0 ? (
        <Notice tone="success" live>
          {t("transfer:noNotes")}
        </Notice>
      ) : (
        <Notice tone="warning" title={t("transfer:notes")} live>
          <ul className="mt-1 grid list-disc gap-1 pl-5">
            {notes.map(({ packedMessage, eventNames }) => {
              const note = message(packedMessage);
              return (
                <li key={packedMessage}>
                  {eventNames.length > 0
                    ? t("transfer:ofEvents", { note, eventNames: joinNames(eventNames) })
                    : note}
                </li>
              );
            })}
            <li>{t("transfer:links")}</li>
          </ul>
        </Notice>
      )}
      <section aria-labelledby="came" className="grid gap-3">
        <h2 id="came" className="text-base font-semibold">
          {t("transfer:came")}
        </h2>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm tabular-nums">
          {kind === "space" && <Fact label={t("transfer:events")}>{events.length}</Fact>}
          <Fact label={t("transfer:tags")}>{counts.tags}</Fact>
          <Fact label={t("transfer:media")}>{counts.media}</Fact>
          <Fact label={t("transfer:added")}>{counts.added}</Fact>
          <Fact label={t("transfer:reused")}>{counts.reused}</Fact>
          <Fact label={t("transfer:size")}>{formatBytes(counts.bytes)}</Fact>
        </dl>
      </section>
      {kind === "space" && (
        <section aria-labelledby="events" className="grid gap-2">
          <h2 id="events" className="text-base font-semibold">
            {t("transfer:list")}
          </h2>
          <ul className="ruled">
            {events.map((event) => (
              <li key={event.id}>
                <Anchor
                  href={`/event/${event.id}`}
                  className="flex min-h-10 items-center hover:underline wrap-anywhere"
                >
                  {event.name}
                </Anchor>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ButtonRow>
        <LinkButton
          variant="primary"
          href={kind === "event" ? `/event/${firstEvent?.id}` : `/space/${spaceId}`}
        >
          {t(kind === "event" ? "transfer:open" : "transfer:openSpace")}
        </LinkButton>
      </ButtonRow>
    </Container>
  );
}

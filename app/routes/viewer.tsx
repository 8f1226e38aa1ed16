import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import {
  type MetaFunction,
  type ShouldRevalidateFunction,
  useActionData,
  useLoaderData,
  useSearchParams,
} from "@remix-run/react";
import { useMemo, useRef } from "react";
import { VersionText } from "~/components/version-text";
import { toUuid } from "~/domain/ids";
import type { LinkMode } from "~/domain/model";
import { createPublishPasswordSchema } from "~/domain/publish-password.schema";
import type { WordKey } from "~/i18n/i18n";
import { languages } from "~/i18n/languages.server";
import { readViewerLink, useTwin, type ViewerHandle, viewerLink } from "~/viewer/Viewer";
import { ContentList } from "./visit/content-list";
import { Locked } from "./visit/locked";
import { makeScene } from "./visit/scene";
import { Split } from "./visit/split";
import { VisitHeader } from "./visit/visit-header";

/** The visitor's link in an address (§2): which event ("" for what is none), which kind of link, which token, which space. */
function readLink({ request, params }: Pick<LoaderFunctionArgs, "request" | "params">) {
  const { pathname, searchParams } = new URL(request.url);
  const mode: LinkMode = /^\/(event|space)\/preview\//.test(pathname) ? "preview" : "published";
  return { eventId: toUuid(params.uuid) ?? "", mode, token: searchParams.get("token"), sid: params.sid };
}

const unavailable = (eventId: string) =>
  redirect(`/error/event/${eventId || "unknown"}`, {
    headers: { "cache-control": "no-store" },
  });

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const link = readLink({ request, params });
  if (!link.eventId || !link.token) throw unavailable(link.eventId);
  const found = await context.services.visitors.readVisitorEvent({
    ...link,
    passwordFlag: context.passwordFlag(link.eventId),
    ip: context.ip,
  });
  if (found.state === "closed") throw unavailable(link.eventId);
  // The same for everybody who runs this version, so a page that is kept may carry it.
  const version = (await context.versionText()) || null;
  if (found.state === "locked") return { state: "locked" as const, name: found.event.eventName, version };

  const { event } = found;
  const query = new URLSearchParams({ event: event.id, mode: link.mode, token: link.token });
  return {
    state: "open" as const,
    version,
    event: {
      id: event.id,
      name: event.eventName,
      detail: event.eventDetail,
      startDate: event.startDate,
      endDate: event.endDate,
    },
    preview: link.mode === "preview",
    timeZone: event.timeZone,
    scene: makeScene({
      lang: context.lang,
      space: event.space,
      tags: event.tags,
      media: event.media,
      urlParams: event.urlParams,
      fileUrl: (id) => `/media/${id}?${query}`,
    }),
  };
}

/** The publish password (§4): right, the visitor gets a flag for this event and comes back; wrong, it is said beside the field. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { eventId, mode, token } = readLink({ request, params });
  const { t } = languages[context.lang];
  // Said in words here: visitors' pages do not load those of the forms.
  const refuse = (key: WordKey, status: number) => data({ error: t(key) }, { status });
  const submission = parseWithZod(await context.readForm(), { schema: createPublishPasswordSchema() });
  if (submission.status !== "success")
    return refuse((submission.error?.password?.[0] ?? "errors.field.invalid") as WordKey, 400);
  const { services, ip } = context;
  const { password } = submission.value;
  const result = await context.attempt(
    services.visitors.authenticatePublishPassword({ eventId, mode, token, password, ip }),
  );
  if (!result.ok) {
    if (result.failure.kind === "not_found") throw unavailable(eventId);
    return refuse(result.failure.words.key as WordKey, result.failure.status);
  }
  if (!result.value.success) return refuse("errors.publishPassword.incorrect", 400);
  const { flag } = result.value;
  if (flag) context.keepPasswordFlag(eventId, flag.value, flag.maxAge);
  const { pathname, search } = new URL(request.url);
  throw redirect(pathname.replace(/\.data$/, "") + search);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => {
  if (!page) return [];
  const name = page.state === "open" ? page.event.name : page.name;
  const hidden = { name: "robots", content: "noindex" };
  if (page.state !== "open") return [{ title: name }, hidden];
  return [
    { title: name },
    { name: "description", content: page.event.detail.slice(0, 160) },
    ...(page.preview ? [hidden] : []),
  ];
};

/** The page moves its own stage: of its address only the event and the token change what is on it. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ formMethod, currentUrl, nextUrl }) =>
  formMethod !== undefined ||
  currentUrl.pathname !== nextUrl.pathname ||
  currentUrl.searchParams.get("token") !== nextUrl.searchParams.get("token");

export const handle = { stage: true };

export default function ViewerRoute() {
  const page = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  if (page.state === "open") return <Open page={page} />;
  return <Locked name={page.name} version={page.version} error={result?.error} />;
}

type OpenPage = Extract<ReturnType<typeof useLoaderData<typeof loader>>, { state: "open" }>;

function Open({ page }: { readonly page: OpenPage }) {
  const { event, scene } = page;
  const [search] = useSearchParams();
  const link = readViewerLink(search);
  const ids = useMemo(() => [...scene.tags, ...scene.media].map((item) => item.id), [scene]);
  const twin = useTwin(ids, link.tagId);
  const stage = useRef<ViewerHandle>(null);
  const carry = (href: string) =>
    viewerLink(href, stage.current?.viewpoint() ?? link.viewpoint, twin.openPinId);
  return (
    <Split
      key={event.id}
      scene={scene}
      title={event.name}
      twin={twin}
      stage={stage}
      initialViewpoint={link.viewpoint}
    >
      <div className="grid gap-8 px-5 py-6 sm:px-6">
        <VisitHeader event={event} preview={page.preview} timeZone={page.timeZone} carry={carry} />
        <ContentList scene={scene} twin={twin} />
        <VersionText version={page.version} />
      </div>
    </Split>
  );
}

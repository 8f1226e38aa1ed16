import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { Container } from "~/components/container";
import { PageHeader } from "~/components/page-header";
import { Notice } from "~/components/status/notice";
import { toUuid } from "~/domain/shared/ids";
import { PANORAMA_NODES_MAX } from "~/domain/shared/limits";
import { parseShowcaseId } from "~/domain/spaces/sid";
import { showcaseProblem } from "~/domain/spaces/space.schema";
import { createSpaceSchema, isSourceKind, MEDIA_OF_SOURCE } from "~/domain/spaces/space-source.schema";
import {
  EMPTY_SOURCE,
  type NodeValues,
  newNode,
  readSourceValues,
  type SourceValues,
  sourceInput,
} from "~/domain/spaces/space-source-form";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { createdSpaceHref } from "../../folders/same-names.server";
import type { RouteHandle } from "../../shared/handle";
import { pageTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { FileChoice } from "./choice";
import { SourceForm } from "./form";
import { FormProblems } from "./form-problems";
import { KindTabs } from "./kind-tabs";
import {
  findChosenKind,
  newShowcaseValues,
  readChosenMediaIds,
  readFileChoice,
  readLights,
  readSourceFiles,
  toUploadTarget,
} from "./read.server";
import {
  changeNodes,
  createSample,
  rejectFailure,
  rejectInvalidSource,
  storeUploads,
} from "./source-form.server";
import { StartScreen } from "./start-screen";

/** Maximum number of characters of a link or name that are read from the URL. */
const LINK_MAX = 2048;

/** Parses the URL: the source kind (null if it names none), the link, the owner and the folder of the new space. */
function readQuery(request: Request) {
  const { searchParams } = new URL(request.url);
  const kind = searchParams.get("kind");
  return {
    searchParams,
    kind: isSourceKind(kind) ? kind : null,
    link: searchParams.get("link")?.slice(0, LINK_MAX) ?? "",
    ownerId: toUuid(searchParams.get("owner")) ?? undefined,
    folderId: toUuid(searchParams.get("folder")) ?? undefined,
  };
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const { searchParams, link, ownerId, folderId, ...query } = readQuery(request);
  // An owner or a folder that the actor may not see is a 404.
  const { owner } = await context.services.spaces.listSpaces({ actor, ownerId, folderId });
  const listHref = `/space-list${owner.id === actor.userId ? "" : `/${owner.id}`}${folderId ? `/folders/${folderId}` : ""}`;
  const showcase = parseShowcaseId(link);
  const chosenKind = query.kind ? null : await findChosenKind({ context, actor }, searchParams);
  if (chosenKind)
    throw redirect(`/space-list/new?${new URLSearchParams([["kind", chosenKind], ...searchParams])}`);
  const kind = query.kind ?? (showcase ? "showcase" : null);
  const page = {
    title: pageTitle(context, "spaces:createTitle"),
    kind,
    listHref,
    ownerId: owner.id === actor.userId ? null : owner.id,
    invalidLink: showcase ? "" : link,
    linkProblem: showcase || link === "" ? null : showcaseProblem(link),
    upload: toUploadTarget(actor, owner),
  };
  const nameParam = (searchParams.get("name") ?? "").slice(0, LINK_MAX);
  if (kind === null || kind === "showcase") {
    const values = newShowcaseValues(context.lang, { link, showcase, name: nameParam });
    return { ...page, choice: null, lights: null, values, files: {}, unusedCount: 0 };
  }
  const mediaIds = readChosenMediaIds(searchParams, PANORAMA_NODES_MAX);
  const [choice, lights, visibleFiles] = await Promise.all([
    readFileChoice({ context, actor }, request, MEDIA_OF_SOURCE[kind], owner.id),
    kind === "model" ? readLights({ context, actor }, owner.id) : null,
    context.services.spaces.visibleFiles({ actor, mediaIds }),
  ]);
  const items = visibleFiles.filter((item) => item.kind === MEDIA_OF_SOURCE[kind]);
  const name = nameParam || (items[0]?.title ?? "");
  const nodes: NodeValues[] = [];
  if (kind === "panorama") for (const item of items) nodes.push(newNode(nodes, item.id, item.title));
  const mediaId = kind === "panorama" ? "" : (items[0]?.id ?? "");
  const values: SourceValues = { ...EMPTY_SOURCE, name, mediaId, nodes };
  const files = {
    ...Object.fromEntries((lights ?? []).map((file) => [file.id, file])),
    ...(await readSourceFiles({ context, actor }, values)),
  };
  const usedCount = kind === "panorama" ? items.length : Math.min(items.length, 1);
  return { ...page, choice, lights, values, files, unusedCount: visibleFiles.length - usedCount };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const { kind: requestedKind, ownerId, folderId } = readQuery(request);
  const kind = requestedKind ?? "showcase";
  const storeResponse = await storeUploads({ context, actor }, request, ownerId);
  if (storeResponse) return storeResponse;
  const form = await context.form.read();
  if (form.get("intent") === "sample")
    return createSample({ context, actor }, { ...(ownerId && { ownerId }), ...(folderId && { folderId }) });
  const nodesResponse = await changeNodes({ context, actor }, form);
  if (nodesResponse) return nodesResponse;
  const values = readSourceValues(form);
  const { posterMediaId } = values;
  const names = form.getAll("name");
  const parsed = createSpaceSchema().safeParse({
    // A name that is submitted twice is invalid, so the array is passed to the schema.
    name: names.length > 1 ? names : values.name,
    posterMediaId,
    source: sourceInput(kind, values),
  });
  if (!parsed.success) return rejectInvalidSource({ context, actor }, values, parsed.error);
  const result = await context.attempt(
    context.services.spaces.createSpace({ actor, ownerId, folderId, lang: context.lang, ...parsed.data }),
  );
  if (!result.ok) return rejectFailure({ context, actor }, values, result.failure);
  throw redirect(await createdSpaceHref(context, actor, result.value.space));
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["content", "folders", "library", "shared-owners", "spaces", "visitors"],
  topBar: (_data, t: Translate) => ({ title: t("spaces:createTitle") }),
};

export default function NewSpacePage() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const actionResult = useActionResult<typeof action>();
  const { choice } = page;
  // A form that was rejected on the start screen shows its errors there, unless it contained a link.
  const kind = page.kind ?? (actionResult && actionResult.values.showcase !== "" ? "showcase" : null);
  const values = actionResult?.values ?? page.values;
  const isFileChosen = values.mediaId !== "" || values.nodes.length > 0;
  const isChosen = kind === "showcase" || isFileChosen;
  return (
    <Container as="main" id="main" className="grid grid-cols-1 gap-8 py-8">
      <PageHeader
        title={t("spaces:createTitle")}
        breadcrumbs={[{ label: t("spaces:title"), href: page.listHref }]}
        description={t(
          kind === null
            ? "spaces:start.lead"
            : isFileChosen
              ? "spaces:sources.check"
              : `spaces:sources.lead.${kind}`,
        )}
      />
      {kind !== null && !isFileChosen && <KindTabs kind={kind} />}
      {isChosen && page.unusedCount > 0 && (
        <Notice>{t("spaces:start.unused", { count: page.unusedCount })}</Notice>
      )}
      {!isChosen && actionResult && <FormProblems errors={actionResult.errors} />}
      {kind === null ? (
        <StartScreen upload={page.upload} invalidLink={page.invalidLink} linkProblem={page.linkProblem} />
      ) : isChosen ? (
        <SourceForm
          key={JSON.stringify([values, actionResult?.errors])}
          kind={kind}
          values={values}
          ownerId={page.ownerId}
          lights={page.lights}
          files={{ ...page.files, ...actionResult?.files }}
          errors={actionResult?.errors ?? {}}
          images={choice?.files ?? []}
          isNew
          submit={t("spaces:createSubmit")}
          cancelHref={page.listHref}
          fileHref={`?kind=${kind}`}
        />
      ) : (
        choice && (
          <FileChoice
            choice={choice}
            kind={MEDIA_OF_SOURCE[kind]}
            multiple={kind === "panorama"}
            submit={t(kind === "panorama" ? "spaces:sources.placeThese" : "spaces:sources.useFile")}
          />
        )
      )}
    </Container>
  );
}

import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { PageHeader } from "~/components/page-header";
import { Notice } from "~/components/status/notice";
import type { Space } from "~/domain/shared/model";
import { createSourceChangeSchema, MEDIA_OF_SOURCE } from "~/domain/spaces/space-source.schema";
import {
  readSourceValues,
  type SourceValues,
  sourceInput,
  sourceValues,
  startOfForm,
} from "~/domain/spaces/space-source-form";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../../shared/handle";
import { namedTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { uuidParam } from "../../shared/uuid-param";
import { FileChoice } from "./choice";
import { SourceForm } from "./form";
import { FormProblems } from "./form-problems";
import { readChosenMediaIds, readFileChoice, readSourceFiles } from "./read.server";
import { changeNodes, rejectFailure, rejectInvalidSource, storeUploads } from "./source-form.server";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const space = await context.services.spaces.getSpace({ actor, spaceId: uuidParam(params.spaceUuid) });
  const { searchParams } = new URL(request.url);
  const { kind } = space.source;
  const requestedChoice = searchParams.has("media") ? null : searchParams.get("choose");
  /** Kinds of files that the page can offer, by the parameter `choose`. */
  const choiceKinds = {
    file: kind === "model" || kind === "splat" ? MEDIA_OF_SOURCE[kind] : null,
    light: kind === "model" ? ("light" as const) : null,
  };
  const isLightChosen = searchParams.get("choose") === "light" && kind === "model";
  const page = {
    title: namedTitle(context, space.name),
    id: space.id,
    name: space.name,
    kind,
    ownerId: space.ownerId === actor.userId ? null : space.ownerId,
    choiceKind:
      requestedChoice === "file" || requestedChoice === "light" ? choiceKinds[requestedChoice] : null,
  };
  const saved = {
    ...sourceValues(space.source, space.sid),
    name: space.name,
    version: String(space.version),
  };
  const [chosenId] = readChosenMediaIds(searchParams, 1);
  const lightValues = { light: "file", lightMediaId: chosenId ?? saved.lightMediaId };
  const values = chosenId ? { ...saved, ...(isLightChosen ? lightValues : { mediaId: chosenId }) } : saved;
  const choice =
    kind === "showcase"
      ? null
      : await readFileChoice(
          { context, actor },
          request,
          page.choiceKind ?? MEDIA_OF_SOURCE[kind],
          space.ownerId,
        );
  const isReplaced =
    chosenId !== undefined && chosenId !== (isLightChosen ? saved.lightMediaId : saved.mediaId);
  return { ...page, isReplaced, choice, values, files: await readSourceFiles({ context, actor }, values) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const spaceId = uuidParam(params.spaceUuid);
  const space = await context.services.spaces.getSpace({ actor, spaceId });
  const storeResponse = await storeUploads({ context, actor }, request, space.ownerId);
  if (storeResponse) return storeResponse;
  const form = await context.form.read();
  const nodesResponse = await changeNodes({ context, actor }, form);
  if (nodesResponse) return nodesResponse;
  const formValues = readSourceValues(form);
  const values = withSavedStart(formValues, sourceValues(space.source, space.sid));
  const parsed = createSourceChangeSchema().safeParse({
    version: values.version,
    source: sourceInput(space.source.kind, values),
  });
  if (!parsed.success) return rejectInvalidSource({ context, actor }, values, parsed.error);
  const result = await context.attempt(
    context.services.spaces.replaceSource({ actor, spaceId, ...parsed.data }),
  );
  if (!result.ok) {
    // Submitting the returned form again overwrites the version that is saved now.
    const { saved } = result.failure as { readonly saved: Space | null };
    const version = saved ? String(saved.version) : values.version;
    return rejectFailure({ context, actor }, { ...values, version }, result.failure);
  }
  const toast = values === formValues ? "source-saved" : "source-start-moved";
  throw redirect(`/space/${spaceId}/settings?toast=${toast}`);
}

/**
 * Moves the saved start view together with a model that the form scales or rotates. A browser without scripts does not move it, but submits the start that the
 * page contained.
 */
function withSavedStart(values: SourceValues, saved: SourceValues): SourceValues {
  if (values.start === "" || values.start !== saved.start) return values;
  const start = startOfForm(saved, values);
  return start === saved.start ? values : { ...values, start };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["content", "folders", "library", "shared-owners", "spaces", "visitors"],
  topBar: (_data, t: Translate) => ({ title: t("shared-owners:shell.spaceDetail") }),
};

export default function ChangeSource() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const actionResult = useActionResult<typeof action>();
  const { kind, choice } = page;
  const values = actionResult && actionResult.values.version !== "" ? actionResult.values : page.values;
  const spaceHref = `/space/${page.id}/settings`;
  return (
    <Container as="main" id="main" className="grid grid-cols-1 gap-8 py-8">
      <PageHeader
        title={t("spaces:sources.changeTitle")}
        breadcrumbs={[{ label: page.name, href: spaceHref }]}
        description={t(`spaces:sources.changeLead.${kind}`)}
      />
      {page.choiceKind && actionResult && <FormProblems errors={actionResult.errors} />}
      {page.choiceKind && choice ? (
        <>
          <FileChoice
            choice={choice}
            kind={page.choiceKind}
            chosenIds={[page.choiceKind === "light" ? values.lightMediaId : values.mediaId]}
            submit={t("spaces:sources.useFile")}
          />
          <div>
            <LinkButton href="?" variant="quiet">
              {t("spaces:cancel")}
            </LinkButton>
          </div>
        </>
      ) : (
        <>
          {page.isReplaced && <Notice>{t("spaces:sources.notSaved")}</Notice>}
          <SourceForm
            key={JSON.stringify([values, actionResult?.errors])}
            kind={kind}
            values={values}
            files={actionResult?.files ?? page.files}
            ownerId={page.ownerId}
            errors={actionResult?.errors ?? {}}
            images={choice?.files ?? []}
            isNew={false}
            submit={t("spaces:sources.save")}
            cancelHref={spaceHref}
            fileHref="?choose=file"
          />
        </>
      )}
    </Container>
  );
}

import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { Form, type MetaFunction, useLoaderData, useNavigate } from "@remix-run/react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { FormErrorSummary } from "~/components/fields/form-error-summary";
import { PageHeader } from "~/components/page-header";
import type { SourceKind, Space } from "~/domain/shared/model";
import { createImageSchema } from "~/domain/spaces/space-source.schema";
import { type SourceValues, sourceValues } from "~/domain/spaces/space-source-form";
import { packMessage, useMessage } from "~/forms/shared/user-message";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../../shared/handle";
import { namedTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { uuidParam } from "../../shared/uuid-param";
import { FileChoice } from "../source/choice";
import { SourcePreview } from "../source/preview";
import { readChosenMediaIds, readFileChoice, readSourceFiles, type SourceFiles } from "../source/read.server";
import { storeUploads } from "../source/source-form.server";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const space = await context.services.spaces.getSpace({ actor, spaceId: uuidParam(params.spaceUuid) });
  const { searchParams } = new URL(request.url);
  const { kind } = space.source;
  const saved = sourceValues(space.source, space.sid);
  const chosenId = readChosenMediaIds(searchParams, 1)[0] ?? null;
  const values = { ...saved, name: space.name, posterMediaId: chosenId ?? space.posterMediaId ?? "" };
  const files = await readSourceFiles({ context, actor }, values);
  return {
    title: namedTitle(context, space.name),
    id: space.id,
    name: space.name,
    version: space.version,
    kind,
    values,
    files,
    chosen: chosenId,
    ownerId: space.ownerId === actor.userId ? null : space.ownerId,
    posterMediaId: space.posterMediaId,
    choice: await readFileChoice({ context, actor }, request, "image", space.ownerId),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const spaceId = uuidParam(params.spaceUuid);
  const { ownerId } = await context.services.spaces.getSpace({ actor, spaceId });
  const storeResponse = await storeUploads({ context, actor }, request, ownerId);
  if (storeResponse)
    return data(
      {
        problem: Object.values(storeResponse.data.errors)[0]?.[0] ?? "shared-owners:errors.form.invalid",
        version: null,
      },
      { status: 400 },
    );
  const form = await context.form.read();
  const parsed = createImageSchema().safeParse(Object.fromEntries(form));
  if (!parsed.success)
    return data({ problem: "shared-owners:errors.form.invalid", version: null }, { status: 400 });
  const result = await context.attempt(
    context.services.spaces.setSpaceThumbnail({ actor, spaceId, ...parsed.data }),
  );
  if (!result.ok) {
    const { status, userMessage, fields, saved } = result.failure;
    if (status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
    const problem = packMessage(Object.values(fields)[0]?.[0] ?? userMessage);
    return data({ problem, version: (saved as Space | null)?.version ?? null }, { status });
  }
  throw redirect(`/space/${spaceId}/settings?toast=picture-saved`);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["content", "folders", "library", "shared-owners", "spaces", "visitors"],
  topBar: (_data, t: Translate) => ({ title: t("shared-owners:shell.spaceDetail") }),
};

/** Id of the form that removes the thumbnail; its button is beside the cancel link. */
const REMOVE_FORM_ID = "no-picture";

export default function SpaceImage() {
  const { t } = useTranslation();
  const message = useMessage();
  const page = useLoaderData<typeof loader>();
  const actionResult = useActionResult<typeof action>();
  const spaceHref = `/space/${page.id}/settings`;
  const displayedFile = page.files[page.chosen ?? page.posterMediaId ?? ""] ?? null;
  return (
    <Container as="main" id="main" className="grid grid-cols-1 gap-8 py-8">
      <PageHeader
        title={t("spaces:sources.imageTitle")}
        breadcrumbs={[{ label: page.name, href: spaceHref }]}
        description={t("spaces:sources.imageLead")}
      />
      {actionResult && <FormErrorSummary errors={[{ id: "", message: message(actionResult.problem) }]} />}
      <Form method="post" className="grid gap-4">
        <input type="hidden" name="version" value={actionResult?.version ?? page.version} />
        <input type="hidden" name="posterMediaId" value={page.chosen ?? page.posterMediaId ?? ""} />
        {displayedFile?.largeThumbnail && (
          <img
            src={displayedFile.largeThumbnail}
            alt={t(page.chosen ? "spaces:sources.chosenImage" : "spaces:sources.currentImage")}
            className="aspect-picture w-full max-w-xl rounded bg-surface object-cover"
          />
        )}
        <ButtonRow>
          {page.chosen ? (
            <Button type="submit" variant="primary">
              {t("spaces:sources.useImage")}
            </Button>
          ) : (
            page.posterMediaId && (
              <Button type="submit" form={REMOVE_FORM_ID} icon="trash">
                {t("spaces:sources.removeImage")}
              </Button>
            )
          )}
          <LinkButton href={spaceHref} variant={page.chosen || page.posterMediaId ? "quiet" : "secondary"}>
            {t("spaces:cancel")}
          </LinkButton>
        </ButtonRow>
      </Form>
      {page.posterMediaId && (
        <Form method="post" id={REMOVE_FORM_ID} hidden>
          <input type="hidden" name="version" value={actionResult?.version ?? page.version} />
          <input type="hidden" name="posterMediaId" value="" />
        </Form>
      )}
      {page.kind !== "showcase" && <ThumbnailCapture {...page} />}
      <section aria-labelledby="library-title" className="grid gap-4">
        <h2 id="library-title" className="text-base font-semibold">
          {t("spaces:sources.fromLibrary")}
        </h2>
        <FileChoice
          choice={page.choice}
          kind="image"
          chosenIds={page.chosen ? [page.chosen] : []}
          submit={t("spaces:sources.previewImage")}
        />
      </section>
    </Container>
  );
}

interface ThumbnailCaptureProps {
  readonly kind: SourceKind;
  readonly values: SourceValues;
  readonly files: SourceFiles;
  readonly ownerId: string | null;
}

/** The space in 3D for capturing a thumbnail, which is previewed and saved like any image of the library. */
function ThumbnailCapture({ kind, values, files, ownerId }: ThumbnailCaptureProps) {
  const navigate = useNavigate();
  return (
    <SourcePreview
      kind={kind}
      values={values}
      files={files}
      ownerId={ownerId}
      onImage={(id) => navigate(`?${new URLSearchParams({ media: id })}`)}
    />
  );
}

import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { Form, type MetaFunction, useLoaderData, useNavigate, useNavigation } from "@remix-run/react";
import { type FormEvent, useRef, useState } from "react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { FileField } from "~/components/fields/file-field";
import { PageHeader } from "~/components/page-header";
import { Notice } from "~/components/status/notice";
import { toUuid } from "~/domain/shared/ids";
import { FORM_MAX_MB, PACKAGE_MAX_MB } from "~/domain/shared/limits";
import { packMessage, useMessage } from "~/forms/shared/user-message";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";
import { useActionResult } from "../shared/unsent-form";
import { type Problem, sendPackage, type UploadResult } from "./send-package";

/** Id of the space or folder in the URL. */
const readTarget = (request: Request) => {
  const { searchParams } = new URL(request.url);
  return { spaceId: toUuid(searchParams.get("space")), folderId: toUuid(searchParams.get("folder")) };
};

/** A package is the file of an exported event or space. An event is imported into a space, and a space into a folder. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const { kind, space, folder } = await context.services.packages.findTarget({
    actor,
    ...readTarget(request),
  });
  const name = space?.name ?? "";
  return {
    title: pageTitle(context, `transfer:importTitle_${kind}`, { name }),
    kind,
    name,
    back: space ? `/space/${space.id}` : `/space-list/folders/${folder?.id}`,
    target: space ? { space_uuid: space.id } : { folder_uuid: folder?.id ?? "" },
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { actor, user } = await context.session.require();
  const { declaredBytes, files } = context.form.readFiles("file");
  const importPromise = context.services.packages.importForm({
    actor,
    ...readTarget(request),
    lang: user.language,
    declaredBytes,
    files,
  });
  const result = await context.attempt(importPromise);
  if (result.ok) throw redirect(`/imports/${result.value.id}`);
  const { status, fields, userMessage } = result.failure;
  if (status === 404) throw new Response(null, { status, statusText: "Not Found" });
  const fieldProblems = Object.entries(fields).map(([name, [problem]]) => ({
    location: name === "file" ? null : name,
    message: packMessage(problem ?? userMessage),
  }));
  return data(
    {
      problems:
        fieldProblems.length > 0 ? fieldProblems : [{ location: null, message: packMessage(userMessage) }],
    },
    { status },
  );
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["shared-owners", "spaces", "transfer"],
  topBar: (_data, t: Translate) => ({ title: t("spaces:title") }),
};

/** Progress of the upload as a share of the file, with 1 for a complete file that is being checked; null if none is in progress. */
type UploadProgress = { readonly share: number } | null;

export default function ImportPackage() {
  const { t } = useTranslation();
  const { kind, name, back, target } = useLoaderData<typeof loader>();
  const rejection = useActionResult<typeof action>();
  const message = useMessage();
  const navigate = useNavigate();
  const isPosting = useNavigation().formMethod === "POST";
  const [progress, setProgress] = useState<UploadProgress>(null);
  const [uploadResult, setUploadResult] = useState<Exclude<UploadResult, { readonly id: string }> | null>(
    null,
  );
  const startedImport = useRef<{ readonly file: string; readonly id: string } | null>(null);
  const hint = t("transfer:fileHint", { form: FORM_MAX_MB, max: PACKAGE_MAX_MB });
  const formProblems: readonly Problem[] =
    rejection?.problems.map(({ location, message: text }) => ({ location, message: message(text) })) ?? [];
  const problems =
    uploadResult && "problems" in uploadResult ? uploadResult.problems : uploadResult ? [] : formProblems;
  const [packageProblem] = problems.filter(({ location }) => location === null);
  const busy = isPosting || progress !== null;
  const sendFile = async (event: FormEvent<HTMLFormElement>) => {
    const file = new FormData(event.currentTarget).get("file");
    if (!(file instanceof File) || file.size === 0) return;
    event.preventDefault();
    const fileKey = `${file.name} ${file.size} ${file.lastModified}`;
    setUploadResult(null);
    setProgress({ share: 0 });
    const result = await sendPackage(
      file,
      target,
      startedImport.current?.file === fileKey ? startedImport.current.id : null,
      {
        onStarted: (id) => {
          startedImport.current = { file: fileKey, id };
        },
        onProgress: (share) => setProgress({ share }),
      },
    );
    setProgress(null);
    if ("id" in result) navigate(`/imports/${result.id}`);
    else setUploadResult(result);
  };
  return (
    <Container as="main" id="main" width="form" className="grid gap-8 py-8">
      <PageHeader
        title={t(`transfer:importTitle_${kind}`, { name })}
        breadcrumbs={[{ label: kind === "event" ? name : t("spaces:title"), href: back }]}
        description={t(`transfer:importLead_${kind}`)}
      />
      {problems.length > 0 && <Problems problems={problems} />}
      {uploadResult && "isInterrupted" in uploadResult && (
        <Notice tone="warning" live>
          {t("transfer:cut")}
        </Notice>
      )}
      <Form method="post" encType="multipart/form-data" className="grid gap-6" onSubmit={sendFile}>
        <FileField
          name="file"
          label={t("transfer:file")}
          hint={hint}
          error={packageProblem?.message}
          accept=".zip,application/zip"
        />
        <p role="status" className="text-sm text-muted tabular-nums">
          {busy &&
            (progress && progress.share < 1
              ? t("transfer:sending", { percent: Math.floor(progress.share * 100) })
              : t("transfer:checking"))}
        </p>
        <ButtonRow>
          <Button type="submit" variant="primary" pending={busy}>
            {t("transfer:submit")}
          </Button>
          <LinkButton href={back} variant="quiet">
            {t("transfer:cancel")}
          </LinkButton>
        </ButtonRow>
      </Form>
    </Container>
  );
}

/** Reasons why a file was not imported, with their locations in the file. */
function Problems({ problems }: { readonly problems: readonly Problem[] }) {
  const { t } = useTranslation();
  return (
    <Notice tone="danger" title={t("transfer:wrongTitle")} live>
      <p>{t("transfer:wrongText")}</p>
      <ul className="mt-2 grid gap-1">
        {problems.map(({ location, message }) => (
          <li key={`${location} ${message}`} className="wrap-anywhere">
            {location !== null && <code className="mr-2 text-xs">{location}</code>}
            {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

import { type AppLoadContext, data, redirect } from "@remix-run/cloudflare";
import type * as z from "zod";
import type { Actor } from "~/domain/auth/actor";
import { toUuid } from "~/domain/shared/ids";
import { PANORAMA_NODES_MAX } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import {
  EMPTY_SOURCE,
  linkedNodeIds,
  newNode,
  readSourceValues,
  type SourceErrors,
  type SourceValues,
  sourceErrors,
  sourceFieldId,
} from "~/domain/spaces/space-source-form";
import type { FormFailure } from "~/forms/shared/reject-form";
import { packMessage } from "~/forms/shared/user-message";
import { languages } from "~/i18n/languages.server";
import { createdSpaceHref } from "../../folders/same-names.server";
import { hasFiles } from "../../library/list/upload.server";
import { readSourceFiles, type SourceFiles } from "./read.server";

/** Result of a submitted source form. */
export interface SourceFormResult {
  readonly values: SourceValues;
  readonly errors: SourceErrors;
  readonly files: SourceFiles;
}

interface SourceFormContext {
  readonly context: AppLoadContext;
  readonly actor: Actor;
}

const sourceFormResponse = async (
  formContext: SourceFormContext,
  status: number,
  values: SourceValues,
  errors: SourceErrors = {},
) =>
  data<SourceFormResult>({ values, errors, files: await readSourceFiles(formContext, values) }, { status });

/** Adds a panorama (node) to the form, or removes one; null for a form that is submitted in order to be saved. Nothing is stored. */
export async function changeNodes(formContext: SourceFormContext, form: FormData) {
  const { context, actor } = formContext;
  const intent = String(form.get("intent") ?? "");
  const values = readSourceValues(form);
  if (intent.startsWith("remove-")) {
    const removedId = intent.slice("remove-".length);
    const nodes = values.nodes
      .filter(({ nodeId }) => nodeId !== removedId)
      .map((node) => ({
        ...node,
        nodeLinks: linkedNodeIds(node)
          .filter((link) => link !== removedId)
          .join(" "),
      }));
    return sourceFormResponse(formContext, 200, { ...values, nodes });
  }
  if (intent !== "add") return null;
  const mediaId = toUuid(form.get("addMedia"));
  const [file] = mediaId ? await context.services.spaces.visibleFiles({ actor, mediaIds: [mediaId] }) : [];
  if (!file) return sourceFormResponse(formContext, 400, values, { nodes: ["spaces:sources.errors.media"] });
  if (values.nodes.length >= PANORAMA_NODES_MAX)
    return sourceFormResponse(formContext, 400, values, { nodes: ["spaces:sources.errors.tooManyNodes"] });
  return sourceFormResponse(formContext, 200, {
    ...values,
    nodes: [...values.nodes, newNode(values.nodes, file.id, file.title)],
  });
}

/**
 * Stores the files that were uploaded by a form without scripts, and redirects to a page on which they are chosen.
 * @returns the form with an error if a file was rejected; null for any other form
 */
export async function storeUploads(
  formContext: SourceFormContext,
  request: Request,
  ownerId: Uuid | undefined,
) {
  if (!hasFiles(request)) return null;
  const { context, actor } = formContext;
  const { declaredBytes, files } = context.form.readFiles("file");
  const storeResult = await context.attempt(
    context.services.uploads.storeFiles({ actor, ownerId, declaredBytes, files }),
  );
  if (!storeResult.ok) return rejectFailure(formContext, EMPTY_SOURCE, storeResult.failure);
  const rejections = storeResult.value.flatMap((result) => ("rejection" in result ? [result.rejection] : []));
  const [rejection] = rejections;
  if (rejection) {
    const fields = "fields" in rejection ? (rejection.fields as FormFailure["fields"]) : {};
    const { userMessage } = rejection;
    const problem = packMessage(Object.values(fields)[0]?.[0] ?? userMessage);
    return sourceFormResponse(formContext, 400, EMPTY_SOURCE, { source: [problem] });
  }
  const { pathname, searchParams } = new URL(request.url);
  const params = new URLSearchParams(searchParams);
  params.delete("choose");
  for (const result of storeResult.value) if ("item" in result) params.append("media", result.item.id);
  throw redirect(`${pathname}?${params}`);
}

/** Creates a space from the sample room and opens it. */
export async function createSample(
  formContext: SourceFormContext,
  location: { readonly ownerId?: Uuid; readonly folderId?: Uuid },
) {
  const { context, actor } = formContext;
  const name = languages[context.lang].t("spaces:start.sampleName");
  const result = await context.attempt(
    context.services.spaces.createSampleSpace({ actor, ...location, name, lang: context.lang }),
  );
  if (!result.ok) return rejectFailure(formContext, EMPTY_SOURCE, result.failure);
  throw redirect(await createdSpaceHref(context, actor, result.value.space));
}

/** Response with the errors of a schema. */
export const rejectInvalidSource = (
  formContext: SourceFormContext,
  values: SourceValues,
  error: z.ZodError,
) => sourceFormResponse(formContext, 400, values, sourceErrors(error.issues));

/** Response with the error of a service: beside the fields that the error names, or else above the form. */
export async function rejectFailure(
  formContext: SourceFormContext,
  values: SourceValues,
  failure: FormFailure & { readonly status: number },
) {
  if (failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
  const fields = Object.entries(failure.fields);
  const errors =
    fields.length > 0
      ? Object.fromEntries(fields.map(([path, messages]) => [sourceFieldId(path), messages.map(packMessage)]))
      : { source: [packMessage(failure.userMessage)] };
  return sourceFormResponse(formContext, failure.status, values, errors);
}

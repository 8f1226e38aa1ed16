import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { saveEvent } from "../../events/record/event-action";
import { hasFiles } from "../../library/list/upload.server";
import { uuidParam } from "../../shared/ids";
import { uploadToEvent } from "../media-picker/upload-to-event.server";
import { contentAction } from "./content-action.server";

/** Handles all forms of the editor: files for the event, its content and its settings. */
export async function editorAction(args: ActionFunctionArgs) {
  const { request, params, context } = args;
  const { actor } = await context.session.require();
  const post = { request, context, actor, eventId: uuidParam(params.uuid) };
  if (hasFiles(request)) return uploadToEvent(post);
  const form = await context.form.read();
  return (await contentAction({ ...post, form })) ?? saveEvent(args, form);
}

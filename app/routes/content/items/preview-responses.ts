import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { uuidParam } from "../../shared/ids";
import { readPreview } from "./item-forms.server";

/** It has no page of its own. */
export function loader({ params }: LoaderFunctionArgs) {
  throw redirect(`/event/${uuidParam(params.uuid)}`);
}

/** What texts look like with their marks, while they are typed: for anybody who is logged in, since nothing is read but what he sends. */
export async function action({ context }: ActionFunctionArgs) {
  await context.session.require();
  const form = await context.form.read();
  const typed = (lang: string) => String(form.get(`body.${lang}`) ?? "");
  return Response.json(readPreview({ ja: typed("ja"), en: typed("en") }));
}

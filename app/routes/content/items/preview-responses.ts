import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { uuidParam } from "../../shared/uuid-param";
import { readPreview } from "./item-forms.server";

/** This resource route has no page. */
export function loader({ params }: LoaderFunctionArgs) {
  throw redirect(`/event/${uuidParam(params.uuid)}`);
}

/** Parses formatted texts for the preview while they are typed. Any user who is logged in may call it, because it reads only the submitted texts. */
export async function action({ context }: ActionFunctionArgs) {
  await context.session.require();
  const form = await context.form.read();
  const bodyText = (lang: string) => String(form.get(`body.${lang}`) ?? "");
  return Response.json(readPreview({ ja: bodyText("ja"), en: bodyText("en") }));
}

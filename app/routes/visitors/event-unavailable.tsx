import { data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";
import { Unavailable } from "./page/unavailable";

/** Where every link ends that shows nothing (§4). The same for all of them: it does not say whether the event exists. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const title = pageTitle(context, "visitors:unavailableTitle");
  const version = (await context.site.versionText()) || null;
  return data({ title, version, url: url.pathname + url.search }, { status: 404 });
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [
  { title: page?.title ?? "" },
  { name: "robots", content: "noindex" },
];

export const handle: RouteHandle = { i18n: ["visitors"] };

export default function EventUnavailable() {
  const { version, url } = useLoaderData<typeof loader>();
  return <Unavailable version={version} url={url} />;
}
